// The words after a benchmark's name: values by name, and graphs; and the main that all benchmarks share.
#pragma once
#include <copse/build.hpp>
#include <copse/generate.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../cli/words.hpp"
#include "samples.hpp"

namespace copse::bench {

/// What is asked for: `--name value` and `name=value` are the same.
class asked {
public:
  /// All names that there are, with what holds where nothing is said.
  using defaults = std::map<std::string, std::string, std::less<>>;

  /// Throws invalid_argument for a name that `values` has not.
  asked(int count, char** arguments, defaults values) : values_{std::move(values)} {
    for (int i = 1; i < count; ++i) {
      const std::string_view word = arguments[i];
      const auto equals = word.find('=');
      if (word.starts_with("--")) {
        if (i + 1 == count) throw std::invalid_argument{std::string{word} + " has no value"};
        set(word.substr(2), arguments[++i]);
      } else if (equals != word.npos && values_.contains(word.substr(0, equals))) {
        set(word.substr(0, equals), word.substr(equals + 1));
      } else {
        graphs_.emplace_back(word);
      }
    }
  }

  [[nodiscard]] const std::string& operator[](std::string_view name) const { return values_.find(name)->second; }
  [[nodiscard]] unsigned number(std::string_view name) const { return static_cast<unsigned>(std::stoul((*this)[name])); }
  /// Of a list with commas; none of an empty one.
  [[nodiscard]] std::vector<std::string> words(std::string_view name) const {
    return (*this)[name].empty() ? std::vector<std::string>{} : cli::comma_separated((*this)[name]);
  }
  template <class T = double>
  [[nodiscard]] std::vector<T> numbers(std::string_view name) const {
    std::vector<T> all;
    for (const auto& word : words(name)) all.push_back(static_cast<T>(std::stod(word)));
    return all;
  }
  /// Graphs and files. Throws invalid_argument when there is none.
  [[nodiscard]] const std::vector<std::string>& graphs() const {
    if (graphs_.empty()) throw std::invalid_argument{"found no graph"};
    return graphs_;
  }
  /// To the file of the option json.
  void write(const json& result) const { write_result((*this)["json"], result); }

private:
  void set(std::string_view name, std::string_view value) {
    const auto known = values_.find(name);
    if (known == values_.end()) throw std::invalid_argument{"unknown " + std::string{name}};
    known->second = value;
  }

  defaults values_;
  std::vector<std::string> graphs_;
};

/// The main of a benchmark called `program`, whose words are options with these defaults, and `operands`.
template <class Run>
int run_benchmark(int count, char** arguments, std::string_view program, std::string_view operands, const asked::defaults& values,
                  Run run) {
  std::string usage{program};
  for (const auto& [name, value] : values) usage += fmt::format(" [--{} {}]", name, value.empty() ? "..." : value);
  return run_and_tell(usage.append(" ").append(operands), [&] {
    run(asked{count, arguments, values});
    return 0;
  });
}

/// `measure(graph)` makes an entry of the result's graphs. It is written after each: the next may be killed.
template <class Graphs, class Measure>
void measure_each(const Graphs& graphs, const std::string& path, json result, Measure measure) {
  result["graphs"] = json::array();
  std::size_t left = std::size(graphs);
  for (const auto& graph : graphs) {
    result["graphs"].push_back(measure(std::string{graph}));
    if (--left == 0 || !path.empty()) write_result(path, result);
  }
}
template <class Measure>
void measure_each(const asked& asked, json result, Measure measure) {
  measure_each(asked.graphs(), asked["json"], std::move(result), measure);
}

/// Rows, of a generator spec or as a file has them.
inline graph graph_named(const std::string& name, unsigned threads = 0) {
  return gen::is_spec(name) ? build_csr(gen::generate(name, {.threads = threads}), {.threads = threads}) : io::read_graph(name);
}

/// Of a file without its folder.
inline std::string short_name(const std::string& graph) { return graph.substr(graph.find_last_of('/') + 1); }

}  // namespace copse::bench
