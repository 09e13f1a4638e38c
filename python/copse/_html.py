"""Answers as notebooks show them."""


def table(title, rows):
    """A title and a dict of facts as HTML."""
    import html  # its list of entities takes time to load

    lines = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(_text(value))}</td></tr>" for name, value in rows.items()
    )
    return f"<table><caption>{html.escape(title)}</caption>{lines}</table>"


def _text(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
