"""connected_components against SciPy's: 2,000 random and degenerate matrices, of all formats, types and widths."""
import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components as scipys

import copse

FORMATS = ["csr", "csc", "coo", "lil", "dok", "dia", "bsr", "dense", "masked"]
VALUES = [np.float64, np.float32, np.int64, np.int8, np.uint16, bool]


def random_matrix(rng):
    """A matrix of any kind that both take, and what it is in words."""
    n = int(rng.choice([0, 1, 2, 3, 10, 50, 300], p=[0.02, 0.04, 0.08, 0.16, 0.3, 0.3, 0.1]))
    m = int(rng.integers(0, 3 * n + 1)) if n else 0
    rows, columns = rng.integers(0, max(n, 1), (2, m))
    values = rng.integers(0, 3, m).astype(rng.choice(VALUES))  # a third of them explicit zeros
    kind = str(rng.choice(FORMATS))
    matrix = sparse.coo_array((values, (rows, columns)), shape=(n, n))  # duplicates included
    if kind == "dense" or kind == "masked":
        dense = matrix.toarray().astype(np.float64)
        dense[rng.random((n, n)) < 0.02] = np.nan
        dense[rng.random((n, n)) < 0.02] = np.inf
        if kind == "masked":
            dense = np.ma.masked_array(dense, mask=rng.random((n, n)) < 0.1)
        return np.asfortranarray(dense) if kind == "dense" and rng.random() < 0.5 else dense, kind
    if kind == "dok":
        matrix.sum_duplicates()
    if kind == "csr":  # rows in no order, with duplicates
        order = np.lexsort((rng.random(m), rows))
        offsets = np.searchsorted(rows[order], np.arange(n + 1))
        matrix = sparse.csr_array((values[order], columns[order], offsets), shape=(n, n))
    elif kind != "coo":
        matrix = matrix.asformat(kind)
    if kind in ("csr", "csc"):
        index = rng.choice([np.int32, np.int64])
        matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    if rng.random() < 0.3 and kind in ("csr", "csc", "coo"):
        matrix = getattr(sparse, kind + "_matrix")(matrix)  # the older class
    return matrix, kind


@pytest.mark.parametrize("seed", range(20))
def test_the_answers_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    for number in range(100):
        matrix, kind = random_matrix(rng)
        directed = bool(rng.random() < 0.5)
        connection = "weak" if directed else str(rng.choice(["weak", "strong"]))
        count, labels = scipys(matrix, directed=directed, connection=connection)
        ours, numbers = copse.connected_components(matrix, directed=directed, connection=connection, threads=1 + number % 3)
        what = f"seed {seed}, matrix {number}: {kind} {matrix.shape}"
        assert (type(ours), ours) == (int, count), what
        assert numbers.dtype == labels.dtype, what
        assert np.array_equal(numbers, labels), what
        assert copse.connected_components(matrix, directed=directed, connection=connection, return_labels=False) == count, what


def test_explicit_zeros_are_edges():
    matrix = sparse.csr_array((np.zeros(1), ([0], [2])), shape=(3, 3))
    assert copse.connected_components(matrix)[1].tolist() == scipys(matrix)[1].tolist() == [0, 1, 0]


def test_of_a_masked_matrix_all_that_is_not_masked_are_edges():
    matrix = np.ma.masked_array([[0, 0.0, 1], [0, 0, 0], [0, 0, 0]], mask=[[1, 0, 1], [1, 1, 1], [1, 1, 1]])
    assert copse.connected_components(matrix)[1].tolist() == scipys(matrix)[1].tolist() == [0, 0, 1]


def test_zero_nan_and_infinity_of_a_dense_matrix_are_no_edges():
    matrix = np.array([[0, np.nan, np.inf], [0, 0, 0], [0, -1, 0.0]])
    assert copse.connected_components(matrix)[1].tolist() == scipys(matrix)[1].tolist() == [0, 1, 1]


def test_strong_components_are_refused():
    with pytest.raises(ValueError, match="weak components only"):
        copse.connected_components(sparse.eye_array(3, format="csr"), connection="strong")
    with pytest.raises(ValueError, match="connection must be 'weak' or 'strong', not"):
        copse.connected_components(sparse.eye_array(3, format="csr"), connection="string")


@pytest.mark.parametrize("matrix", [np.zeros((2, 3)), np.zeros(3), sparse.csr_array((2, 3)), sparse.coo_array((2, 3))])
def test_what_is_not_square_is_refused(matrix):
    with pytest.raises(ValueError, match=r"graph must be a matrix of shape \(N, N\), not \("):
        copse.connected_components(matrix)


def test_wrong_indices_are_refused_and_not_followed():
    matrix = sparse.csr_array((np.ones(2), np.array([1, 0]), np.array([0, 1, 2])), shape=(2, 2))
    matrix.indices[0] = 7
    with pytest.raises(copse.UsageError, match=r"targets\[0\] = 7, expected a vertex below 2"):
        copse.connected_components(matrix)
    matrix.indices[0] = 1
    matrix.indptr[1] = 5
    with pytest.raises(copse.UsageError, match="5"):
        copse.connected_components(matrix)


def test_a_matrix_with_room_behind_its_entries_is_read_to_its_end():
    matrix = sparse.csr_array((np.ones(4), np.array([1, 0, 9, 9]), np.array([0, 1, 2])), shape=(2, 2))
    assert copse.connected_components(matrix)[0] == 1


@pytest.mark.parametrize("variant", ["serial.none.rem", "threads.kout.rem_cas.naive.split_one", "serial.hb.fast", "threads.bfs.async.naive"])
def test_a_variant_gives_the_same(variant):
    if variant not in copse.variants():
        pytest.fail(f"{variant} is no variant")
    matrix = sparse.random_array((500, 500), density=0.003, format="csr", rng=np.random.default_rng(3))
    assert np.array_equal(copse.connected_components(matrix, variant=variant)[1], scipys(matrix)[1])
