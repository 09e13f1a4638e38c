"""Keywords that every call shares, checked once: variant, device, threads, memory, seed, progress."""
import operator
import re

from copse._load import core

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def options(variant="auto", device=None, threads=None, memory=None, seed=1, progress=None):
    """The keywords as the compiled module takes them. Raises UsageError."""
    if variant == "auto" and device is None and threads is None and memory is None and progress is None and seed == 1:
        return _DEFAULTS
    return core.Options(variant, gpu_of(device), _threads(threads), bytes_of(memory), seed, _callback(progress))


def gpu_of(device):
    """None for the CPU, otherwise the number of the GPU."""
    if device is None or device == "cpu":
        return None
    match = re.fullmatch(r"cuda(?::(\d+))?", str(device))
    if match is None:
        raise core.UsageError(f"device: found {device!r}, expected 'cpu', 'cuda' or 'cuda:i'")
    return int(match[1] or 0)


def bytes_of(memory):
    """None, a number of bytes, or text such as '4GiB'."""
    if memory is None:
        return None
    if isinstance(memory, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", memory.lower())
        if match is None or match[2] not in _UNITS:
            raise core.UsageError(f"memory: found {memory!r}, expected bytes, such as 4000000000 or '4GB' or '4GiB'")
        return int(float(match[1]) * _UNITS[match[2]])
    memory = operator.index(memory)
    if memory < 0:
        raise core.UsageError(f"memory: found {memory}, expected 0 bytes or more")
    return memory


def _threads(threads):
    if threads is None:
        return 0
    threads = operator.index(threads)
    if threads < 1:
        raise core.UsageError(f"threads: found {threads}, expected 1 or more, or None for all cores")
    return threads


def _callback(progress):
    if progress is None or progress is False:
        return None
    if progress is True:
        return _Bar()
    if not callable(progress):
        raise core.UsageError(f"progress: found {progress!r}, expected True or a function of (stage, done, total, unit)")
    return progress


class _Bar:
    """A progress bar by tqdm for each stage."""

    def __init__(self):
        from tqdm.auto import tqdm

        self._make, self._bar, self._stage = tqdm, None, None

    def __call__(self, stage, done, total, unit):
        if stage != self._stage:
            self.close()
            self._bar, self._stage = self._make(total=total or None, desc=stage, unit=" " + unit, unit_scale=True), stage
        self._bar.update(max(done - self._bar.n, 0))

    def close(self):
        if self._bar is not None:
            self._bar.close()

    __del__ = close


_DEFAULTS = core.Options()
