"""How notebooks are run: for the site and in the tests."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"

AT_ONCE = 2  # kernels: an import of the package and of a plot takes most of a processor


def run(notebook: NotebookNode) -> None:
    """Write the outputs of a notebook into its cells; its first error is raised."""
    with TemporaryDirectory() as sockets:
        NotebookClient(
            notebook,
            startup_timeout=3600,  # a busy machine starts slowly
            record_timing=False,
            resources={"metadata": {"path": str(NOTEBOOKS)}},
            # Files, because notebooks that start at the same time might choose the same ports.
            config=Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/kernel"}),
        ).execute()


def run_all(notebooks: Iterable[NotebookNode]) -> None:
    """Run notebooks, some of them at the same time."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(run, notebooks))
