"""Why scores may not answer the user's question: facts about runs and qrels, and their warnings."""
