#include "commands.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "tree.hpp"

namespace copse::cli {
namespace {

using three = std::array<std::string_view, 3>;

/// Three examples for each command. Tests run all of them with small files of these names.
const std::map<std::string_view, three>& examples() {
  static const std::map<std::string_view, three> all{
      {"components",
       {"copse components pairs.csv --columns id_l,id_r --weight score --min-weight 0.9 --append groups.csv",
        "copse components web.mtx --verify -o labels.npy --sizes sizes.csv.gz", "zcat edges.el.gz | copse components - --top 3"}},
      {"forest",
       {"copse forest roads.gr -o tree.csv --verify", "copse forest roads.gr --rooted parents.csv --tour",
        "copse forest rmat:scale=10,edges=8 --json"}},
      {"thresholds",
       {"copse thresholds pairs.csv --weight score", "copse thresholds pairs.csv --weight score --at .5,.9 --labels clusters.csv",
        "copse thresholds pairs.csv --weight score --points 100 -o curve.csv"}},
      {"cluster",
       {"copse cluster pairs.csv --weight score --threshold .5 --max-records 2 -o clusters.csv --refused refused.csv",
        "copse cluster pairs.csv --weight score --threshold .5,.9 --best-link mutual -o clusters.csv",
        "copse cluster pairs.csv --weight score --vertex-file people.csv:record --one-per email --json"}},
      {"dendrogram",
       {"copse dendrogram pairs.csv --weight score -o linkage.npy",
        "copse dendrogram pairs.csv --weight score --clusters 2 --labels clusters.csv",
        "copse dendrogram pairs.csv --weight score --threshold .9 --labels clusters.csv"}},
      {"explain",
       {"copse explain pairs.csv ann cid --weight score", "copse explain pairs.csv --pairs pairs.csv --weight score",
        "copse explain roads.gr 1 2 --json"}},
      {"bridges",
       {"copse bridges web.mtx -o bridges.csv --labels parts.csv --verify", "copse bridges pairs.csv --weight score --giant --top 3",
        "copse bridges roads.gr --simple --json"}},
      {"report",
       {"copse components web.mtx --top 5 --json > components.json && copse report components.json -o report.html",
        "copse thresholds pairs.csv --weight score --json > curve.json && copse report curve.json -o curve.html --title Pairs",
        "copse bridges web.mtx --giant --json > bridges.json && copse report bridges.json -o bridges.html"}},
      {"stream",
       {"copse stream edges.el -o labels.csv", "printf '1 2\\n2 3\\n? 1 3\\n' | copse stream",
        "copse stream edges.el --checkpoint state.copse --every 1000000"}},
      {"group",
       {"copse group people.csv --id record --by email,phone -o groups.csv",
        "copse group people.csv --id record --by email,phone,address --max-group 1000 --split --top 3",
        "printf 'a@x 1\\na@x 2\\n' | copse group - --by-line -o -"}},
      {"reduce",
       {"copse reduce edges.el -o all.forest", "copse reduce edges.el --part 1/2 -o part1.forest --verify",
        "copse reduce pairs.csv --weight score --min-weight 0.9 -o pairs.forest --json"}},
      {"merge",
       {"copse reduce edges.el --part 1/2 -o a.forest && copse reduce edges.el --part 2/2 -o b.forest && copse merge a.forest b.forest -o "
        "labels.csv --verify-against edges.el",
        "copse reduce web.mtx -o web.forest && copse merge web.forest --top 3",
        "copse reduce edges.el -o a.forest && copse merge a.forest -o all.forest --verify --json"}},
      {"verify",
       {"copse components web.mtx -o labels.csv && copse verify web.mtx labels.csv",
        "copse components web.mtx -o numbers.npy --labels dense && copse verify web.mtx numbers.npy --labels dense",
        "zcat edges.el.gz | copse components - -o labels.csv && copse verify edges.el.gz labels.csv --json"}},
      {"compare",
       {"copse components pairs.csv --weight score --min-weight 0.9 -o clusters.csv && copse compare clusters.csv truth.csv --common",
        "copse compare clusters.csv truth.csv --columns id,component --truth-columns id,entity --common --json",
        "copse components web.mtx -o a.npy && copse components web.mtx --labels dense -o b.npy && copse compare a.npy b.npy"}},
      {"info", {"copse info web.mtx", "copse info edges.el.gz --all", "copse info rmat:scale=10,edges=8 --json"}},
      {"plan",
       {"copse plan edges.el", "copse plan --vertices 1000000000 --edges 20000000000 --workers 64",
        "copse plan --vertices 50000000 --edges 300000000 --shape strings --json"}},
      {"extract",
       {"copse extract edges.el --largest -o largest.el", "copse extract web.mtx --component 2 -o - --output-format el",
        "copse extract edges.el --largest -o largest.sg --id-map ids.csv"}},
      {"convert",
       {"copse convert web.mtx web.sg", "copse convert edges.el edges.mtx --id-map ids.csv",
        "copse convert web.mtx - --output-format el | gzip > web.el.gz"}},
      {"generate",
       {"copse generate rmat:scale=10,edges=16,seed=7 -o graph.sg", "copse generate grid2d:rows=100,cols=50 -o grid.el.zst",
        "copse generate list:n=1000000 -o list.npy"}},
      {"rank",
       {"copse rank list:n=100000 -o ranks.npy --verify", "printf '1\\n2\\n-1\\n' | copse rank - -o -",
        "copse rank list:n=100000 --from head --json"}},
      {"variants", {"copse variants", "copse variants 'threads.kout.*'", "copse variants --problem forest --json"}},
      {"bench",
       {"copse bench karate --variants auto,serial.none.rem --trials 3", "copse bench web.mtx --variants 'threads.none.*' --within 1.5",
        "copse bench er:n=1000,m=2000 --variants auto --trials 3"}},
      {"bench compare",
       {"copse bench compare before.json after.json", "copse bench compare after.json --against serial.none.rem",
        "copse bench compare before.json before.json"}},
      {"completions", {"copse completions bash > copse.bash", "copse completions zsh > _copse", "copse completions fish > copse.fish"}},
      {"man", {"copse man > copse.1", "copse man | gzip > copse.1.gz", "copse man | grep -A 4 memory"}},
  };
  return all;
}

}  // namespace

void add_examples(CLI::App& app) {
  for (const auto& [words, command] : paths_of(app)) {
    const auto found = examples().find(words);
    if (found == examples().end()) continue;
    std::string text = command->get_footer();
    if (!text.empty()) text += "\n\n";
    text += "Examples:";
    for (const std::string_view line : found->second) text.append("\n  ").append(line);
    const_cast<CLI::App*>(command)->footer(text);  // commands_of() returns constant commands; only this function changes them
  }
}

}  // namespace copse::cli
