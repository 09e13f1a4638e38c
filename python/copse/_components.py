"""components(): one call for matrices, arrays, files and tables."""
import os

from copse import _arrays, _device, _tables
from copse._cluster import cluster_components
from copse._graph import Graph, graph_of, readable, reading
from copse._load import core
from copse._options import flag, gpu_of, options, threads_of
from copse._result import Components


def components(
    edges, vertices=None, *, columns=None, variant="auto", device=None, threads=None, memory=None, seed=1, progress=None, trusted=False,
):
    """Connected components of whatever holds edges; the direction of an edge does not matter.

    edges: a SciPy sparse matrix (N, N) or a Graph, used in place; an integer array (m, 2); a tuple of two integer arrays; a table or the
    path of a Parquet or Arrow file, as `cluster` takes them; or the path of any file of edges that copse knows. columns: names of the two
    columns of ids of a table that has more, or their 1-based numbers or names in an edge list. vertices: there are so many, named 0 .. vertices - 1, isolated ones included; without it the vertices of edges are the
    ids that occur, dense or sparse.

    variant: a name of `variants()`, 'auto' by default; lists of edges need `vertices` for others. device: 'cpu', 'cuda' or 'cuda:i', where a
    graph in host memory is solved. threads: all cores by default. memory: a limit in bytes ('4GiB') beside the input. progress: True for
    tqdm, or a function of (stage, done, total, unit).

    Arrays on a GPU, of CuPy, PyTorch, JAX or Numba, and their sparse CSR matrices are solved where they are, on their library's stream; the
    answer has `labels` there. 64-bit ids are copied to 32 bits there first, and `narrowed` counts them. trusted: such a graph is not checked,
    and nothing waits for the GPU.

    Returns Components. O(n + m) time, near enough. Memory: 4 bytes per vertex and little beside where ids are dense, 20 to 28 per vertex
    where they are sparse; edges are not copied. Raises UsageError and InputError (ValueErrors), OSError, ResourceError (a MemoryError).
    """
    if _device.is_on_device(edges):
        return _device.components(edges, vertices, variant, seed, trusted)
    how = options(variant, device, threads, memory, seed, progress)
    flag(trusted, "trusted")
    is_path = isinstance(edges, (str, bytes, os.PathLike))
    if _tables.is_table_file(edges) if is_path else not _arrays.is_sparse(edges) and _tables.is_table(edges):
        if vertices is not None or variant != "auto" or gpu_of(device) is not None:
            raise core.UsageError("components: found vertices=, variant= or device= for a table, expected arrays; cluster() takes a table of vertices")
        left, right = (None, None) if columns is None else _tables.two_columns(columns)
        return cluster_components(edges, left, right, threads=threads, memory=memory, progress=progress)
    if is_path:
        return _of_path(edges, vertices, columns, how)
    if columns is not None:
        raise core.UsageError("components: found columns= for an array or matrix, expected a table or a file")
    if vertices is not None or isinstance(edges, Graph) or _arrays.is_sparse(edges):
        graph = graph_of(edges, vertices)
        return Components(core.components(graph, how), lambda answer: core.verify(graph, answer._held))
    if variant != "auto" or gpu_of(device) is not None:
        raise core.UsageError("components: found a variant or device for edges alone, expected vertices=, too: other edges are united as they come")
    return _of_array(edges, how)


def _of_array(edges, how):
    sink = core.Sink(None, how)
    if _arrays.is_column_pair(edges):
        edges = _arrays.columns(*edges)
        sink.add_columns(*edges)
    else:
        edges = _arrays.pairs(edges)
        sink.add_pairs(edges)
    return Components(sink.finish(), lambda answer: answer._verify_by_ids(edges))


def _of_path(path, vertices, columns, how):
    path = readable(path)
    how_read = reading(columns, None, vertices)
    return Components(core.components_of_path(path, how_read, how), lambda answer: core.verify_path(path, how_read, answer._held))


def verify(edges, labels, vertices=None):
    """Proves canonical labels (an integer array of one label per vertex, each the smallest vertex of its component) of a graph.

    edges: what Graph.of takes. Returns a Verdict. Plain serial code: O((n + m) alpha).
    """
    labels = labels._held if isinstance(labels, Components) else core.Labels.of(_arrays.integers(labels, "labels"))
    return core.verify(graph_of(edges, labels.slots if vertices is None else vertices), labels)


def checksum(labels, threads=None):
    """The 64-bit number that Components.checksum gives, of canonical labels of vertices 0 .. n - 1 in an integer array."""
    if isinstance(labels, Components):
        return labels.checksum(threads)
    return core.Labels.of(_arrays.integers(labels, "labels")).checksum(threads_of(threads))


def variants(problem="components"):
    """The names that `variant` takes, for 'components', 'forest', 'weighted' or 'incremental'; 'auto' chooses one of them."""
    lists = {
        "components": core.component_variants, "forest": core.forest_variants, "weighted": core.weighted_variants,
        "incremental": core.incremental_variants,
    }
    if not isinstance(problem, str) or problem not in lists:
        raise core.UsageError(f"problem: found {problem!r}, expected one of {', '.join(lists)}")
    return list(dict.fromkeys(lists[problem]()))
