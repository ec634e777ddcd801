"""A small corpus at the places where ir_datasets keeps Vaswani."""

import random

TOPICS = 12

DOCS_PER_TOPIC = 15


def small_documents(seed=1):
    """Documents about one topic each: id -> text, and the topic of each document."""
    chosen = random.Random(seed)
    docs, topic_of = {}, {}
    for number in range(TOPICS * DOCS_PER_TOPIC):
        topic = number % TOPICS
        about = [f"subject{topic}{letter}{ending}" for letter in "abc" for ending in ("", "s")]
        common = [f"word{chosen.randrange(400)}" for _ in range(12)]
        text = [*chosen.choices(about, k=chosen.randrange(1, 5)), *common]
        chosen.shuffle(text)
        doc_id = str(number + 1)
        docs[doc_id], topic_of[doc_id] = " ".join(text), topic
    return docs, topic_of


def write_small_corpus(home):
    """Write documents, topics and qrels as ir_datasets extracts those of Vaswani."""
    docs, topic_of = small_documents()
    queries = {str(topic + 1): f"subject{topic}a Subject{topic}b" for topic in range(TOPICS)}
    relevant = {
        query: [doc_id for doc_id, topic in topic_of.items() if str(topic + 1) == query]
        for query in queries
    }
    folder = home / "vaswani"
    folder.mkdir(parents=True)
    end = "   /\n"
    (folder / "docs.txt").write_text("".join(f"{n}\n{text}\n{end}" for n, text in docs.items()))
    (folder / "queries.txt").write_text("".join(f"{n}\n{q}\n/\n" for n, q in queries.items()))
    lists = {query: " ".join(doc_ids) for query, doc_ids in relevant.items()}
    (folder / "qrels.txt").write_text("".join(f"{n}\n {ids}\n{end}" for n, ids in lists.items()))
