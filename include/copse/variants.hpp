// The table of variants: every valid combination of backend, sampler and finish, by name, and the reason why another one is refused.
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

/// One variant, with the name `backend.sampler.finish[.find|.rule][.splice]`, or `backend.finish` for weighted forests and list ranking. A
/// name is unique within (problem, input).
struct variant_info {
  std::string name;
  std::string_view backend, sampler, finish, find, splice;  ///< parts of the name; find and splice may be empty
  problem_kind problem = problem_kind::components;
  input_kind input = input_kind::csr;      ///< weighted forests and list ranking have a single entry for all inputs
  std::string_view summary;                ///< one line that describes the algorithm that the word `finish` names
  std::uint32_t aux_bytes_per_vertex = 0;  ///< bytes in addition to the labels; for a forest, including the array that records its edges
  bool both_directions = false;            ///< rows must store both directions of every edge
};

/// All variants of a problem in a fixed order: by backend (serial, threads, cuda, hybrid), of a backend by finish, and of a finish by
/// sampler.
[[nodiscard]] std::span<const variant_info> variants(problem_kind problem = problem_kind::components);

/// Names that stand for a variant chosen for the graph (such as "auto"): solve_options::variant accepts them in addition to the names of
/// variants().
[[nodiscard]] std::span<const std::string_view> choosers() noexcept;
[[nodiscard]] bool is_chooser(std::string_view name) noexcept;

/// The variants whose name matches a pattern with `*` and `?`; an empty pattern matches all.
[[nodiscard]] std::vector<const variant_info*> variants_matching(std::string_view pattern, problem_kind problem = problem_kind::components);

/// Returns nullptr if no variant has this name and takes this input. For weighted forests and list ranking, `input` is ignored.
[[nodiscard]] const variant_info* find_variant(std::string_view name, input_kind input, problem_kind problem = problem_kind::components);

/// The reason why `name` is not a variant: an unknown word (with the words that are valid in its place), or why the combination is refused.
/// Empty if it is a variant.
[[nodiscard]] std::optional<std::string> refusal(std::string_view name, input_kind input, problem_kind problem = problem_kind::components);
/// The reason why `name` is not a variant for any kind of input. Empty if it is a variant or one of choosers().
[[nodiscard]] std::optional<std::string> refusal(std::string_view name, problem_kind problem);

}  // namespace copse
