"""`df.copse` for frames of Polars: `df.copse.components(columns=("l", "r"))`. It is there once this module is imported, which `import copse` does where
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
    """The functions of copse for a DataFrame or a LazyFrame of edges, with the arguments that they have.

    >>> import polars as pl, copse.polars
    >>> pl.DataFrame({"l": ["a", "c"], "r": ["b", "d"]}).copse.components().rows()
    [('a', 'a'), ('b', 'a'), ('c', 'c'), ('d', 'c')]
    """

    def __init__(self, frame):
        self._frame = frame

    def components(self, *, output_id="id", output_label="label", **options):
        """A DataFrame (id, label). options: of `copse.components`."""
        return components(self._frame, **options).to_polars(output_id, output_label)

    def cluster(self, **options):
        """What `copse.cluster` gives."""
        return cluster(self._frame, **options)

    def thresholds(self, score, **options):
        """What `copse.thresholds` gives."""
        return thresholds(self._frame, score, **options)

    def dendrogram(self, score, **options):
        """What `copse.dendrogram` gives."""
        return dendrogram(self._frame, score, **options)

    def weighted_forest(self, score, **options):
        """What `copse.weighted_forest` gives."""
        return weighted_forest(self._frame, score, **options)

    def spanning_forest(self, **options):
        """What `copse.spanning_forest` gives."""
        return spanning_forest(self._frame, **options)

    def bridges(self, **options):
        """What `copse.bridges` gives."""
        return bridges(self._frame, **options)
