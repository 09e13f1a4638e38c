#include "bench_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <set>

namespace copse::cli {
namespace {

/// A name, or what a pattern matches among the variants of this input.
std::vector<std::string> names_for(const std::string& pattern, input_kind input) {
  if (is_chooser(pattern) || chooser_on_gpu(pattern)) return {pattern};
  if (is_hybrid(pattern) && !refusal(pattern, input)) return {pattern};
  if (const variant_info* named = find_variant(pattern, input)) return {named->name};
  std::vector<std::string> names;
  const bool any_gpu = !gpus().empty();
  for (const variant_info* info : variants_matching(pattern)) {
    if (info->input == input && (info->backend != "cuda" || any_gpu)) names.push_back(info->name);
  }
  if (!names.empty()) return names;
  if (pattern.find_first_of("*?") == std::string::npos)
    throw usage_error{fmt::format("--variants {}: {} (copse variants lists all)", pattern, refusal(pattern, input).value_or("unknown"))};
  throw usage_error{fmt::format(
      "--variants: found no variant for --input {} that matches {}, expected a pattern such as threads.* (copse variants lists all)",
      to_string(input), pattern)};
}

/// Serial variants, and those of a GPU, which has threads of its own.
bool takes_no_threads(const std::string& name, input_kind input) {
  if (chooser_on_gpu(name)) return true;
  const variant_info* info = find_variant(name, input);
  return info != nullptr && (info->backend == "serial" || info->backend == "cuda");
}

}  // namespace

std::string_view to_string(input_kind input) noexcept { return input == input_kind::csr ? "csr" : "coo"; }

std::optional<std::string_view> chooser_on_gpu(std::string_view name) noexcept {
  constexpr std::string_view device = "cuda.";
  if (!name.starts_with(device) || !is_chooser(name.substr(device.size()))) return std::nullopt;
  return name.substr(device.size());
}

std::vector<bench_entry> entries_to_measure(const std::vector<std::string>& patterns, input_kind input,
                                            const std::vector<unsigned>& threads) {
  std::vector<bench_entry> entries;
  std::set<std::string> listed;
  for (const std::string& pattern : patterns) {
    for (const std::string& name : names_for(pattern, input)) {
      if (!listed.insert(name).second) continue;
      if (takes_no_threads(name, input)) {
        entries.push_back({name, 1});
      } else {
        for (const unsigned t : threads) entries.push_back({name, t});
      }
    }
  }
  return entries;
}

}  // namespace copse::cli
