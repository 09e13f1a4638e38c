"""From a text edge list to written labels: `copse components FILE -o labels.npy` on one file as plain text, as .zst and .gz of one stream, and as those
that decompress in parts: .zst of many frames, as pzstd writes it, and .gz of BGZF blocks, as bgzip does; and pandas.read_csv, SciPy and numpy.save on
the plain file, on one thread.

  python3 -m lab.end_to_end.text build/release/cli/copse FILE [--threads 1,16] [--rounds 11] [--zstd PROGRAM] [--json OUT]

Whole processes are timed, all ways one after the other in every round; pandas from before read_csv to after save. The labels of all files must be
the same, and pandas must find as many components. What cannot be made here is left out, and said.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from .kit import Recorder

FRAME_BYTES, BLOCK_BYTES, LEVEL = 4 << 20, 65280, 4  # BGZF blocks as large as those of bgzip
PANDAS = """
import json, sys, time
import numpy, pandas
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
start = time.perf_counter()
frame = pandas.read_csv(sys.argv[1], sep=sys.argv[3], header=None, comment='#', usecols=[0, 1], dtype=numpy.int64)
u, v = frame[0].to_numpy(), frame[1].to_numpy()
n = int(max(u.max(), v.max())) + 1
matrix = coo_matrix((numpy.ones(len(u), dtype=numpy.int8), (u, v)), shape=(n, n))
count, labels = connected_components(matrix, directed=False)
numpy.save(sys.argv[2], labels)
seconds = time.perf_counter() - start
present = numpy.zeros(n, dtype=bool)
present[u] = present[v] = True
print(json.dumps({"seconds": seconds, "components": int(count - (n - present.sum()))}))
"""


def bgzf_block(text):
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -15)
    packed = packer.compress(text) + packer.flush()
    head = b"\x1f\x8b\x08\x04" + bytes(4) + b"\x00\xff" + struct.pack("<H2sHH", 6, b"BC", 2, 12 + 6 + len(packed) + 8 - 1)
    return head + packed + struct.pack("<II", zlib.crc32(text), len(text))


def read_part(path, at):
    with open(path, "rb") as file:
        file.seek(at)
        return file.read(FRAME_BYTES)


def bgzf_part(asked):
    text = read_part(*asked)
    return b"".join(bgzf_block(text[i : i + BLOCK_BYTES]) for i in range(0, len(text), BLOCK_BYTES))


def zstd_frame(asked):
    program, path, at = asked
    return subprocess.run([program, "-q", "-c", "-"], input=read_part(path, at), stdout=subprocess.PIPE, check=True).stdout


def make_gzip(plain, to):
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    with open(plain, "rb") as text, open(to, "wb") as out:
        while piece := text.read(FRAME_BYTES):
            out.write(packer.compress(piece))
        out.write(packer.flush())


def write_parts(pool, part, asked, to, end=b""):
    with open(to, "wb") as out:
        for packed in pool.imap(part, asked):
            out.write(packed)
        out.write(end)


def make_files(plain, stem, zstd):
    """Name of the form -> file."""
    files = {"plain": plain}
    parts = range(0, os.path.getsize(plain), FRAME_BYTES)
    with multiprocessing.Pool() as pool:
        files["gz"], files["gz_blocks"] = f"{stem}.el.gz", f"{stem}_blocks.el.gz"
        one_gzip = pool.apply_async(make_gzip, (plain, files["gz"]))
        write_parts(pool, bgzf_part, [(plain, at) for at in parts], files["gz_blocks"], bgzf_block(b""))
        if zstd is None:
            print("left out: .zst, as there is no program zstd (--zstd)", file=sys.stderr)
        else:
            files["zst"], files["zst_frames"] = f"{stem}.el.zst", f"{stem}_frames.el.zst"
            with open(files["zst"], "wb") as out:
                subprocess.run([zstd, "-q", "-c", plain], stdout=out, check=True)
            write_parts(pool, zstd_frame, [(zstd, plain, at) for at in parts], files["zst_frames"])
        one_gzip.get()
    return files


def separator(path):
    with open(path, encoding="utf-8") as lines:
        line = next(line for line in lines if line.strip() and line[0] not in "#%")
    return next((s for s in "\t, " if s in line), " ")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("copse")
    arguments.add_argument("file", type=pathlib.Path)
    arguments.add_argument("--threads", default="1,16")
    arguments.add_argument("--rounds", type=int, default=11)
    arguments.add_argument("--zstd", default=shutil.which("zstd"), help="the program, of any version")
    arguments.add_argument("--json")
    asked = arguments.parse_args()
    found, answers, counts = {}, set(), set()
    with tempfile.TemporaryDirectory() as folder:
        labels = f"{folder}/labels.npy"
        files = make_files(str(asked.file), f"{folder}/{asked.file.stem}", asked.zstd)
        sizes = {form: os.path.getsize(path) / 1e6 for form, path in files.items()}
        with_pandas = subprocess.run([sys.executable, "-c", "import pandas, scipy"], capture_output=True).returncode == 0
        if not with_pandas:
            print("left out: pandas and SciPy, which are not here", file=sys.stderr)
        for _ in range(asked.rounds):
            for threads in map(int, asked.threads.split(",")):
                for form, path in files.items():
                    start = time.perf_counter()
                    said = subprocess.run(
                        [asked.copse, "components", path, "-o", labels, "--threads", str(threads), "--json"],
                        check=True,
                        capture_output=True,
                        text=True,
                    )
                    found.setdefault((form, threads), []).append(time.perf_counter() - start)
                    counts.add(json.loads(said.stdout)["components"])
                    answers.add(hashlib.sha256(pathlib.Path(labels).read_bytes()).hexdigest())
                    os.remove(labels)
            if with_pandas:
                one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
                said = subprocess.run(
                    [sys.executable, "-c", PANDAS, str(asked.file), labels, separator(asked.file)],
                    check=True,
                    capture_output=True,
                    text=True,
                    env=one_thread,
                )
                found.setdefault(("pandas_scipy", 1), []).append(json.loads(said.stdout)["seconds"])
                counts.add(json.loads(said.stdout)["components"])
    if len(answers) != 1 or len(counts) != 1:
        sys.exit("different labels, or other numbers of components")
    out = Recorder("text")
    for (form, threads), seconds in found.items():
        size = {"megabytes": f"{sizes['plain']:.0f}"} | ({"packed_megabytes": f"{sizes[form]:.0f}"} if form in sizes else {})
        measure = "file_to_labels" if form == "pandas_scipy" else "compressed_to_labels"
        out.add(asked.file.stem, form, measure, "ms", threads, [1e3 * s for s in seconds], **size)
    out.write(asked.json)


if __name__ == "__main__":
    main()
