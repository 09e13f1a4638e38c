"""The figures, tables and measured claims of the four papers as data, and what runs, judges and draws them (bench/figures.py)."""

from . import banerjee, banerjee_components, cong_muzio, gconn, gconn_more, jaiganesh

FIGURES = [*gconn.FIGURES, *gconn_more.FIGURES, *jaiganesh.FIGURES, *cong_muzio.FIGURES, *banerjee.FIGURES,
           *banerjee_components.FIGURES]
