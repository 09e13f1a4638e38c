"""`df.copse` for frames of Polars: `df.copse.components(columns=("l", "r"))`. It exists once this module is imported, which `import copse`
does if Polars was imported before."""
import polars as pl

from copse._bridges import bridges
from copse._cluster import cluster
from copse._components import components
from copse._forest import spanning_forest
from copse._weighted import dendrogram, thresholds, weighted_forest


@pl.api.register_dataframe_namespace("copse")
@pl.api.register_lazyframe_namespace("copse")
class PolarsNamespace:
    """The functions of copse for a DataFrame or a LazyFrame of edges, with the same arguments.

    >>> import polars as pl, copse.polars
    >>> pl.DataFrame({"l": ["a", "c"], "r": ["b", "d"]}).copse.components().rows()
    [('a', 'a'), ('b', 'a'), ('c', 'c'), ('d', 'c')]
    """

    def __init__(self, frame):
        self._frame = frame

    def components(self, *, output_id="id", output_label="label", **options):
        """Returns a DataFrame (id, label). options: as for `copse.components`."""
        return components(self._frame, **options).to_polars(output_id, output_label)

    def cluster(self, **options):
        """Returns what `copse.cluster` returns."""
        return cluster(self._frame, **options)

    def thresholds(self, score, **options):
        """Returns what `copse.thresholds` returns."""
        return thresholds(self._frame, score, **options)

    def dendrogram(self, score, **options):
        """Returns what `copse.dendrogram` returns."""
        return dendrogram(self._frame, score, **options)

    def weighted_forest(self, score, **options):
        """Returns what `copse.weighted_forest` returns."""
        return weighted_forest(self._frame, score, **options)

    def spanning_forest(self, **options):
        """Returns what `copse.spanning_forest` returns."""
        return spanning_forest(self._frame, **options)

    def bridges(self, **options):
        """Returns what `copse.bridges` returns."""
        return bridges(self._frame, **options)
