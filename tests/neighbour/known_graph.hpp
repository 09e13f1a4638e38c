// A graph whose labels are known.
#pragma once
#include <copse/copse.hpp>

#include <cstdint>
#include <string>

namespace copse::test {

class known_graph {
public:
  explicit known_graph(const std::string& recipe = "rmat:scale=15,edges=8,seed=3")
      : rows_{gen::generate(recipe, {.threads = 1})}, expected_{labels_by({.variant = "serial.none.rem"}, {})} {}

  /// Does this solve give the right labels?
  [[nodiscard]] bool solved(const solve_options& options, const execution& on) const { return labels_by(options, on) == expected_; }
  [[nodiscard]] bool solved(unsigned threads) const { return solved({.variant = "threads.kout.afforest"}, {.threads = threads}); }

private:
  [[nodiscard]] std::uint64_t labels_by(const solve_options& options, const execution& on) const {
    return checksum(components(rows_, options, on).labels, {.threads = 1});
  }

  graph rows_;
  std::uint64_t expected_;
};

}  // namespace copse::test
