"""One contender in a process of its own; its CPU seconds, peak memory and score as JSON.

``python -I -S benchmarks/alone.py PROGRAM ARGUMENT ...`` runs a program. This process imports
little, because the memory of the process that starts a program counts towards the program's peak.
``python -m benchmarks.alone TASK ARGUMENT ...`` runs a function of `TASKS` in this process. Its
time and memory are those in excess of the imports and of a first call on tiny input.
"""

import json
import os
import resource
import subprocess
import sys
import time

CORE = "irx_measures.io._native"
SWITCH = "IRX_NATIVE"  # 0 in the environment of a process that does without the core


def program(command):
    """Run a program, and report what the system counted for it."""
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "seconds": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss * unit / 1e6,
        "printed": done.stdout.decode(),
    }


def evaluate(qrels, run, layout, measure):
    """`irx_measures.evaluate` of one file; its mean score."""
    import irx_measures

    runs = irx_measures.RunSet([run], format=layout)
    return float(irx_measures.evaluate(qrels, runs, measure, progress=False).means().iloc[0, 0])


def calc_aggregate(qrels, run, layout, measure):
    """ir_measures with its own readers, which know only TREC's layout."""
    import ir_measures

    parsed = ir_measures.parse_measure(measure)
    judged, found = ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
    return ir_measures.calc_aggregate([parsed], judged, found)[parsed]


TASKS = {task.__name__: task for task in (evaluate, calc_aggregate)}


def in_process(task, measure, layout, tiny, files):
    """Run a task on tiny files, so that all is imported; then measure it on the files asked for."""
    import warnings

    if os.environ.get(SWITCH) == "0":
        sys.modules[CORE] = None
    warnings.simplefilter("ignore")
    TASKS[task](*tiny, layout, measure)
    before, start = _memory("VmRSS"), time.process_time()
    score = TASKS[task](*files, layout, measure)
    seconds = time.process_time() - start
    return {"seconds": seconds, "memory": _memory("VmHWM") - before, "score": score}


def _memory(name):
    """Memory of this process in MB: VmRSS is today's, VmHWM its peak. Only Linux tells them."""
    with open("/proc/self/status", encoding="ascii") as status:
        (line,) = (line for line in status if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024 / 1e6


if __name__ == "__main__":
    if __package__:
        found = in_process(*sys.argv[1:4], sys.argv[4:6], sys.argv[6:8])
    else:
        found = program(sys.argv[1:])
    print(json.dumps(found))
