#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <variants/cuda.hpp>
#include <variants/incremental_choice.hpp>
#include <variants/incremental_code.hpp>

#include <string>

namespace copse::variant {

const table_entry& incremental_variant_named(std::string_view name, unsigned threads, bool on_gpu) {
  if (name == "auto") name = on_gpu ? "cuda.none.fast" : threads > 1 ? "threads.none.fast" : "serial.none.fast";
  if (const auto reason = incremental_refusal(name)) throw usage_error{*reason};
  const table_entry& found = *find_entry(name, input_kind::coo, problem_kind::incremental);
  if (on_gpu && found.info.backend != cuda_name) {
    throw usage_error{"device: found variant " + found.info.name + ", expected a variant of cuda: the others run on the CPU"};
  }
  return found;
}

}  // namespace copse::variant

namespace copse {

std::optional<std::string> incremental_refusal(std::string_view name, mixing mode) {
  if (auto reason = refusal(name, input_kind::coo, problem_kind::incremental); reason || mode == mixing::phased) return reason;
  const auto& found = *variant::find_entry(name, input_kind::coo, problem_kind::incremental);
  const auto reason =
      variant::concurrent_refusal_of(variant::finish_entries[found.finish].traits, found.info.backend != backend::serial::name);
  return reason.empty() ? std::nullopt : std::optional{std::string{name}.append(": ").append(reason)};
}

}  // namespace copse
