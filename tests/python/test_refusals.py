"""Arguments that would give another answer than was asked for are refused, and in words."""
import numpy as np
import pytest

import copse


def test_masked_elements_are_no_weights_and_no_ids():
    edges, masked = np.array([[0, 1], [1, 2]]), np.ma.array([1.0, 2.0], mask=[False, True])
    calls = [
        lambda: copse.weighted_forest(edges, masked), lambda: copse.weighted_forest(np.ma.array(edges, mask=edges == 2), [1, 2]),
        lambda: copse.components(np.ma.array(edges, mask=edges == 2)), lambda: copse.bridges(np.ma.array(edges, mask=edges == 2)),
        lambda: copse.weighted_forest(edges, [1, 2], goal="maximum").weakest(np.ma.array(edges, mask=edges == 2)),
        lambda: copse.cluster({"l": np.ma.array([1, 2], mask=[False, True]), "r": [3, 4]}),
        lambda: copse.cluster({"l": [1, 2], "r": [3, 4], "p": masked}, "l", "r", score="p", threshold=0.5),
        lambda: copse.rank_list(np.ma.array([1, 1], mask=[False, True])),
    ]
    for call in calls:
        with pytest.raises(copse.UsageError, match="masked elements"):
            call()
    assert copse.components(np.ma.array(edges)).count == 1


def test_numbers_that_are_none_are_refused_in_words():
    edges = [(0, 1)]
    forest = copse.weighted_forest(edges, [1], goal="maximum")
    calls = [
        (lambda: copse.weighted_forest(edges, [1], -1), "vertices: found -1, expected 0 or more"), (lambda: copse.components(edges, 1.5), "vertices: found 1.5"),
        (lambda: copse.components(edges, 2**64), "vertices: found 18446744073709551616"), (lambda: copse.components(edges, seed=-1), "seed"),
        (lambda: copse.components(edges, threads=2**40), "threads"), (lambda: copse.Incremental(-1), "vertices"),
        (lambda: forest.labels_at(float("nan")), "threshold: found NaN"), (lambda: forest.labels_at("x"), "threshold: found 'x'"),
        (lambda: forest.clusters(1.5), "count"), (lambda: forest.limited(-1), "max_size"), (lambda: copse.thresholds(forest, points=1.5), "points"),
        (lambda: copse.dendrogram(forest, top="x"), "top"), (lambda: forest.weakest([(0, 9)]), "found 9, expected a vertex"),
        (lambda: copse.cluster({"l": [1], "r": [2], "p": [0.5]}, "l", "r", score="p", threshold=float("nan")), "threshold: found NaN"),
    ]
    for call, reason in calls:
        with pytest.raises(copse.UsageError, match=reason):
            call()


def test_no_column_of_an_answer_takes_the_place_of_another():
    table, forest = {"l": [1], "r": [2], "p": [0.5]}, copse.weighted_forest([(0, 1)], [1], goal="maximum")
    with pytest.raises(copse.UsageError, match="output_id"):
        copse.cluster(table, "l", "r", output_id="x", output_cluster="x")
    with pytest.raises(copse.UsageError, match="output_id"):
        copse.cluster(table, "l", "r", score="p", threshold=[0.1, 0.2], output_cluster=["id", "b"])
    with pytest.raises(copse.UsageError, match="three names"):
        forest.to_table("u", "u")
