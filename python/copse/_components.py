"""components(): one call for matrices, arrays, files and tables."""
import os

import numpy as np

from copse import _arrays, _device, _reading, _tables
from copse._graph import Graph, graph_of
from copse._ids import INTEGERS, IdType
from copse._inputs import reading_of
from copse._load import core
from copse._options import expect, expect_score_with_threshold, flag, options, threads_of
from copse._result import Components, graph_of_named


def components(
    edges, vertices=None, *, columns=None, score=None, threshold=None, nulls="error", variant="auto", device=None, threads=None, memory=None,
    gpu_memory=None, seed=1, progress=None, trusted=False, **reading,
):
    """Finds the connected components of a graph in any form; the direction of an edge does not matter.

    edges: a SciPy sparse matrix (N, N) or a Graph, used in place; an integer array (m, 2); a tuple of two integer arrays; a table or the
    path of a Parquet or Arrow file, as `cluster` takes them; or the path of any file of edges that copse can read. columns: the names of the
    two columns of ids, for a table that has more; of an edge list their 1-based numbers or names, or a tuple of these for an id that spans
    several columns. reading: format=, ids=, header=, delimiter=, na=, comment=, id_delimiter=, prefix_left= and prefix_right= for a text
    file, as in `read_graph`. score, threshold, nulls: for a table or a file, as in `cluster`. vertices: the number of vertices, which are
    named 0 .. vertices - 1 and include isolated ones; without it the vertices are the ids that occur in the edges, dense or sparse.

    variant: a name of `variants()`, 'auto' by default; lists of edges need `vertices` for others. device: where a graph in host memory, a
    file or a table is solved: 'cpu', 'cuda' or 'cuda:1', 'cuda:0,1' or 'cuda:all' (each GPU takes a part of the edges), 'hybrid' (the CPU
    and a GPU together), or 'auto': the CPU or a GPU, whichever is expected to be done first, which the report explains. Of tables, and of
    arrays without `vertices`, GPUs take integers below 2^32 - 1, and 'auto' is the CPU. threads: all cores by default. memory: a limit in
    bytes ('4GiB'), not counting the input; gpu_memory: one for the memory of each GPU, through which edges that do not fit are streamed in
    pieces. progress: True for tqdm, or a function of (stage, done, total, unit).

    Arrays on a GPU, of CuPy, PyTorch, JAX or Numba, and their sparse CSR matrices are solved in place, on their library's stream; the
    `labels` of the answer are on the GPU, too. 64-bit ids are first copied to 32 bits, and `narrowed` counts them. trusted: the graph on the
    GPU is not checked, and the call returns without waiting for the GPU.

    Returns Components. Close to O(n + m) time. Memory: little more than 4 bytes per vertex if ids are dense, and 20 to 28 bytes per vertex if
    they are sparse; edges are not copied. Raises UsageError and InputError (ValueErrors), OSError, ResourceError (a MemoryError).

    >>> import copse
    >>> found = copse.components([(0, 1), (1, 2), (5, 6)])
    >>> found.count, found.ids.tolist(), found.labels.tolist()
    (2, [0, 1, 2, 5, 6], [0, 0, 0, 5, 5])
    >>> int(found[6]), found.members(1).tolist()
    (5, [0, 1, 2])
    """
    if _device.is_on_device(edges):
        return _device.components(edges, vertices, variant, seed, trusted)
    how = options(variant, device, threads, memory, seed, progress, gpu_memory)
    flag(trusted, "trusted")
    expect(nulls, ("error", "drop"), "nulls")
    expect_score_with_threshold(score, threshold)
    _reading.expect_known("components", reading)
    is_path = isinstance(edges, (str, bytes, os.PathLike))
    if _tables.is_table_file(edges) if is_path else not _arrays.is_sparse(edges) and _tables.is_table(edges):
        if vertices is not None or variant != "auto":
            raise core.UsageError("vertices= and variant= do not apply to a table; leave them out, or call cluster(), which takes a table of vertices")
        _reading.expect_none("components", reading, "a table")
        return _of_table(edges, columns, score, threshold, nulls, how, threads)
    if is_path:
        return _of_path(edges, reading_of("components", edges, score, vertices, columns, nulls, reading, threshold), reading, how)
    _reading.expect_none("components", reading, "arrays")
    for name, value in (("columns", columns), ("score", score)):
        if value is not None:
            raise core.UsageError(f"{name}= applies only to a table or a file, not to an array or a matrix")
    if vertices is not None or isinstance(edges, Graph) or _arrays.is_sparse(edges):
        graph = graph_of(edges, vertices)
        return Components(core.components(graph, how), ("graph", graph), edges._ids if isinstance(edges, Graph) else INTEGERS)
    if variant != "auto":
        raise core.UsageError("variant= needs vertices=, too, for an array of edges, whose edges are otherwise united as they are read")
    return _of_array(edges, how)


def _of_array(edges, how):
    sink = core.Sink(None, how)
    if _arrays.is_column_pair(edges):
        edges = _arrays.columns(*edges)
        sink.add_columns(*edges)
    else:
        edges = _arrays.pairs(edges)
        sink.add_pairs(edges)
    return Components(sink.finish(), ("ends", edges))


def _of_table(table, columns, score, threshold, nulls, how, threads):
    columns = None if columns is None else _tables.two_columns(columns)
    sink = core.Sink(None, how)
    source = _tables.Source(table, None if columns is None else [*columns, *([] if score is None else [score])], threads, True)
    left, right = source.id_columns(columns, score)
    left_out, ids = source.feed(sink, left, right, score, threshold, nulls == "drop")
    return Components(sink.finish(), None, ids, left_out)


def _of_path(path, how_read, reading, how):
    path = _reading.readable(path)
    found = core.components_of_path(path, core.read_options(*how_read), how)
    return Components(found, ("path", path, *how_read), IdType(_reading.ids_kind(reading)))


def plan(path, *, columns=None, threads=None, memory=None, gpu_memory=None, progress=None, **reading):
    """Estimates in a second or two what it takes to find the components of a file, as the command `copse plan` does.

    Returns a dict of `vertices` (an upper bound) and `edges`, `sizes` (how these were determined), the choice of device='auto' (`auto`,
    `auto_device`, `auto_reason`) and all `ways`: dicts of `way`, `device`, `bytes`, `seconds` (None without that device), `fits` and
    `remark`. columns, threads, memory, gpu_memory, progress and reading: as in `components`. Raises UsageError, InputError, OSError,
    ResourceError.

    >>> import copse, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = path.write_text("1,2\\n2,3\\n")
    >>> copse.plan(path)["edges"]
    2
    """
    _reading.expect_known("plan", reading)
    path = _reading.readable(path)
    how_read = _reading.reading("plan", columns, None, None, reading)
    return core.plan_of_path(path, core.read_options(*how_read), options(threads=threads, memory=memory, gpu_memory=gpu_memory, progress=progress))


def verify(edges, labels, vertices=None, *, columns=None, score=None, threshold=None, nulls="error", **reading):
    """Proves that labels are canonical: one per vertex in ascending order of ids, each the smallest id of its component.

    edges, columns, score, threshold, nulls, reading: as in `components`, except for arrays on a GPU. vertices: the number of vertices, for
    arrays; by default the number of labels. labels: an array of ids, as `components` gives them; or Components. Returns a Verdict. Plain
    serial code: O((n + m) alpha). Tables and files are held in memory while they are verified.

    >>> import copse
    >>> bool(copse.verify([(0, 1), (2, 3)], [0, 0, 2, 2])), bool(copse.verify([(0, 1), (2, 3)], [0, 0, 0, 0]))
    (True, False)
    >>> pairs = {"l": ["a", "c"], "r": ["b", "d"]}
    >>> bool(copse.verify(pairs, copse.components(pairs)))
    True
    """
    if isinstance(labels, Components):
        return labels.verify(edges, columns=columns, score=score, threshold=threshold, nulls=nulls, **reading)
    graph = graph_of_named(edges, columns, score, threshold, nulls, reading)
    edges = edges if graph is None else graph
    if not isinstance(edges, Graph):
        labels = core.Labels.of(_arrays.integers(labels, "labels"))
        return core.verify(graph_of(edges, labels.slots if vertices is None else vertices), labels)
    names = edges._named()
    if names.held is not None:
        try:
            labels = names.positions(labels, "labels")
        except core.UsageError as error:
            raise core.InputError(str(error)) from None
        if labels.ndim == 1 and labels.size < edges.vertices:  # the number is what is wrong, whatever the labels are
            labels = np.arange(labels.size)
    return core.verify(edges._core, core.Labels.of(_arrays.integers(labels, "labels"), edges._core))


def checksum(labels, threads=None):
    """Returns the 64-bit number that Components.checksum gives, for canonical labels of the vertices 0 .. n - 1 in an integer array.

    >>> import copse
    >>> copse.checksum([0, 0, 2]) == copse.components([(1, 0)], vertices=3).checksum()
    True
    """
    if isinstance(labels, Components):
        return labels.checksum(threads)
    labels = _arrays.integers(labels, "labels")
    if labels.ndim == 1 and (larger := labels > np.arange(labels.size)).any():
        vertex = int(np.argmax(larger))
        raise core.InputError(
            f"labels[{vertex}]: found {labels[vertex]}, expected the smallest vertex of its component, at most {vertex}; for other ids call "
            "Components.checksum()"
        )
    return core.Labels.of(labels).checksum(threads_of(threads))


def variants(problem="components"):
    """Returns the names that `variant` takes for 'components', 'forest', 'weighted' or 'incremental'; 'auto' chooses one of them.

    >>> import copse
    >>> "serial.kruskal" in copse.variants("weighted")
    True
    """
    lists = {
        "components": core.component_variants, "forest": core.forest_variants, "weighted": core.weighted_variants,
        "incremental": core.incremental_variants,
    }
    expect(problem, lists, "problem")
    return list(dict.fromkeys(lists[problem]()))
