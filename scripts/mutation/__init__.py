"""How many changes of the package its tests notice: see ``__main__``."""
