"""The papers of the measures of ir_measures, by the name of the measure.

The choice of papers is that of ir_measures' documentation. Measures that it names no paper for have
none here, except for ERR, whose paper it names for ERR_IA. Volumes and pages stand only where they
were looked up.
"""

from __future__ import annotations

from .citations import Paper
from .rbp_bound import RBP_PAPER

AP = Paper(
    key="harman1992",
    authors=("Harman, Donna",),
    title="Evaluation Issues in Information Retrieval",
    venue="IP&M",
    year=1992,
    journal="Information Processing & Management",
    volume="28",
)

BPM = Paper(
    key="zhang2017",
    authors=(
        "Zhang, Fan", "Liu, Yiqun", "Li, Xin", "Zhang, Min", "Xu, Yinghui", "Ma, Shaoping",
    ),
    title="Evaluating Web Search with a Bejeweled Player Model",
    venue="SIGIR",
    year=2017,
    pages="425--434",
)  # fmt: skip

BPREF = Paper(
    key="buckley2004",
    authors=("Buckley, Chris", "Voorhees, Ellen M."),
    title="Retrieval Evaluation with Incomplete Information",
    venue="SIGIR",
    year=2004,
    pages="25--32",
    doi="10.1145/1008992.1009000",
)

COMPAT = Paper(
    key="clarke2021",
    authors=("Clarke, Charles L. A.", "Vtyurina, Alexandra", "Smucker, Mark D."),
    title="Assessing Top-k Preferences",
    venue="TOIS",
    year=2021,
    journal="ACM Transactions on Information Systems",
)

ERR = Paper(
    key="chapelle2009",
    authors=(
        "Chapelle, Olivier", "Metzler, Donald", "Zhang, Ya", "Grinspan, Pierre",
    ),
    title="Expected Reciprocal Rank for Graded Relevance",
    venue="CIKM",
    year=2009,
    pages="621--630",
)  # fmt: skip

ALPHA_NDCG = Paper(
    key="clarke2008",
    authors=(
        "Clarke, Charles L. A.", "Kolla, Maheedhar", "Cormack, Gordon V.", "Vechtomova, Olga",
        "Ashkan, Azin", "Büttcher, Stefan", "MacKinnon, Ian",
    ),
    title="Novelty and Diversity in Information Retrieval Evaluation",
    venue="SIGIR",
    year=2008,
    pages="659--666",
)  # fmt: skip

NRBP = Paper(
    key="clarke2009",
    authors=("Clarke, Charles L. A.", "Kolla, Maheedhar", "Vechtomova, Olga"),
    title="An Effectiveness Measure for Ambiguous and Underspecified Queries",
    venue="ICTIR",
    year=2009,
    pages="188--199",
)

INST = Paper(
    key="bailey2015",
    authors=("Bailey, Peter", "Moffat, Alistair", "Scholer, Falk", "Thomas, Paul"),
    title="User Variability and IR System Evaluation",
    venue="SIGIR",
    year=2015,
    doi="10.1145/2766462.2767728",
)

INSQ = Paper(
    key="moffat2012",
    authors=("Moffat, Alistair", "Scholer, Falk", "Thomas, Paul"),
    title="Models and Metrics: IR Evaluation as a User Process",
    venue="ADCS",
    year=2012,
)

NDCG = Paper(
    key="jarvelin2002",
    authors=("Järvelin, Kalervo", "Kekäläinen, Jaana"),
    title="Cumulated Gain-Based Evaluation of IR Techniques",
    venue="TOIS",
    year=2002,
    journal="ACM Transactions on Information Systems",
    volume="20",
    number="4",
    pages="422--446",
)

NERR = Paper(
    key="azzopardi2021",
    authors=("Azzopardi, Leif", "Mackenzie, Joel", "Moffat, Alistair"),
    title="ERR is not C/W/L: Exploring the Relationship Between Expected Reciprocal Rank and "
    "Other Metrics",
    venue="ICTIR",
    year=2021,
)

P = Paper(
    key="vanrijsbergen1979",
    authors=("van Rijsbergen, C. J.",),
    title="Information Retrieval",
    venue="Butterworths",
    year=1979,
    publisher="Butterworths",
)

RR = Paper(
    key="kantor2000",
    authors=("Kantor, Paul B.", "Voorhees, Ellen M."),
    title="The TREC-5 Confusion Track: Comparing Retrieval Methods for Scanned Text",
    venue="Information Retrieval",
    year=2000,
    journal="Information Retrieval",
)

HOST_PAPERS: dict[str, Paper] = {
    "AP": AP,
    "BPM": BPM,
    "Bpref": BPREF,
    "Compat": COMPAT,
    "ERR": ERR,
    "ERR_IA": ERR,
    "nERR_IA": ERR,
    "alpha_DCG": ALPHA_NDCG,
    "alpha_nDCG": ALPHA_NDCG,
    "NRBP": NRBP,
    "nNRBP": NRBP,
    "INST": INST,
    "INSQ": INSQ,
    "nDCG": NDCG,
    "NERR8": NERR,
    "NERR9": NERR,
    "NERR10": NERR,
    "NERR11": NERR,
    "P": P,
    "RBP": RBP_PAPER,
    "RR": RR,
}

IR_MEASURES = Paper(
    key="macavaney2022",
    authors=("MacAvaney, Sean", "Macdonald, Craig", "Ounis, Iadh"),
    title="Streamlining Evaluation with ir-measures",
    venue="ECIR",
    year=2022,
    pages="305--310",
    doi="10.1007/978-3-030-99739-7_38",
)
