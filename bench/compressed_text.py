#!/usr/bin/env python3
"""From a compressed edge list to written labels: `copse components FILE -o labels.npy` on one file as plain text, as .zst and .gz of one
stream, and as those that decompress in parts: .zst of many frames, as pzstd writes it, and .gz of BGZF blocks, as bgzip does.

  python3 bench/compressed_text.py build/release/cli/copse [--spec rmat:...] [--threads 1,16] [--rounds 5] [--zstd PROGRAM] [--json OUT]

Makes the files itself: the frames by the program `zstd`, the rest by Python's zlib. Whole processes are timed, all files one after the
other in every round. The labels of all must be the same. What cannot be made here is left out, and said.
"""
import argparse
import hashlib
import multiprocessing
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from series import write_series

try:
    import zlib
except ImportError:
    zlib = None

FRAME_BYTES, BLOCK_BYTES, LEVEL = 4 << 20, 65280, 4  # BGZF blocks as large as those of bgzip


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


def make_files(plain, zstd):
    """Name of the form -> file."""
    files = {"plain": plain}
    parts = range(0, os.path.getsize(plain), FRAME_BYTES)
    with multiprocessing.Pool() as pool:
        one_gzip = None
        if zlib is None:
            print("left out: .gz, as this Python has no zlib", file=sys.stderr)
        else:
            files["gz"], files["gz, blocks"] = f"{plain}.gz", f"{plain[:-3]}_blocks.el.gz"
            one_gzip = pool.apply_async(make_gzip, (plain, files["gz"]))
            write_parts(pool, bgzf_part, [(plain, at) for at in parts], files["gz, blocks"], bgzf_block(b""))
        if zstd is None:
            print("left out: .zst, as there is no program zstd (--zstd)", file=sys.stderr)
        else:
            files["zst"], files["zst, frames"] = f"{plain}.zst", f"{plain[:-3]}_frames.el.zst"
            with open(files["zst"], "wb") as out:
                subprocess.run([zstd, "-q", "-c", plain], stdout=out, check=True)
            write_parts(pool, zstd_frame, [(zstd, plain, at) for at in parts], files["zst, frames"])
        if one_gzip is not None:
            one_gzip.get()
    return files


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("copse")
    arguments.add_argument("--spec", default="rmat:scale=21,edges=10,a=.57,b=.19,c=.19,shuffle=1,seed=7")
    arguments.add_argument("--threads", default="1,16")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--zstd", default=shutil.which("zstd"), help="the program, of any version")
    arguments.add_argument("--commit", help="of the binary, where this is no repository")
    arguments.add_argument("--json")
    asked = arguments.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        plain, labels = f"{folder}/edges.el", f"{folder}/labels.npy"
        subprocess.run([asked.copse, "generate", asked.spec, "-o", plain], check=True)
        files = make_files(plain, asked.zstd)
        sizes = {form: os.path.getsize(path) / 1e6 for form, path in files.items()}
        print(", ".join(f"{form} {size:.0f} MB" for form, size in sizes.items()), flush=True)
        found, answers = {}, set()
        for _ in range(asked.rounds):
            for threads in map(int, asked.threads.split(",")):
                for form, path in files.items():
                    start = time.perf_counter()
                    subprocess.run([asked.copse, "components", path, "-o", labels, "--threads", str(threads)], check=True, capture_output=True)
                    found.setdefault((form, threads), []).append(time.perf_counter() - start)
                    with open(labels, "rb") as file:
                        answers.add(hashlib.sha256(file.read()).hexdigest())
                    os.remove(labels)
        if len(answers) != 1:
            sys.exit("different labels")
    for (form, threads), seconds in found.items():
        print(f"{threads:3} threads  {form:12} {statistics.median(seconds) * 1e3:8.0f} ms  ({min(seconds) * 1e3:.0f} to {max(seconds) * 1e3:.0f})")
    if asked.json:
        settings = {form: f"megabytes={sizes['plain']:.0f} packed_megabytes={sizes[form]:.0f}" for form in files}
        rows = [(asked.spec, form.replace(", ", "_"), settings[form], "compressed_to_labels", "ms", [1e3 * s for s in seconds], threads)
                for (form, threads), seconds in found.items()]
        write_series(asked.json, rows, 1, **({"commit": asked.commit} if asked.commit else {}))


if __name__ == "__main__":
    main()
