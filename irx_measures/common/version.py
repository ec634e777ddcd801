"""The version of the package, where every module may import it; pyproject.toml reads it, too."""

VERSION = "0.1.0"
