"""How users name measures: strings, names of other tools, short labels, and what to cite."""
