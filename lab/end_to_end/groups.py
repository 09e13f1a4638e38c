"""Groups by key compared with components of pairs that have the same meaning: `copse group TABLE` and `copse components PAIRS`, one after the other in every
round. A table has the columns record, email, phone and address, strings of 20 bytes, each key drawn at random from a number of values; pairs
join records that a sort by a column puts next to each other with equal keys. Both are written before the clock starts. With --few, a third
table of as many bytes has keys of so few values that looking them up costs next to nothing: no better look-up of keys can be quicker.

  python3 -m lab.end_to_end.groups build/release/cli/copse [--records 10000000] [--values 2000000] [--threads 2] [--rounds 3]
    [--few 1000] [--folder /tmp] [--json OUT]

Needs numpy, 84 bytes of disk per record for the table and about 100 for the pairs. A string look-up is an id or a key of a line. Both must find
the same groups of two and more, and the same largest one.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

import numpy

from .kit import Recorder

COLUMNS = ("email", "phone", "address")


def names(letter, numbers):
    """A row of bytes each: a letter, three zeros, and sixteen hexadecimal digits in no order, one to one."""
    scrambled = numbers.astype(numpy.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        scrambled = (scrambled ^ scrambled >> numpy.uint64(shift)) * numpy.uint64(factor)
    scrambled ^= scrambled >> numpy.uint64(31)
    digits = numpy.frombuffer(scrambled.astype(">u8").tobytes().hex().encode(), numpy.uint8).reshape(-1, 16)
    head = numpy.tile(numpy.frombuffer(letter.encode() + b"000", numpy.uint8), (len(digits), 1))
    return numpy.hstack([head, digits])


def write_lines(path, header, columns, piece=1 << 20):
    """Columns of numbers, each with the letter of its names."""
    with open(path, "wb") as out:
        out.write(header + b"\n")
        for at in range(0, len(columns[0][1]), piece):
            fields = [names(letter, numbers[at : at + piece]) for letter, numbers in columns]
            ends = [numpy.full((len(fields[0]), 1), ord(end), numpy.uint8) for end in "," * (len(fields) - 1) + "\n"]
            out.write(numpy.hstack([part for pair in zip(fields, ends) for part in pair]).tobytes())


def write_table(records, values, table):
    """Returns the keys, column by column."""
    random = numpy.random.RandomState(1)
    keys = [random.randint(values, size=records) for _ in COLUMNS]
    write_lines(
        table,
        b"record," + ",".join(COLUMNS).encode(),
        [("r", numpy.arange(records))] + [(name[0], numpy.int64(c) << numpy.int64(32) | keys[c]) for c, name in enumerate(COLUMNS)],
    )
    return keys


def write_pairs(keys, pairs):
    first, second = [], []
    for column in keys:
        order = numpy.argsort(column, kind="stable")
        same = numpy.flatnonzero(column[order[1:]] == column[order[:-1]])
        first.append(order[same])
        second.append(order[same + 1])
    write_lines(pairs, b"source,target", [("r", numpy.concatenate(first)), ("r", numpy.concatenate(second))])


def measured(command):
    """The output of `copse ... --json`, and the peak memory of the process."""
    with tempfile.NamedTemporaryFile() as out:
        started = os.posix_spawn(command[0], [str(word) for word in command], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
        _, status, used = os.wait4(started, 0)
        if status != 0:
            sys.exit(f"{' '.join(map(str, command))}: status {status}")
        out.seek(0)
        return json.load(out) | {"resident_bytes": used.ru_maxrss * 1024}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("copse")
    arguments.add_argument("--records", type=int, default=10000000)
    arguments.add_argument("--values", type=int, default=2000000)
    arguments.add_argument("--threads", type=int, nargs="+", default=[os.cpu_count()])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--few", type=int, default=0)
    arguments.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()))
    arguments.add_argument("--json", type=pathlib.Path)
    given = arguments.parse_args()
    graph = f"records={given.records},values={given.values},columns={len(COLUMNS)}"
    found = Recorder("groups")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        table, pairs = pathlib.Path(folder) / "table.csv", pathlib.Path(folder) / "pairs.csv"
        write_pairs(write_table(given.records, given.values, table), pairs)
        few = pathlib.Path(folder) / "few.csv"
        if given.few:
            write_table(given.records, given.few, few)
        for threads in given.threads:
            by_columns = ["--id", "record", "--by", ",".join(COLUMNS)]
            commands = {
                "group": [given.copse, "group", table, *by_columns],
                "components": [given.copse, "components", pairs, "--ids", "string", "--header", "yes"],
            }
            if given.few:
                commands["few_values"] = [given.copse, "group", few, *by_columns]
            answers = {name: [] for name in commands}
            for _ in range(given.rounds):
                for name, command in commands.items():
                    answers[name].append(measured([*command, "--threads", threads, "--json"]))
            group, components = answers["group"][0], answers["components"][0]
            if group["groups"] - group["alone"] != components["components"] or group["largest"]["size"] != components["largest"]["size"]:
                sys.exit(f"found {group['groups']} groups, {group['alone']} of one record, expected {components['components']} others")
            for name in commands:
                phase, lookups = ("solve", 2 * components["edges"]) if name == "components" else ("group", group["rows"] + group["keys"])
                seconds = [answer["seconds"][phase] for answer in answers[name]]
                found.add(graph, name, "solve", "ms", threads, [1e3 * s for s in seconds])
                found.add(graph, name, "lookups_per_core", "M/s", threads, [lookups / s / threads / 1e6 for s in seconds])
                found.add(graph, name, "resident", "MB", threads, [answer["resident_bytes"] / 1e6 for answer in answers[name]])
    found.write(given.json)


if __name__ == "__main__":
    main()
