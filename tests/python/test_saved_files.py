"""Files that copse saved, of all kinds, at what Python reads them with: opened where the ids are its own, and otherwise refused."""
from pathlib import Path

import copse
import numpy as np
import pytest

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
ALL_ONES = CORPUS / "cases" / "checkpoint-all-ones" / "input.ck"

KINDS = {
    "dense.forest": None,
    "int.ck": None,
    "sparse.forest": "vertices with names of their own",
    "string.forest": "vertices with names of their own",
    "weighted.forest": "a forest with weights",
    "sparse.ck": None,
    "string.ck": None,
}


@pytest.mark.parametrize("record_forest", [False, True])
@pytest.mark.parametrize(("name", "refused"), KINDS.items())
def test_incremental_opens_what_it_understands(name, refused, record_forest):
    path = CORPUS / "saved" / name
    if record_forest:
        with pytest.raises(copse.Error):
            copse.Incremental.open(path, record_forest=True)
        return
    if refused is None:
        live = copse.Incremental.open(path)
        assert (live.vertices, live.count) == (3, 2)
        found = live.components()
        first, second, third = found.ids.tolist()
        asked = [(first, second), (second, third), (third, first)]
        label = dict(zip(found.ids.tolist(), found.labels.tolist()))
        answers = live.connected(asked).tolist()
        assert answers == [label[u] == label[v] for u, v in asked] and sum(answers) == 1
        return
    with pytest.raises(copse.InputError) as caught:
        copse.Incremental.open(path)
    assert str(caught.value) == f"{path}: found {refused}, expected a structure whose ids are its slots, or a checkpoint of a stream"


def test_the_largest_id_is_an_id():
    live = copse.Incremental.open(ALL_ONES)
    assert 2**64 - 1 in live and live.vertices == len(live.components())


def test_saved_files_are_no_graphs():
    for name in KINDS:
        with pytest.raises(copse.Error):
            copse.components(CORPUS / "saved" / name)


@pytest.mark.parametrize("suffix", ["live.bin", "live.gz", "live.zst"])
def test_what_was_saved_comes_back_packed_or_not(tmp_path, suffix):
    live = copse.Incremental(record_forest=True)
    live.insert(np.array([[1, 2], [5, 5]]))
    live.save(tmp_path / suffix)
    assert (tmp_path / suffix).read_bytes().startswith(b"copse-cc") == suffix.endswith(".bin")
    for record_forest in (False, True):
        assert copse.Incremental.open(tmp_path / suffix, record_forest=record_forest).count == 2


def test_memory_holds_while_a_saved_file_is_unpacked(tmp_path):
    import gzip

    with gzip.open(tmp_path / "bomb.gz", "wb") as file:
        for _ in range(256):
            file.write(bytes(1 << 20))
    with pytest.raises(copse.ResourceError, match="bomb.gz: reading: memory limit"):
        copse.Incremental.open(tmp_path / "bomb.gz", memory=50 << 20)
