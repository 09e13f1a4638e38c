"""Small plots, by Matplotlib or Altair, whichever is installed."""
from copse._load import core


def points(x, curves, x_title, y_title, ax=None, *, logarithmic=False):
    """Curves (a dict of arrays) over x: an Axes of Matplotlib, or a Chart of Altair where only that is installed. Raises UsageError."""
    try:
        from matplotlib import pyplot
    except ImportError:
        if ax is not None:
            raise core.UsageError("ax= needs Matplotlib: pip install matplotlib") from None
        return _by_altair(x, curves, x_title, y_title, logarithmic)
    if ax is None:
        ax = pyplot.subplots()[1]
    for name, y in curves.items():
        ax.plot(x, y, ".-" if len(curves) > 1 else ".", label=name)
    if logarithmic:
        ax.set_xscale("log")
        ax.set_yscale("log")
    ax.set(xlabel=x_title, ylabel=y_title)
    if len(curves) > 1:
        ax.legend()
    return ax


def _by_altair(x, curves, x_title, y_title, logarithmic):
    try:
        import altair
    except ImportError:
        raise core.UsageError("plots need Matplotlib or Altair: pip install matplotlib") from None
    rows = [{"x": float(a), "y": float(b), "curve": name} for name, y in curves.items() for a, b in zip(x, y)]
    scale = altair.Scale(type="log" if logarithmic else "linear")
    return altair.Chart(altair.Data(values=rows)).mark_line(point=True).encode(
        x=altair.X("x:Q", title=x_title, scale=scale), y=altair.Y("y:Q", title=y_title, scale=scale), color=altair.Color("curve:N")
    )
