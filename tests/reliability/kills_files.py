"""Commands that write files: components, convert, extract. Outputs are the old or the whole new ones, and no temporary is left."""
from kills import WritesFiles

GRAPH = "er:n=60000,m=90000"


class Components(WritesFiles):
    name = "components"
    outputs = ("labels.csv", "sizes.csv", "labelled.csv")

    def prepare(self):
        self.run("generate", GRAPH, "-o", "er.el")
        self.prepare_outputs()

    def command(self):
        return ["components", "er.el", "-o", "labels.csv", "--sizes", "sizes.csv", "--append", "labelled.csv"]


class Convert(WritesFiles):
    name = "convert"
    outputs = ("er.sg",)

    def prepare(self):
        self.run("generate", GRAPH, "-o", "er.mtx")
        self.prepare_outputs()

    def command(self):
        return ["convert", "er.mtx", "er.sg"]


class Extract(WritesFiles):
    name = "extract"
    outputs = ("largest.el.gz",)

    def prepare(self):
        self.run("generate", GRAPH, "-o", "er.el")
        self.prepare_outputs()

    def command(self):
        return ["extract", "er.el", "--largest", "-o", "largest.el.gz"]
