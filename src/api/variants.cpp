// Names of variants: lists them, matches patterns, parses names, and explains why a name is no variant.
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>
#include <core/gpu_part.hpp>
#include <core/named_entries.hpp>
#include <device/solver.hpp>
#include <hybrid/named.hpp>
#include <list_ranking/variants.hpp>
#include <variants/added.hpp>
#include <variants/choosers.hpp>
#include <variants/cuda.hpp>
#include <variants/table.hpp>
#include <variants/validity.hpp>
#include <weighted/variants.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace copse {
namespace {

using variant::finish_entry;

/// Afforest has no find of its own: these words in its name only choose how its last pass flattens trees, and all give the same labels.
constexpr std::array<std::string_view, 3> afforest_aliases{"compress", "split", "halve"};

std::string one_of(const std::vector<std::string_view>& words) {
  std::string text;
  std::set<std::string_view> listed;
  for (const auto word : words) {
    if (!listed.insert(word).second) continue;
    if (!text.empty()) text += ", ";
    text += word.empty() ? std::string_view{"nothing"} : word;
  }
  return text;
}

std::vector<std::string_view> split_name(std::string_view name) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    words.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool matches(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') return matches(text, pattern.substr(1)) || (!text.empty() && matches(text.substr(1), pattern));
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) && matches(text.substr(1), pattern.substr(1));
}

std::string unknown(std::string_view slot, std::string_view word, const std::vector<std::string_view>& known) {
  return std::string{"unknown "}.append(slot).append(" '").append(word).append("'; known: ").append(one_of(known));
}

/// Returns the name of a variant without its last word if this is one of afforest_aliases; otherwise the name as it is.
std::string_view canonical_name(std::string_view name) noexcept {
  for (const std::string_view alias : afforest_aliases) {
    if (!name.ends_with(alias)) continue;
    const std::string_view before = name.substr(0, name.size() - alias.size());
    if (before.ends_with(".afforest.")) return before.substr(0, before.size() - 1);
  }
  return name;
}

std::vector<variant_info> infos_of(problem_kind problem) {
  std::vector<variant_info> infos;
  for (const auto& row : variant::table(problem)) infos.push_back(row.info);
  return infos;
}

/// Returns the descriptions of a table whose variants consist of a backend and an algorithm.
template <class Entry>
std::vector<variant_info> infos_of(std::span<const Entry> table, problem_kind problem) {
  std::vector<variant_info> infos;
  for (const Entry& entry : table) {
    const named_variant& v = entry.described;
    infos.push_back({.name = std::string{v.name},
                     .backend = v.backend,
                     .sampler = {},
                     .finish = v.algorithm,
                     .find = {},
                     .splice = {},
                     .problem = problem,
                     .summary = v.summary});
  }
  return infos;
}

/// True if every variant of the problem takes edge lists as well as rows.
bool takes_any_input(problem_kind problem) { return problem == problem_kind::weighted_forest || problem == problem_kind::list_ranking; }

}  // namespace

std::span<const variant_info> variants(problem_kind problem) {
  static const std::array<std::vector<variant_info>, 5> all{
      infos_of(problem_kind::components), infos_of(problem_kind::forest), infos_of(problem_kind::incremental),
      infos_of(weighted::entries(), problem_kind::weighted_forest), infos_of(list_ranking::entries(), problem_kind::list_ranking)};
  return all[static_cast<std::size_t>(problem)];
}

std::span<const std::string_view> choosers() noexcept { return variant::chooser_names; }

bool is_chooser(std::string_view name) noexcept { return std::ranges::find(choosers(), name) != choosers().end(); }

std::vector<const variant_info*> variants_matching(std::string_view pattern, problem_kind problem) {
  std::vector<const variant_info*> found;
  const std::string_view wanted = canonical_name(pattern);
  for (const auto& info : variants(problem)) {
    if (wanted.empty() || matches(info.name, wanted)) found.push_back(&info);
  }
  return found;
}

std::vector<std::string> hybrid_names(std::string_view pattern) {
  std::vector<std::string> names;
  for (const auto part : hybrid::cpu_part_names) {
    for (const auto& info : variants()) {
      if (info.backend != variant::cuda_name) continue;
      if (const auto* const entry = hybrid::gpu_part_entry(info.name); entry == nullptr || entry->info.input != info.input) continue;
      auto name = std::string{hybrid::name_prefix}.append(part).append(info.name.substr(variant::cuda_name.size()));
      if (matches(name, pattern)) names.push_back(std::move(name));
    }
  }
  return names;
}

const variant_info* find_variant(std::string_view name, input_kind input, problem_kind problem) {
  const std::string_view wanted = canonical_name(name);
  for (const auto& info : variants(problem)) {
    if (info.name == wanted && (info.input == input || takes_any_input(problem))) return &info;
  }
  return nullptr;
}

std::optional<std::string> refusal(std::string_view name, input_kind input, problem_kind problem) {
  if (find_variant(name, input, problem) != nullptr) return std::nullopt;
  if (problem == problem_kind::weighted_forest) return unknown_name(weighted::entries(), name);
  if (problem == problem_kind::list_ranking) return unknown_name(list_ranking::entries(), name);
  auto words = split_name(name);
  if (is_hybrid(name)) return hybrid::refusal(name, problem);
  words.resize(std::max<std::size_t>(words.size(), 5));
  if (words.size() > 5) return "a variant is backend.sampler.finish[.find|.rule][.splice], which has no sixth part";

  std::vector<std::string_view> backend_names;
  bool concurrent = false;
  variant::for_each_type(variant::backends{}, [&]<class Backend>() {
    backend_names.push_back(Backend::name);
    if (Backend::name == words[0]) concurrent = Backend::concurrent;
  });
  if (words[0] == variant::cuda_name && !has_gpu_part) return std::string{name}.append(": this build has no GPU part");
  if (has_gpu_part) backend_names.push_back(variant::cuda_name);
  if (words[0] == variant::cuda_name) concurrent = true;
  if (std::ranges::find(backend_names, words[0]) == backend_names.end()) return unknown("backend", words[0], backend_names);
  std::vector<std::string_view> sampler_names;
  const variant::sampler_entry* sampler = nullptr;
  bool is_added = false;
  for (std::size_t s = 0; s < variant::sampler_count(); ++s) {
    sampler_names.push_back(variant::sampler_at(s).name);
    if (sampler_names.back() != words[1]) continue;
    sampler = &variant::sampler_at(s);
    is_added = s >= variant::sampler_entries.size();
  }
  if (sampler == nullptr) return unknown("sampler", words[1], sampler_names);

  std::vector<std::string_view> finish_names, find_names, splice_names;
  const variant::finish_entry* entry = nullptr;
  for (std::size_t f = 0; f < variant::finish_count(); ++f) {
    const finish_entry& candidate = variant::finish_at(f);
    finish_names.push_back(candidate.finish);
    if (candidate.finish != words[2]) continue;
    find_names.push_back(candidate.find);
    if (candidate.find != words[3]) continue;
    splice_names.push_back(candidate.splice);
    if (candidate.splice != words[4]) continue;
    entry = &candidate;
    is_added |= f >= variant::finish_entries.size();
  }
  if (find_names.empty()) return unknown("finish", words[2], finish_names);
  if (splice_names.empty()) return unknown(std::string{"find or rule of "}.append(words[2]), words[3], find_names);
  if (entry == nullptr) return unknown(std::string{"splice of "}.append(words[2]), words[4], splice_names);

  const bool on_gpu = words[0] == variant::cuda_name;
  std::string_view reason = is_added ? variant::refusal_of_added(problem, on_gpu) : std::string_view{};
  if (reason.empty()) reason = variant::refusal_of(*entry, concurrent, *sampler, input, problem, on_gpu);
  return std::string{name}.append(": ").append(reason);
}

std::optional<std::string> refusal(std::string_view name, problem_kind problem) {
  if (is_chooser(name)) return std::nullopt;
  const auto of_rows = refusal(name, input_kind::csr, problem), of_lists = refusal(name, input_kind::coo, problem);
  if (!of_rows || !of_lists) return std::nullopt;
  // The variant is refused for rows and for edge lists. The reason to report is that for the input which the variant takes when it finds
  // components.
  const bool takes_lists_only = find_variant(name, input_kind::csr) == nullptr && find_variant(name, input_kind::coo) != nullptr;
  return takes_lists_only ? of_lists : of_rows;
}

}  // namespace copse
