"""Not run: mypy --strict reads it (tools/python_checks.sh)."""
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import copse

edges = np.array([[0, 1], [1, 2]])
found = copse.components(edges, threads=2, memory="4GiB", progress=lambda stage, done, total, unit: print(stage, done, total, unit))
assert_type(found, copse.Components)
assert_type(found.count, int)
assert_type(found.verify(edges), copse.Verdict)
assert_type(copse.connected_components(np.eye(3)), tuple[int, NDArray[np.signedinteger[Any]]])
assert_type(copse.connected_components(np.eye(3), return_labels=False), int)
assert_type(copse.spanning_forest([(0, 1)]).report.variant, str)
assert_type(copse.euler_tour(copse.spanning_forest(edges)).sizes, NDArray[np.signedinteger[Any]])
assert_type(copse.Incremental.open("live.bin").connected([(0, 1)]), NDArray[np.bool_])
people = copse.Dynamic(weights=True, history="all")
assert_type(people.insert([("ann", "anna")], score=[0.5]).inserted, int)
assert_type(people.component_of("ann"), int | None)
assert_type(people.size_of(["ann", "bob"]), NDArray[np.int64])
assert_type(copse.Dynamic.open("people", read_only=True).connected(edges), NDArray[np.bool_])
assert_type(copse.Graph.of((edges[:, 0], edges[:, 1])).symmetric_rows(), copse.Graph)
copse.cluster({"l": ["a"], "r": ["b"]}, vertices=["a", "b", "c"], nulls="drop")
copse.cluster("pairs.parquet", columns=("l", "r"), score="p", threshold=0.5)
copse.cluster("pairs.parquet", score="p", threshold=[0.5, 0.9], output_cluster=["loose", "strict"])
copse.cluster("pairs.parquet", score="p", vertices="people.parquet", id="id", one_per={"source": 2}, cannot_link=[(1, 2)], links="mutual")
copse.cluster([(1, 2)], score=[0.5], max_records=2, cut_bridges=0.9, one_per=None)
forest = copse.weighted_forest(edges, [0.5, 0.75], goal="maximum")
assert_type(forest.limited(3), tuple[copse.Components, NDArray[np.int64]])
assert_type(copse.dendrogram(forest, top=2.0), NDArray[np.float64])
assert_type(copse.explain("links.csv", "ann", "rob", 3), copse.Explanation | None)
assert_type(copse.bridges(edges, blocks=True).biconnected_components(), list[NDArray[Any]])
copse.weighted_forest(edges, [1, 2], goal="most")  # type: ignore[arg-type]
copse.rank_list(edges[:, 0], operation="mean")  # type: ignore[arg-type]
copse.components(edges, threads="all")  # type: ignore[call-overload]
copse.components("links.csv", header=True, delimiter=";", na=["NA", ""], columns=(("table_l", "id_l"), ("table_r", "id_r")))
assert_type(copse.spanning_forest("links.csv", ids="bytes").report.notes, list[str])
copse.bridges("links.csv", heading=True)  # type: ignore[call-arg]
assert_type(found.members(1), NDArray[Any])
assert_type(copse.verify("links.csv", found, columns=(1, 2), ids="strings"), copse.Verdict)
report = copse.cluster({"l": ["a"], "r": ["b"]}, report=True)[1]
assert_type(report, copse.ClusterReport)
assert_type(report.solve.variant, str)


class Frame:  # what cluster() knows frames of pandas and Polars by
    columns: list[str]
    dtypes: list[str]
    shape: tuple[int, int]


assert_type(copse.cluster(Frame(), columns=("l", "r")), Frame)
assert_type(copse.cluster(Frame(), columns=("l", "r"), report=True)[0], Frame)
