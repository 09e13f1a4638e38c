#include <core/gpu_part.hpp>
#include <variants/added.hpp>
#include <variants/cuda.hpp>
#include <variants/table.hpp>
#include <variants/validity.hpp>

#include <array>
#include <iterator>
#include <string>
#include <utility>

namespace copse::variant {
namespace {

std::uint32_t aux_bytes(aux_array aux) {
  switch (aux) {
    case aux_array::none:
      return 0;
    case aux_array::flags:
      return 1;
    case aux_array::search_stack:
    case aux_array::labels:
    case aux_array::stamps:
      return 4;
    case aux_array::frontiers:
    case aux_array::ranks:
      return 8;
    case aux_array::frontiers_and_labels:
      return 12;
    case aux_array::edges:
      return 16;
  }
  return 0;
}

std::vector<table_entry> table_of(problem_kind problem) {
  std::vector<table_entry> entries;
  const auto add = [&entries](std::vector<table_entry> more) {
    entries.insert(entries.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  for_each_type(backends{}, [&]<class Backend>() { add(variants_of(Backend::name, Backend::concurrent, problem)); });
  if (has_gpu_part) add(variants_of(cuda_name, true, problem));
  return entries;
}

}  // namespace

std::vector<table_entry> variants_of(std::string_view backend, bool concurrent, problem_kind problem) {
  const std::uint32_t slot_bytes = problem == problem_kind::forest ? sizeof(edge<std::uint32_t>) : 0;
  std::vector<table_entry> entries;
  const bool adds = refusal_of_added(problem, backend == cuda_name).empty();
  const std::size_t finish_end = adds ? finish_count() : finish_entries.size();
  const std::size_t sampler_end = adds ? sampler_count() : sampler_entries.size();
  for (std::size_t f = 0; f < finish_end; ++f) {
    for (std::size_t s = 0; s < sampler_end; ++s) {
      for (const input_kind input : {input_kind::csr, input_kind::coo}) {
        const finish_entry& entry = finish_at(f);
        const sampler_entry& sampler = sampler_at(s);
        if (!refusal_of(entry, concurrent, sampler, input, problem, backend == cuda_name).empty()) continue;
        std::string name{backend};
        for (const std::string_view word : {sampler.name, entry.finish, entry.find, entry.splice}) {
          if (!word.empty()) name.append(".").append(word);
        }
        entries.push_back({.info = {.name = std::move(name),
                                    .backend = backend,
                                    .sampler = sampler.name,
                                    .finish = entry.finish,
                                    .find = entry.find,
                                    .splice = entry.splice,
                                    .problem = problem,
                                    .input = input,
                                    .summary = entry.summary,
                                    .aux_bytes_per_vertex = aux_bytes(entry.traits.aux) + slot_bytes,
                                    .both_directions = input == input_kind::csr && (sampler.skips_giant || entry.traits.needs_symmetric)},
                           .sampler = s,
                           .finish = f});
      }
    }
  }
  return entries;
}

const std::vector<table_entry>& table(problem_kind problem) {
  static const std::array<std::vector<table_entry>, 3> tables{table_of(problem_kind::components), table_of(problem_kind::forest),
                                                              table_of(problem_kind::incremental)};
  return tables[static_cast<std::size_t>(problem)];
}

const table_entry* find_entry(std::string_view name, input_kind input, problem_kind problem) {
  for (const table_entry& candidate : table(problem)) {
    if (candidate.info.name == name && candidate.info.input == input) return &candidate;
  }
  return nullptr;
}

}  // namespace copse::variant
