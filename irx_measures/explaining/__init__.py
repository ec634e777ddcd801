"""Why a run has its score on a query: documents, factors and terms."""
