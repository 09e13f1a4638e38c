// Which variants a bench measures: patterns, choosers and thread counts become a list without repeats.
#pragma once
#include <copse/variants.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

/// The chooser that a name such as cuda.auto means: what `--device cuda` with `--variant auto` is for other commands.
std::optional<std::string_view> chooser_on_gpu(std::string_view name) noexcept;

/// csr or coo.
std::string_view to_string(input_kind input) noexcept;

struct bench_entry {
  std::string variant;   ///< its name, or a chooser
  unsigned threads = 1;  ///< 1 for variants that are serial or on a GPU, whatever was asked
};

/// In the order of the patterns and of the table; one entry for each number of threads. Throws usage_error with the reason for a pattern
/// that matches nothing.
std::vector<bench_entry> entries_to_measure(const std::vector<std::string>& patterns, input_kind input,
                                            const std::vector<unsigned>& threads);

}  // namespace copse::cli
