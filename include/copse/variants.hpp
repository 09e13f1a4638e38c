// The table of variants: every combination that exists, by name, and the reason why any other does not.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

enum class problem_kind : std::uint8_t { components, forest, incremental, weighted_forest, list_ranking };
enum class input_kind : std::uint8_t { csr, coo };

/// One variant: `backend.sampler.finish[.find|.rule][.splice]`, of weighted forests and list ranking `backend.finish`; a name is unique
/// within (problem, input).
struct variant_info {
  std::string name;
  std::string_view backend, sampler, finish, find, splice;  ///< find and splice may be empty
  problem_kind problem = problem_kind::components;
  input_kind input = input_kind::csr;      ///< for weighted forests and list ranking one row represents all inputs
  std::string_view summary;                ///< one line about the finish
  std::uint32_t aux_bytes_per_vertex = 0;  ///< in addition to the labels; for a forest its slots too
  bool both_directions = false;            ///< rows must store both directions of every edge
};

/// All variants of a problem, backends, samplers and finishes in the order of the table.
[[nodiscard]] std::span<const variant_info> variants(problem_kind problem = problem_kind::components);

/// Names that stand for a variant chosen for the graph ("auto"): solve_options::variant takes them in addition to the names of variants().
[[nodiscard]] std::span<const std::string_view> choosers() noexcept;
[[nodiscard]] bool is_chooser(std::string_view name) noexcept;

/// Rows whose name matches a pattern with `*` and `?` (empty: all).
[[nodiscard]] std::vector<const variant_info*> variants_matching(std::string_view pattern, problem_kind problem = problem_kind::components);

/// nullptr when no variant has that name and takes this input. For weighted forests and list ranking, `input` is ignored.
[[nodiscard]] const variant_info* find_variant(std::string_view name, input_kind input, problem_kind problem = problem_kind::components);

/// Why `name` is no variant: an unknown word (with the words that are known there), or the reason why the
/// combination is refused. Empty when it is one.
[[nodiscard]] std::optional<std::string> refusal(std::string_view name, input_kind input, problem_kind problem = problem_kind::components);
/// The same if no kind of input has such a variant; nothing for a chooser.
[[nodiscard]] std::optional<std::string> refusal(std::string_view name, problem_kind problem);

}  // namespace copse
