"""The clustering stage of datatrove's MinHash deduplication, by copse: change the import and leave the pipeline as it is.

    from copse.datatrove import MinhashDedupCluster
"""
import numpy as np
from datatrove.pipeline.dedup import minhash

from copse._load import core
from copse._options import options

# What stands for "a document of the index": datatrove's own mark, and a number that a vertex may have.
_INDEX, _INDEX_VERTEX = np.uint64(2**64 - 1), np.uint64(2**64 - 2)
_BLOCK_BYTES = 1 << 24


class MinhashDedupCluster(minhash.MinhashDedupCluster):
    """datatrove's stage, with its arguments, input and output. The first document of each cluster stays, by file and number; datatrove keeps
    one that depends on the order of the files. As in datatrove, all documents of a cluster with a match in an index are removed.

    Pairs are read in blocks and not held: memory is O(documents in a pair). There is one more argument: `threads`, by default all cores.
    """

    name = "🎯 MinHash stage 3 (copse)"

    def __init__(self, *arguments, threads=None, **keywords):
        super().__init__(*arguments, **keywords)
        self.threads = threads

    def run(self, data=None, _=0, world_size=1):
        """Like datatrove's."""
        files = self.input_folder.list_files(glob_pattern="*.dups")
        if len(files) % self.config.num_buckets:
            raise core.InputError(f"datatrove: found {len(files)} .dups files, expected a multiple of the {self.config.num_buckets} buckets")
        if world_size != 1:
            raise core.UsageError(f"the clustering stage must run as one task (world_size 1), not as {world_size}")
        with self.track_time():
            sink = core.Sink(None, options(threads=self.threads))
            for file in files:
                self._read(file, sink)
            self._write(sink.finish())

    def _read(self, file, sink):
        with self.input_folder.open(file, "rb") as stream:
            while block := stream.read(_BLOCK_BYTES):
                if len(block) % 16:
                    block += stream.read(16 - len(block) % 16)
                if len(block) % 16:
                    raise core.InputError(f"{file}: found the end of the file inside a pair, expected pairs of 16 bytes")
                halves = np.frombuffer(block, "<u4").reshape(-1, 2).astype(np.uint64)
                documents = (halves[:, 0] << np.uint64(32) | halves[:, 1]).reshape(-1, 2)
                if self.ignore_index_matches:
                    documents = documents[documents[:, 0] != _INDEX]
                documents[documents == _INDEX] = _INDEX_VERTEX
                sink.add_pairs(np.ascontiguousarray(documents))

    def _write(self, held):
        documents, numbers, sizes = held.ids().astype(np.uint64), held.numbers(), held.sizes()
        first = np.unique(numbers, return_index=True)[1]
        removed = np.ones(len(documents), bool)
        removed[first] = False
        if len(documents) and documents[-1] == _INDEX_VERTEX:
            removed[numbers == numbers[-1]] = True
            documents, numbers, removed = documents[:-1], numbers[:-1], removed[:-1]
        self.stat_update("duplicates", value=len(documents))
        self.stat_update("to_remove", value=int(removed.sum()))
        for size in sizes.tolist():
            self.stat_update("cluster_size", value=size, unit="cluster")
        if self.save_cluster_id:
            self.stat_update("clusters", value=len(sizes))
        names, begins = np.unique(documents >> np.uint64(32), return_index=True)
        with self.output_folder.get_output_file_manager(mode="wb") as output:
            for name, begin, end in zip(names.tolist(), begins, [*begins[1:], len(documents)]):
                part = slice(begin, end)
                inside = (documents[part] & np.uint64(0xFFFFFFFF)).astype("<u4")
                if removed[part].any():
                    output.write(f"{name:06d}.remove", inside[removed[part]].tobytes())
                if self.save_cluster_id:
                    output.write(f"{name:06d}.clusters", np.column_stack([inside, numbers[part].astype("<u4")]).tobytes())
                if self.save_cluster_size:
                    output.write(f"{name:06d}.sizes", np.column_stack([inside, sizes[numbers[part]].astype("<u4")]).tobytes())
