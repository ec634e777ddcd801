"""The arguments that all commands of ``irx judge`` have."""

from __future__ import annotations

from ..options import Parser


def add_both_qrels(parser: Parser, human: str, machine: str) -> None:
    """Add HUMAN and MACHINE; the texts say which topics or pairs they judge."""
    parser.add_argument(
        "human", metavar="HUMAN", help=f"qrels of human judges, or an ir_datasets id: {human}"
    )
    parser.add_argument("machine", metavar="MACHINE", help=f"qrels of a machine: {machine}")
