"""Tables in files: read ahead, or in parts that threads read side by side."""
import threading
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import copse
from copse import _file_parts
from copse._cluster import cluster_components


def written_strings(path, rows=400_000, null_row=None):
    """Pairs of strings with scores in a Parquet file of several batches."""
    rng = np.random.default_rng(5)
    left, right = (pc.binary_join_element_wise("person", pa.array(rng.integers(0, 300_000, rows)).cast(pa.string()), "-") for _ in range(2))
    if null_row is not None:
        right = pa.concat_arrays([right[:null_row], pa.nulls(1, pa.string()), right[null_row + 1 :]])
    table = pa.table({"l": left, "r": right, "p": rng.random(rows)})
    pq.write_table(table, path, row_group_size=150_000)
    return table


def test_files_are_read_ahead_or_by_one_thread_with_the_same_answer(tmp_path):
    table = written_strings(tmp_path / "pairs.parquet")
    answers = [copse.cluster(tmp_path / "pairs.parquet", columns=("l", "r"), score="p", threshold=0.6, threads=threads) for threads in (1, 2, 5)]
    assert all(answer.equals(answers[0]) for answer in answers)
    assert copse.cluster(table, columns=("l", "r"), score="p", threshold=0.6).equals(answers[0])
    ids = answers[0]["id"].to_pylist()
    assert ids == sorted(set(ids)) and answers[0].num_rows > 100_000


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_later_batch_names_its_row_and_leaves_no_thread(tmp_path, threads):
    written_strings(tmp_path / "pairs.parquet", null_row=350_000)
    before = threading.active_count()
    with pytest.raises(copse.InputError, match="null in row 350000"):
        copse.cluster(tmp_path / "pairs.parquet", columns=("l", "r"), score="p", threshold=0.0, threads=threads)
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 2])
def test_a_file_that_is_damaged_in_the_middle_is_told(tmp_path, threads):
    path = tmp_path / "pairs.parquet"
    written_strings(path)
    metadata = pq.ParquetFile(path).metadata
    data = bytearray(path.read_bytes())
    start = metadata.row_group(2).column(1).dictionary_page_offset
    data[start : start + 2000] = bytes(2000)
    path.write_bytes(data)
    with pytest.raises(copse.InputError, match="table: its stream failed: "):
        copse.cluster(path, columns=("l", "r"), threads=threads)


def test_parts_of_a_file_are_read_side_by_side_with_the_same_answer(tmp_path):
    path = tmp_path / "pairs.parquet"
    rng = np.random.default_rng(11)
    ids = rng.integers(0, 60_000, (2, 90_000))
    scores = pa.array(rng.random(90_000))
    layouts = {
        "text": [pc.binary_join_element_wise("person", pa.array(side).cast(pa.string()), "-") for side in ids],
        "long": [pa.array([f"{'a long beginning ' * (v % 3)}{v}" for v in side], pa.large_string()) for side in ids],
        "words": [pa.array([f"w{v % 50}" for v in side]).dictionary_encode() for side in ids],
        "uuids": [pa.array([uuid.UUID(int=int(v) * 7919).bytes for v in side], pa.binary(16)) for side in ids],
        "int32": [pa.array(side, pa.int32()) for side in ids],
        "sparse": [pa.array(side * 10**12) for side in ids],
        "nulls": [pa.array(np.where(side % 97 == 0, None, side).tolist(), pa.uint32()) for side in ids],
    }
    for name, (left, right) in layouts.items():
        table = pa.table({"l": left, "r": right, "p": scores})
        pq.write_table(table, path, row_group_size=1000)
        given = {"score": "p", "threshold": 0.4, "nulls": "drop"}
        answers = {threads: cluster_components(path, ("l", "r"), threads=threads, **given) for threads in (1, 2, 7, 40)}
        whole = cluster_components(table, ("l", "r"), threads=5, **given)
        for threads, answer in answers.items():
            assert answer.checksum() == whole.checksum(), (name, threads)
            assert pa.table(answer).equals(pa.table(whole)), (name, threads)
            counts = [(found.left_out.rows, found.left_out.nulls, found.left_out.below) for found in (answer, answers[1])]
            assert counts[0] == counts[1] and counts[0][0] == 90_000 and answer.report.edges == whole.report.edges
        assert (answers[1].left_out.nulls > 0) == (name == "nulls")


def test_vertices_of_a_file_in_parts(tmp_path):
    pq.write_table(pa.table({"id": [f"v{i}" for i in range(50_000)]}), tmp_path / "ids.parquet", row_group_size=500)
    for threads in (1, 8):
        answer = copse.cluster({"l": ["v3"], "r": ["v49999"]}, vertices=tmp_path / "ids.parquet", threads=threads)
        ids, clusters = (pa.table(answer).column(i).to_pylist() for i in (0, 1))
        assert len(ids) == 50_000 and clusters[ids.index("v49999")] == "v3"


@pytest.mark.parametrize("threads", [1, 3, 12])
def test_of_several_wrong_rows_the_first_is_named(tmp_path, threads):
    path = tmp_path / "pairs.parquet"
    rows = np.arange(300_000)
    no_left, no_right = np.zeros((2, rows.size), bool)
    for wrong in (200_001, 120_000, 7):
        no_left[wrong] = no_right[wrong + 1000] = True
        table = pa.table({"l": pa.array(rows, mask=no_left), "r": pa.array(rows + 1, mask=no_right)})
        pq.write_table(table, path, row_group_size=4000)
        for _ in range(3):
            with pytest.raises(copse.InputError, match=f"column 'l': found a null in row {wrong}, expected a value"):
                copse.components(path, columns=("l", "r"), threads=threads)
        with pytest.raises(copse.InputError, match=f"column 'l': found a null in row {wrong}, expected a value"):
            copse.components(table, threads=threads)


def test_all_parts_end_once_one_was_interrupted():
    def interrupted():
        yield 0
        raise KeyboardInterrupt

    interrupts = []
    first, second = (_file_parts.noted(batches, interrupts) for batches in (interrupted(), iter(range(5))))
    assert (next(first), next(second)) == (0, 0)
    with pytest.raises(KeyboardInterrupt):
        next(first)
    assert list(second) == [] and len(interrupts) == 1


def test_an_interrupt_while_parts_are_read_stays_one(tmp_path, monkeypatch):
    written_strings(tmp_path / "pairs.parquet")

    def interrupted(batches, interrupts):
        try:
            yield next(batches)
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            interrupts.append(interrupt)
            raise

    monkeypatch.setattr("copse._file_parts.noted", interrupted)
    with pytest.raises(KeyboardInterrupt):
        copse.cluster(tmp_path / "pairs.parquet", columns=("l", "r"), threads=4)


def test_an_interrupt_while_a_batch_is_waited_for_stays_one(tmp_path, monkeypatch):
    written_strings(tmp_path / "pairs.parquet", rows=10)

    def interrupted(batches):
        yield next(batches)
        raise KeyboardInterrupt

    monkeypatch.setattr("copse._file_parts.one_ahead", interrupted)
    with pytest.raises(KeyboardInterrupt):
        copse.cluster(tmp_path / "pairs.parquet", columns=("l", "r"), threads=2)


def test_a_file_that_is_no_table_is_refused(tmp_path):
    (tmp_path / "pairs.csv").write_text("l,r\na,b\n")
    with pytest.raises(copse.InputError, match="not an Arrow file .*; the name of a Parquet file .*components"):
        copse.cluster(tmp_path / "pairs.csv", columns=("l", "r"))
    assert copse.components(tmp_path / "pairs.csv", columns=("l", "r")).count == 1
