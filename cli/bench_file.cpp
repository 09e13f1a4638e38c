#include "bench_file.hpp"

#include <algorithm>
#include <cmath>
#include <copse/errors.hpp>

#include "text_file.hpp"

namespace copse::cli {
namespace {

constexpr const char* expected = "a file that copse bench --json wrote";

bench_file::entry entry_of(const json& object, const std::string& path) {
  bench_file::entry entry{object.at("variant").get<std::string>(), object.at("input").get<std::string>(),
                          object.at("threads").get<unsigned>(), object.at("seconds").at("samples").get<std::vector<double>>()};
  for (const double seconds : entry.samples) {
    if (!std::isfinite(seconds) || seconds <= 0)
      throw input_error::at(path, 0, "a sample of " + std::to_string(seconds) + " seconds for " + entry.variant, expected);
  }
  return entry;
}

bench_file::graph graph_of(const json& object, const std::string& path) {
  bench_file::graph g{object.at("graph").get<std::string>(), object.at("graph_checksum").get<std::string>(), {}};
  for (const json& entry : object.at("rows")) {
    if (!entry.value("wrong", false)) g.entries.push_back(entry_of(entry, path));
  }
  return g;
}

/// nlohmann's text without the `[json.exception.type_error.302] ` before it.
std::string plain(const std::string& what) {
  const auto end = what.find("] ");
  return end == std::string::npos ? what : what.substr(end + 2);
}

}  // namespace

const bench_file::graph* bench_file::find(const std::string& name) const {
  const auto found = std::ranges::find(graphs, name, &graph::name);
  return found == graphs.end() ? nullptr : &*found;
}

bench_file read_bench_file(const std::string& path) {
  const json object = json::parse(read_text(path), nullptr, false);
  if (object.is_discarded()) throw input_error::at(path, 0, "no JSON", expected);
  try {
    if (const auto benchmark = object.at("benchmark").get<std::string>(); benchmark != "bench")
      throw input_error::at(path, 0, "benchmark " + benchmark, expected);
    if (!object.at("machine").is_object()) throw input_error::at(path, 0, "machine " + object["machine"].dump(), "an object of facts");
    bench_file file{path, object.at("machine"), object.at("threads").get<std::vector<unsigned>>(), {}};
    for (const json& graph : object.at("graphs")) file.graphs.push_back(graph_of(graph, path));
    return file;
  } catch (const json::exception& problem) {
    throw input_error::at(path, 0, "JSON where " + plain(problem.what()), expected);
  }
}

}  // namespace copse::cli
