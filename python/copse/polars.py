"""`df.copse` for frames of Polars: `df.copse.components("l", "r")`. It is there once this module is imported, which `import copse` does where
Polars was imported before."""
import polars as pl

from copse._bridges import bridges
from copse._cluster import cluster
from copse._components import components
from copse._forest import spanning_forest
from copse._weighted import dendrogram, thresholds, weighted_forest


@pl.api.register_dataframe_namespace("copse")
@pl.api.register_lazyframe_namespace("copse")
class PolarsNamespace:
    """The functions of copse for a DataFrame or a LazyFrame of edges: left and right are its columns of ids, and may be left out where it
    has no others but the score.

    >>> import polars as pl, copse.polars
    >>> pl.DataFrame({"l": ["a", "c"], "r": ["b", "d"]}).copse.components("l", "r").rows()
    [('a', 'a'), ('b', 'a'), ('c', 'c'), ('d', 'c')]
    """

    def __init__(self, frame):
        self._frame = frame

    def components(self, left=None, right=None, *, output_id="id", output_label="label", **options):
        """A DataFrame (id, label). options: of `copse.components`."""
        return components(self._frame, columns=_columns(left, right), **options).to_polars(output_id, output_label)

    def cluster(self, left=None, right=None, **options):
        """What `copse.cluster` gives."""
        return cluster(self._frame, left, right, **options)

    def thresholds(self, score, left=None, right=None, **options):
        """What `copse.thresholds` gives."""
        return thresholds(self._frame, score, columns=_columns(left, right), **options)

    def dendrogram(self, score, left=None, right=None, **options):
        """What `copse.dendrogram` gives."""
        return dendrogram(self._frame, score, columns=_columns(left, right), **options)

    def weighted_forest(self, score, left=None, right=None, **options):
        """What `copse.weighted_forest` gives."""
        return weighted_forest(self._frame, score, columns=_columns(left, right), **options)

    def spanning_forest(self, left=None, right=None, **options):
        """What `copse.spanning_forest` gives."""
        return spanning_forest(self._frame, columns=_columns(left, right), **options)

    def bridges(self, left=None, right=None, **options):
        """What `copse.bridges` gives."""
        return bridges(self._frame, columns=_columns(left, right), **options)


def _columns(left, right):
    return None if left is None and right is None else (left, right)
