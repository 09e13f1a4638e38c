"""Parts of a Parquet file that threads read side by side, and batches that are read ahead."""
import os

from copse._load import core


class Parts(list):
    """Streams of consecutive parts of a table, each with the number of its first row."""


def row_group_parts(metadata, threads):
    """(first row, first row group, one behind the last) of parts that threads read side by side."""
    groups = metadata.num_row_groups
    starts = [0]
    for group in range(groups):
        starts.append(starts[-1] + metadata.row_group(group).num_rows)
    count = min(groups, 4 * (threads or os.cpu_count() or 1))  # so that the last ones end together
    ends = [part * groups // count for part in range(count + 1)]
    return [(starts[begin], begin, end) for begin, end in zip(ends, ends[1:])]


def part_of_parquet(path, metadata, schema, first_row, begin, end, interrupts):
    """Row groups as a stream, with the number of the first row. The file is opened when the first batch is asked for."""
    import pyarrow as pa
    from pyarrow import parquet

    def batches():
        release = pa.default_memory_pool().release_unused
        with parquet.ParquetFile(path, metadata=metadata, pre_buffer=False, buffer_size=1 << 16) as file:  # several are open at once
            read = file.iter_batches(1 << 13, row_groups=range(begin, end), columns=schema.names, use_threads=False)
            for number, batch in enumerate(read):
                yield batch.select(schema.names)
                if number % 2 == 1:  # pyarrow keeps for each thread what others have freed: otherwise several times what is in use
                    release()

    return pa.RecordBatchReader.from_batches(schema, noted(batches(), interrupts)), first_row


def release_of(reader):
    """The function by which a reader's library frees the memory that it keeps for reuse; None if it has none."""
    if not isinstance(reader, Parts) and type(reader).__module__.partition(".")[0] != "pyarrow":
        return None
    import pyarrow

    return pyarrow.default_memory_pool().release_unused


def noted(batches, interrupts):
    """The same batches; a Ctrl-C or an error of ours is kept in the list, as a stream of Arrow makes a text of it, and ends all streams that
    share the list."""
    try:
        for batch in batches:
            if interrupts:
                return
            yield batch
    except (KeyboardInterrupt, core.Error) as interrupt:
        interrupts.append(interrupt)
        raise


def one_ahead(batches):
    """The same batches; the next is read while one is worked on."""
    import concurrent.futures  # takes time to load

    with concurrent.futures.ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch
