// Samplers and finishes from outside copse. A program that links the library can add them to the table of components before main()
// (variants/added_code.hpp, cmake/copse_add_variants.cmake); their numbers follow those of the lists in axes.hpp.
#pragma once
#include <copse/variants.hpp>
#include <variants/axes.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace copse::variant {

struct added_entries {
  std::span<const sampler_entry> samplers;
  std::span<const finish_entry> finishes;
  bool on_gpu = false;  ///< true if the samplers and finishes are compiled for GPUs, too
};
/// The entries that the program has added; empty if it adds none.
inline constinit added_entries added{};

/// Returns element `i` of the list that consists of `listed` and then `more`.
template <class Entry>
const Entry& with_added(std::span<const Entry> listed, std::span<const Entry> more, std::size_t i) noexcept {
  return i < listed.size() ? listed[i] : more[i - listed.size()];
}

inline std::size_t sampler_count() noexcept { return sampler_entries.size() + added.samplers.size(); }
inline std::size_t finish_count() noexcept { return finish_entries.size() + added.finishes.size(); }
inline const sampler_entry& sampler_at(std::size_t i) noexcept { return with_added<sampler_entry>(sampler_entries, added.samplers, i); }
inline const finish_entry& finish_at(std::size_t i) noexcept { return with_added<finish_entry>(finish_entries, added.finishes, i); }

/// Returns why variants with an added sampler or finish are refused, whatever these are; empty if they are not refused.
inline std::string_view refusal_of_added(problem_kind problem, bool on_gpu) noexcept {
  if (problem != problem_kind::components) return "it was added by a program, and added variants find components only";
  if (on_gpu && !added.on_gpu) return "it was added by a program, which has no kernels of it";
  return {};
}

}  // namespace copse::variant
