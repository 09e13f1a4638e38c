#include <copse/core/error.hpp>
#include <registry/incremental_rows.hpp>
#include <registry/incremental_table.hpp>
#include <registry/table.hpp>

#include <algorithm>
#include <string>

namespace copse::registry {
namespace {

constexpr std::string_view serial_default = "serial.none.rem", shared_default = "omp.none.rem_cas.naive.halve_one";
constexpr std::string_view batch_sampler = "none";

const incremental_entry* find(std::string_view name) {
  const auto& rows = incremental_table();
  const auto at = std::ranges::find_if(rows, [&](const incremental_entry& row) { return row.info.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

bool is_concurrent(std::string_view backend) { return backend != backend::serial::name; }

}  // namespace

const std::vector<incremental_entry>& incremental_table() {
  static const std::vector<incremental_entry> all = [] {
    std::vector<incremental_entry> rows;
    for (const row& solving : table()) {
      variant_info info = solving.info;
      if (info.backend != backend::serial::name && info.backend != backend::omp::name) continue;
      if (info.input != input_kind::coo || info.sampler != batch_sampler) continue;
      if (!incremental_refusal_of(finish_entries[solving.finish], is_concurrent(info.backend)).empty()) continue;
      info.problem = problem_kind::incremental;
      rows.push_back({std::move(info), solving.finish});
    }
    return rows;
  }();
  return all;
}

const incremental_entry& incremental_entry_named(std::string_view name, unsigned threads) {
  if (name == "auto") name = threads > 1 ? shared_default : serial_default;
  if (const auto reason = incremental_refusal(name)) throw usage_error{*reason};
  return *find(name);
}

}  // namespace copse::registry

namespace copse {

std::span<const variant_info> incremental_variants() noexcept {
  static const std::vector<variant_info> all = [] {
    std::vector<variant_info> infos;
    for (const auto& row : registry::incremental_table()) infos.push_back(row.info);
    return infos;
  }();
  return all;
}

std::optional<std::string> incremental_refusal(std::string_view name, mixing how) {
  const auto because = [name](std::string_view reason) { return std::string{name}.append(": ").append(reason); };
  if (const auto* row = registry::find(name)) {
    if (how == mixing::phased) return std::nullopt;
    const auto reason =
        registry::concurrent_refusal_of(registry::finish_entries[row->finish].traits, registry::is_concurrent(row->info.backend));
    return reason.empty() ? std::nullopt : std::optional{because(reason)};
  }
  // Whatever is wrong with it as a row of components is wrong here too; what is a row there has a reason of its own.
  if (auto reason = refusal(name, input_kind::coo)) {
    if (!refusal(name, input_kind::csr)) return because("it works on the rows of a whole graph, which a batch of edges does not have");
    return reason;
  }
  const variant_info& known = *find_variant(name, input_kind::coo);
  if (known.sampler != registry::batch_sampler) return because("batches are not sampled: the sampler is none");
  if (known.backend != backend::serial::name && known.backend != backend::omp::name) {
    return because("batches are inserted by the backends serial and omp");
  }
  const auto entry = std::ranges::find_if(registry::finish_entries, [&](const registry::finish_entry& e) {
    return e.finish == known.finish && e.find == known.find && e.splice == known.splice;
  });
  return because(registry::incremental_refusal_of(*entry, registry::is_concurrent(known.backend)));
}

}  // namespace copse
