"""compare(): scores by the definitions, every kind of source, and what is refused."""
import copy
import itertools
import pickle
import random
import uuid
from fractions import Fraction

import numpy as np
import pytest

import copse


def by_definition(clusters, truth):
    """Pairwise and B-cubed scores by all pairs and records, exactly."""
    pairs = list(itertools.combinations(range(len(clusters)), 2))
    ours = {(i, j) for i, j in pairs if clusters[i] == clusters[j]}
    theirs = {(i, j) for i, j in pairs if truth[i] == truth[j]}

    def ratio(part, whole):
        return float(Fraction(part, whole)) if whole else 1.0

    def group(labels, i):
        return {j for j, label in enumerate(labels) if label == labels[i]}

    shares = [(group(clusters, i), group(truth, i)) for i in range(len(clusters))]
    precision = sum(Fraction(len(c & t), len(c)) for c, t in shares) / len(shares)
    recall = sum(Fraction(len(c & t), len(t)) for c, t in shares) / len(shares)
    return (
        (ratio(len(ours & theirs), len(ours)), ratio(len(ours & theirs), len(theirs)), ratio(2 * len(ours & theirs), len(ours) + len(theirs))),
        (float(precision), float(recall), float(2 * precision * recall / (precision + recall))),
    )


def rand_index(clusters, truth):
    """scikit-learn's formula."""
    tp = fp = fn = tn = 0
    for i, j in itertools.combinations(range(len(clusters)), 2):
        same, right = clusters[i] == clusters[j], truth[i] == truth[j]
        tp, fp, fn, tn = tp + (same and right), fp + (same and not right), fn + (right and not same), tn + (not same and not right)
    return 1.0 if fp == fn == 0 else 2 * (tp * tn - fn * fp) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn))


@pytest.mark.parametrize("threads", [1, 3])
def test_random_labels_are_as_the_definitions_say(threads):
    rng = random.Random(44)
    for _ in range(150):
        count = rng.randint(1, 14)
        clusters, truth = ([rng.randint(0, rng.choice([1, 3, 9])) for _ in range(count)] for _ in range(2))
        found = copse.compare(clusters, np.array(truth), threads=threads)
        pairwise, b_cubed = by_definition(clusters, truth)
        assert found.pairwise == pytest.approx(pairwise, abs=1e-14)
        assert found.b_cubed == pytest.approx(b_cubed, abs=1e-14)
        assert found.adjusted_rand_index == pytest.approx(rand_index(clusters, truth), abs=1e-14)


def test_scikit_learn_says_the_same():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    for _ in range(20):
        clusters, truth = rng.integers(0, 40, (2, 500))
        found = copse.compare(clusters, truth)
        assert found.adjusted_rand_index == pytest.approx(metrics.adjusted_rand_score(truth, clusters), abs=1e-12)
        (_, fp), (fn, tp) = metrics.pair_confusion_matrix(truth, clusters)
        assert found.pairwise[:2] == pytest.approx((tp / (tp + fp), tp / (tp + fn)), abs=1e-12)


IDS = [1, 2, 3, 4, 5, 6]
CLUSTERS = [1, 1, 1, 4, 4, 6]
ENTITIES = ["a", "a", "b", "b", "b", "c"]


def expect_the_answer(found):
    assert (found.records, found.clusters, found.truth_clusters) == (6, 3, 3)
    assert found.pairwise == (0.5, 0.5, 0.5)
    assert found.splits.count == found.merges.count == 1
    assert found.splits.worst[0][1:] == (3, 2, 2, [(4, 2), (1, 1)]) and found.splits.worst[0].label == "b"
    assert found.merges.worst[0] == (1, 3, 2, 2, [("a", 2), ("b", 1)])


def sources(tmp_path):
    """Pairs of sources of the clusters and of the truth, whose records come in another order."""
    backwards = {"key": IDS[::-1], "entity": ENTITIES[::-1]}
    yield CLUSTERS, ENTITIES, {}
    yield {"id": np.array(IDS), "component": np.array(CLUSTERS)}, backwards, {}
    yield dict(zip(IDS, CLUSTERS)), dict(zip(IDS, ENTITIES)), {}
    yield {"size": [1] * 6, "id": IDS, "component": CLUSTERS}, backwards, {"columns": ("id", "component"), "truth_columns": ("key", "entity")}
    components = copse.components(np.array([(1, 2), (2, 3), (4, 5), (6, 6)]))
    yield components, backwards, {"common": len(components.ids) != 6}
    for library in ("pandas", "polars"):
        try:
            frame = __import__(library).DataFrame
        except ImportError:
            continue
        yield frame({"id": IDS, "component": CLUSTERS}), frame(backwards), {}
        yield frame({"c": CLUSTERS})["c"], frame({"t": ENTITIES})["t"], {}
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        return
    ours, theirs = pa.table({"id": IDS, "component": CLUSTERS}), pa.table(backwards)
    yield ours, theirs, {}
    yield ours.to_reader(), theirs.to_reader(), {}
    yield ours["component"], theirs["entity"].to_pylist()[::-1], {}
    yield ours["component"].combine_chunks(), pa.array(ENTITIES).dictionary_encode(), {}
    parquet.write_table(ours, tmp_path / "a.parquet")
    parquet.write_table(theirs, tmp_path / "b.parquet")
    yield tmp_path / "a.parquet", str(tmp_path / "b.parquet"), {}
    yield tmp_path / "a.parquet", backwards, {}


def test_every_source_is_one_answer(tmp_path):
    for clusters, truth, how in sources(tmp_path):
        expect_the_answer(copse.compare(clusters, truth, **how))


@pytest.mark.filterwarnings("ignore::copse.Note")
def test_files_of_text(tmp_path):
    ours, theirs = tmp_path / "a.csv", tmp_path / "b.csv"
    ours.write_text("id,component\n" + "".join(f"{i},{c}\n" for i, c in zip(IDS, CLUSTERS)))
    theirs.write_text("entity,id\n" + "".join(f"{e},{i}\n" for i, e in zip(IDS, [5, 5, 7, 7, 7, 9])))
    found = copse.compare(ours, theirs, truth_columns=(2, 1))
    assert found.splits.worst[0][:4] == (7, 3, 2, 2)
    assert copse.compare(ours, {i: "x" for i in IDS}, ids="integers").merges.count == 0
    theirs.write_text("id,entity\n" + "".join(f"{i},{e}\n" for i, e in zip(IDS, ENTITIES)))
    expect_the_answer(copse.compare(dict(zip(IDS, CLUSTERS)), theirs))
    np.save(tmp_path / "a.npy", np.array([0, 0, 2], np.uint32))
    assert copse.compare(tmp_path / "a.npy", {0: "x", 1: "x", 2: "y"}).pairwise.f1 == 1


@pytest.mark.parametrize("labels", [["x", "é", "x"], [b"\xff", b"", b"\xff"], [uuid.UUID(int=1), uuid.UUID(int=2), uuid.UUID(int=1)], [-1, 2**62, -1], [2**64 - 1, 0, 2**64 - 1]])
def test_labels_come_back_as_they_went_in(labels):
    found = copse.compare(labels, [1, 1, 2])
    assert found.merges.worst[0].label == labels[0] and type(found.merges.worst[0].label) is type(labels[0])
    assert {label for label, _ in found.splits.worst[0].largest} == set(labels)


def test_records_of_one_table_are_refused_or_counted():
    clusters, truth = {1: 1, 2: 1, 3: 1}, {2: 1, 3: 1, 4: 1, 5: 1}
    with pytest.raises(copse.InputError, match="1 record only in the clusters, such as 1, and 2 records only in the truth, such as 4"):
        copse.compare(clusters, truth)
    found = copse.compare(clusters, truth, common=True)
    assert (found.records, found.only_in_clusters, found.only_in_truth) == (2, 1, 2)


def test_top_and_parts_limit_what_is_listed():
    found = copse.compare([0] * 9, list(range(9)), top=0)
    assert found.merges == (1, [])
    assert copse.compare([0] * 9, list(range(9)), parts=2).merges.worst[0].largest == [(0, 1), (1, 1)]


@pytest.mark.parametrize("call, error, text", [
    (lambda: copse.compare([1, 2], [1]), copse.UsageError, "not 2 and 1 labels"),
    (lambda: copse.compare([], []), copse.InputError, "no record"),
    (lambda: copse.compare([1.5, 2], [1, 2]), copse.UsageError, "integers or strings"),
    (lambda: copse.compare(["a", None], [1, 2]), copse.InputError, "a null in row 1"),
    (lambda: copse.compare([1], {1: 2}), copse.UsageError, "must both have ids or both have none"),
    (lambda: copse.compare([1], [1], common=True), copse.UsageError, "common"),
    (lambda: copse.compare([1], [1], columns=("a", "b")), copse.UsageError, "columns"),
    (lambda: copse.compare({1: 1}, {"1": 1}), copse.InputError, "strings"),
    (lambda: copse.compare({"id": [1, 1], "c": [1, 2]}, {1: 1}), copse.InputError, "more than once"),
    (lambda: copse.compare({"id": [1], "c": [1]}, {1: 1}, columns=("id", "d"), truth_columns=None), copse.UsageError, "no column named 'd'"),
    (lambda: copse.compare([1], [1], top=-1), copse.UsageError, "top"),
    (lambda: copse.compare([1], [1], colour=1), TypeError, "colour"),
    (lambda: copse.compare(7, {1: 1}), copse.UsageError, "clusters must be labels, .*, not int"),
])
def test_what_cannot_be_compared_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_answers_can_be_copied_and_are_told_in_a_line():
    found = copse.compare(CLUSTERS, ENTITIES)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again == found and isinstance(again, copse.Comparison)
    assert repr(found) == "Comparison(6 records, precision 0.5000, recall 0.5000, adjusted Rand index 0.3182, 1 splits, 1 merges)"
