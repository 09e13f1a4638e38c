"""The figures, tables and measured claims of four papers: what is compared (one module per paper), how it is measured (runs), judged and drawn."""

from . import banerjee, cong_muzio, gconn, jaiganesh

FIGURES = [*gconn.FIGURES, *jaiganesh.FIGURES, *cong_muzio.FIGURES, *banerjee.FIGURES]
