// A file that copse bench --json wrote, read back for comparing: every member that is used is checked.
#pragma once
#include <string>
#include <vector>

#include "json.hpp"

namespace copse::cli {

struct bench_file {
  struct entry {
    std::string variant, input;
    unsigned threads = 1;
    std::vector<double> samples;  ///< seconds; none where the variant gave up
  };
  struct graph {
    std::string name, checksum;
    std::vector<entry> entries;  ///< without those whose labels were wrong
  };

  std::string path;
  json machine;
  std::vector<unsigned> threads;
  std::vector<graph> graphs;

  [[nodiscard]] const graph* find(const std::string& name) const;
};

/// Variants of files of older versions get their names of today. Throws input_error for a file that cannot be read or is none of bench.
bench_file read_bench_file(const std::string& path);

}  // namespace copse::cli
