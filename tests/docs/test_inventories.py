"""The inventories of other projects' names are what Sphinx reads."""

from io import BytesIO

from sphinx.util.inventory import InventoryFile

from docs.inventories import FOLDER, mapping, projects, write_inventories


def test_sphinx_reads_every_row(tmp_path):
    write_inventories(tmp_path)
    for project in projects():
        content = tmp_path.joinpath(FOLDER, f"{project.name}.inv").read_bytes()
        found = InventoryFile.load(BytesIO(content), project.site, lambda *parts: "".join(parts))
        names = {name for role in found for name in found[role]}
        assert len(names) == len(project.rows) > 0


def test_the_projects_that_readers_know_are_linked():
    assert {"ir_measures", "numpy", "pandas", "pyterrier", "python"} <= mapping().keys()
    site, (remote, local) = mapping()["pandas"]
    assert site.startswith("https://pandas.pydata.org/")
    assert remote is None  # the inventory of the site itself comes first
    assert local == f"{FOLDER}/pandas.inv"
