// Components of a file of edges. The edges are united while the file is parsed: none is kept, so memory is proportional to the vertices.
//   file [GRAPH [LABELS]]     defaults: karate.txt labels.csv
#include <fmt/core.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/io.hpp>

int main(int argc, char** argv) {
  const char* graph = argc > 1 ? argv[1] : "karate.txt";
  const char* labels = argc > 2 ? argv[2] : "labels.csv";
  try {
    const auto result = copse::components(graph, {});
    const auto summary = copse::summarise(result.labels, 3);
    fmt::print("{} vertices, {} components by {}\n", summary.vertices, summary.components, result.report.variant);
    for (const auto& [label, size] : summary.top) fmt::print("  {} vertices with label {}\n", size, label);
    copse::io::write_labels(result.labels, labels);  // .csv, .txt, .npy or .bin
  } catch (const copse::error& e) {                  // file:line: found X, expected Y
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
