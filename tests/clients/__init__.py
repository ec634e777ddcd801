"""Scripts in the style of tools that others evaluate with, and the numbers that these tools print.

The numbers were recorded from the named versions. Where a tool is installed, it is called too; none
of these calls needs a model, Java or a download::

    pip install --no-deps beir pyterrier-rag tevatron
    pip install regex rouge_score pyterrier_alpha
"""
