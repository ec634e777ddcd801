"""Equations as MathML, which browsers draw by themselves: the site needs no network for them."""

from __future__ import annotations

from typing import Any

from docutils.nodes import SkipNode, math, math_block
from docutils.utils.math.latex2mathml import tex2mathml


def setup(app: Any) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(translator: Any, node: math) -> None:
    translator.body.append(tex2mathml(node.astext()))
    raise SkipNode


def _block(translator: Any, node: math_block) -> None:
    translator.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise SkipNode
