#include <copse/core/error.hpp>
#include <copse/incremental.hpp>
#include <registry/incremental_choice.hpp>
#include <registry/incremental_rows.hpp>

#include <string>

namespace copse::registry {

const row& incremental_row_named(std::string_view name, unsigned threads) {
  if (name == "auto") name = threads > 1 ? "omp.none.rem_cas.naive.halve_one" : "serial.none.rem";
  if (const auto reason = incremental_refusal(name)) throw usage_error{*reason};
  return *find_row(name, input_kind::coo, problem_kind::incremental);
}

}  // namespace copse::registry

namespace copse {

std::optional<std::string> incremental_refusal(std::string_view name, mixing how) {
  if (auto reason = refusal(name, input_kind::coo, problem_kind::incremental); reason || how == mixing::phased) return reason;
  const auto& row = *registry::find_row(name, input_kind::coo, problem_kind::incremental);
  const auto reason =
      registry::concurrent_refusal_of(registry::finish_entries[row.finish].traits, row.info.backend != backend::serial::name);
  return reason.empty() ? std::nullopt : std::optional{std::string{name}.append(": ").append(reason)};
}

}  // namespace copse
