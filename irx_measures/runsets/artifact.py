"""A saved RunSet as an artifact of PyTerrier, which can be shared on Hugging Face Hub."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path

import pyterrier as pt

from ..exceptions import MissingExtraError
from .runset import RunSet
from .saved import ARTIFACT


class RunSetArtifact(pt.Artifact):
    """What ``pt.Artifact.load`` returns for a folder that `RunSet.save` wrote.

    Parameters
    ----------
    path
        The folder.

    Attributes
    ----------
    runset : RunSet
        The set, as `RunSet.load` returns it.
    """

    ARTIFACT_TYPE = ARTIFACT["type"]
    ARTIFACT_FORMAT = ARTIFACT["format"]
    ARTIFACT_PACKAGE_HINT = ARTIFACT["package_hint"]

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self.runset = RunSet.load(path)


def upload(
    runset: RunSet,
    repo: str,
    branch: str | None,
    private: bool | None,
    licence: str | None,
) -> None:
    """Upload a set; see `RunSet.to_hf`."""
    if importlib.util.find_spec("huggingface_hub") is None:
        raise MissingExtraError("RunSet.to_hf needs huggingface_hub: pip install huggingface_hub")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set"
        runset.save(path, licence=licence)
        RunSetArtifact(path).to_hf(repo, branch=branch, private=private)


def download(repo: str, branch: str | None, sha256: str | None) -> RunSet:
    """Download a set; see `RunSet.from_hf`."""
    artifact: RunSetArtifact = RunSetArtifact.from_hf(repo, branch, expected_sha256=sha256)
    return artifact.runset
