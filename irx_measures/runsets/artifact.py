"""A folder of run files as an artifact of PyTerrier, which uploads and downloads artifacts."""

from __future__ import annotations

from pathlib import Path

from ..common.short_paths import public
from ..exceptions import InputError, importing
from .runset import RunSet
from .sources import check_regular, files_of_folder

with importing("pyterrier", "irx_measures.RunSetArtifact needs PyTerrier"):
    import pyterrier as pt

ENDINGS = ".run", ".run.gz"

GROUPS = "groups.csv"


@public
class RunSetArtifact(pt.Artifact):
    """A folder of run files and their groups; ``pt.Artifact.load`` returns it for its downloads.

    `pt.Artifact`_ has ``build_package``, ``to_hf``, ``to_zenodo`` and their counterparts.

    .. _pt.Artifact: https://pyterrier.readthedocs.io/en/latest/artifacts/how-to.html

    Parameters
    ----------
    path
        A folder with files ``*.run`` and ``*.run.gz``, each a run with the name of its file. If it
        has a file ``groups.csv`` (columns run and group), these are the groups of the runs.

    Attributes
    ----------
    runset : RunSet
        The runs. Files are read when they are needed, so the folder must stay as it is.

    Raises
    ------
    ValueError
        When the folder has no run files, two of one name, one that is a pipe, a device or a link
        out of the folder, or a run has no group.
    FileNotFoundError, NotADirectoryError
        When there is no such folder.

    See Also
    --------
    irx_measures.RunSet : The runs, without PyTerrier.
    """

    ARTIFACT_TYPE = "run_set"
    ARTIFACT_FORMAT = "irx"
    ARTIFACT_PACKAGE_HINT = "irx-measures"

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        folder = Path(path)
        files = [file for file in files_of_folder(folder) if file.name.endswith(ENDINGS)]
        groups = folder / GROUPS
        has_groups = groups.exists() or groups.is_symlink()
        for file in files:
            _check(file, folder)
        if has_groups:
            _check(groups, folder)
        if not files:
            raise InputError(f"{folder}: no run files: none ends in {' or '.join(ENDINGS)}")
        given_groups = groups if has_groups else None
        self.runset = RunSet(files, groups=given_groups)


def _check(file: Path, folder: Path) -> None:
    """InputError if a file of an artifact is no file, or a link to one outside of the artifact."""
    check_regular(file)
    if not file.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{file}: a link to a file outside of the artifact")
