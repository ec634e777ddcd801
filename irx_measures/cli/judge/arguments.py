"""The arguments that commands of ``irx judge`` share."""

from __future__ import annotations

from ..options import Parser


def add_both_qrels(parser: Parser, human: str, machine: str) -> None:
    """Add HUMAN and MACHINE; the texts say which topics or pairs they judge."""
    parser.add_argument(
        "human", metavar="HUMAN", help=f"qrels of human judges, or an ir_datasets id: {human}"
    )
    parser.add_argument("machine", metavar="MACHINE", help=f"qrels of a machine: {machine}")


def add_level(parser: Parser) -> None:
    parser.add_argument(
        "--level",
        metavar="PERCENT",
        type=float,
        default=95.0,
        help="confidence level of intervals and tests (default: 95)",
    )


def add_seed(parser: Parser) -> None:
    parser.add_argument(
        "--seed", metavar="N", type=int, default=42, help="random seed (default: %(default)s)"
    )
