"""What a guest in somebody's process owes: locks, signals, forks, threads and memory."""
import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from scipy import sparse

import copse


def big(seed=0, n=2_000_000, m=4_000_000):
    return np.random.default_rng(seed).integers(0, n, (m, 2), dtype=np.int32)


def test_other_threads_run_during_a_solve():
    edges, counts, done = big(), [], threading.Event()

    def count():
        n = 0
        while not done.is_set():
            n += 1
            time.sleep(0.001)
        counts.append(n)

    other = threading.Thread(target=count)
    other.start()
    start = time.perf_counter()
    copse.components(edges, vertices=2_000_000, threads=1)
    seconds = time.perf_counter() - start
    done.set()
    other.join()
    assert counts[0] > 0.02 * seconds / 0.001  # with the lock held it would be one or two


def test_a_callers_arrays_are_read_alone():
    edges = np.array([[0, 1], [2, 3]])
    matrix = sparse.csr_array((np.ones(2), np.array([[0, 3], [1, 1]])), shape=(4, 4))
    for array in (edges, matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    copse.components(edges)
    copse.components(edges, vertices=4)
    copse.connected_components(matrix)
    copse.spanning_forest(edges, 4)
    copse.rank_list(np.broadcast_to(np.array([0]), (1,)))
    live = copse.Incremental()
    live.insert(edges)
    assert edges.tolist() == [[0, 1], [2, 3]]


def test_a_matrix_is_not_copied():
    """Peak memory of a solve in place: labels, bits, and little else."""
    script = """
        import resource, numpy as np, copse
        from scipy import sparse
        n, m = 4_000_000, 16_000_000
        rng = np.random.default_rng(0)
        offsets = np.linspace(0, m, n + 1).astype(np.int32)
        matrix = sparse.csr_array((np.ones(m, np.int8), rng.integers(0, n, m, dtype=np.int32), offsets), shape=(n, n))
        copse.connected_components(sparse.eye_array(10, format="csr"))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        copse.connected_components(matrix, threads=1)
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / n)
    """
    per_vertex = float(run(script))
    assert per_vertex < 9 + 16 * 2**20 / 4_000_000


def run(script, **keywords):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], check=True, capture_output=True, text=True, timeout=120, **keywords
    ).stdout


def test_ctrl_c_stops_a_solve():
    edges = big(1, 3_000_000, 12_000_000)
    copse.components(edges[:10], vertices=3_000_000)
    start = time.perf_counter()
    copse.components(edges, vertices=3_000_000, threads=1)
    whole = time.perf_counter() - start
    threading.Timer(whole / 10, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        copse.components(edges, vertices=3_000_000, threads=1)
        time.sleep(2 * whole)
        pytest.fail("no signal came")
    assert time.perf_counter() - start < whole * 0.8 + 0.3
    assert copse.components(edges[:10]).count > 0  # and all goes on


def test_progress_is_told_on_the_thread_that_called():
    told = []
    copse.components(big(), vertices=2_000_000, threads=2, progress=lambda *p: told.append((threading.get_ident(), *p)))
    assert told and {t[0] for t in told} == {threading.get_ident()}
    assert all(isinstance(stage, str) and 0 < done for _, stage, done, total, unit in told)


def test_an_exception_of_the_callback_stops_the_solve():
    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        copse.components(big(), vertices=2_000_000, progress=stop)


def test_a_bar_is_drawn(capsys):
    pytest.importorskip("tqdm")
    copse.components(big(), vertices=2_000_000, progress=True)
    assert "solve" in capsys.readouterr().err


def solve_in_child(seed):
    edges = big(seed, 50_000, 60_000)
    return copse.components(edges, vertices=50_000, threads=4).checksum()


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_processes(method):
    here = [solve_in_child(seed) for seed in range(4)]  # the pool of threads exists before the fork
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(solve_in_child, range(4)).get(timeout=100) == here


def test_threads_solve_at_once():
    expected = [solve_in_child(seed) for seed in range(6)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert list(pool.map(solve_in_child, range(6))) == expected


def test_threads_share_an_incremental():
    edges = big(3, 20_000, 30_000)
    live = copse.Incremental(20_000)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(live.insert, np.array_split(edges, 40)))
        merged = list(pool.map(live.merge, [copse.Incremental(5), live, copse.Incremental(7)]))
    assert len(merged) == 3
    assert live.components().checksum() == copse.components(edges, vertices=20_000).checksum()


def test_results_outlive_what_they_came_from():
    labels = copse.components(big(4, 1000, 1000), vertices=1000).labels
    targets = copse.generate("rmat:scale=8,edges=4").targets
    parents = copse.euler_tour(copse.spanning_forest(np.array([[0, 1]]), 2)).parents
    edges = copse.spanning_forest(np.array([[0, 1]]), 2).edges
    assert labels.size == 1000 and targets.max() < 256 and parents.tolist() == [0, 0] and sorted(edges[0].tolist()) == [0, 1]


def test_the_import_changes_nothing_in_the_interpreter():
    out = run(
        """
        import signal, sys, threading
        before = signal.getsignal(signal.SIGINT), threading.active_count(), sys.getswitchinterval()
        import copse
        assert before == (signal.getsignal(signal.SIGINT), threading.active_count(), sys.getswitchinterval())
        heavy = {"scipy", "pandas", "pyarrow", "polars", "matplotlib", "altair", "networkx", "torch", "tqdm", "html", "importlib.metadata"} & set(sys.modules)
        print(heavy)
        """
    )
    assert out == "set()\n"


def test_errors_are_of_pythons_kinds():
    assert issubclass(copse.UsageError, (copse.Error, ValueError)) and issubclass(copse.UsageError, ValueError)
    assert issubclass(copse.InputError, ValueError) and issubclass(copse.FileError, OSError)
    assert issubclass(copse.ResourceError, MemoryError)
    assert all(issubclass(e, copse.Error) for e in (copse.UsageError, copse.InputError, copse.FileError, copse.ResourceError))


def test_the_build_tells_what_it_has():
    info = copse.build_info()
    assert info["version"] == copse.__version__ and isinstance(info["cuda"], bool) and isinstance(info["zlib"], bool)
    assert info["cuda"] or copse.gpus() == []
