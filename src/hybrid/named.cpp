#include <copse/errors.hpp>
#include <core/gpu_part.hpp>
#include <device/solver.hpp>
#include <hybrid/named.hpp>
#include <variants/gpu_choice.hpp>

#include <algorithm>

namespace copse {

bool is_hybrid(std::string_view name) noexcept { return name.starts_with(hybrid::name_prefix); }

}  // namespace copse

namespace copse::hybrid {
namespace {

/// The two parts of a hybrid name: `CPU`, and `cuda.VARIANT`.
struct halves {
  std::string_view part;
  std::string gpu;
};
halves halves_of(std::string_view name) {
  const std::string_view tail = name.substr(name_prefix.size());
  const std::size_t dot = std::min(tail.find('.'), tail.size());
  return {tail.substr(0, dot), std::string{variant::cuda_name}.append(tail.substr(dot))};
}

}  // namespace

const variant::table_entry* gpu_part_entry(std::string_view cuda_variant) {
  const auto* const on_rows = variant::find_entry(cuda_variant, input_kind::csr);
  return on_rows != nullptr ? on_rows : variant::find_entry(cuda_variant, input_kind::coo);
}

std::optional<std::string> refusal(std::string_view name, problem_kind problem) {
  const auto refused = [name](std::string_view why) { return std::string{name}.append(": ").append(why); };
  if (problem != problem_kind::components) return refused("the CPU and a GPU together find components only");
  if (!has_gpu_part) return refused("this build has no GPU part");
  if (name == auto_name) return std::nullopt;
  const auto [part, gpu] = halves_of(name);
  if (std::ranges::find(cpu_part_names, part) == cpu_part_names.end()) {
    std::string known{"auto"};
    for (const auto other : cpu_part_names) known.append(", ").append(other);
    return refused(std::string{"unknown CPU part '"}.append(part).append("'; known: ").append(known));
  }
  if (gpu_part_entry(gpu) != nullptr) return std::nullopt;
  return refused(
      copse::refusal(gpu, input_kind::csr).value_or("what follows the CPU part must be the name of a variant of cuda without 'cuda.'"));
}

hybrid_variant hybrid_variant_named(std::string_view name, graph_view rows) {
  if (!is_hybrid(name)) throw usage_error{std::string{"the variant must be a hybrid one, such as hybrid.auto, not "}.append(name)};
  if (const auto why = hybrid::refusal(name, problem_kind::components)) throw usage_error{*why};
  if (name == auto_name) {
    const variant::table_entry* const gpu = variant::find_entry(variant::on_gpu(rows).variant, input_kind::csr);
    return {std::string{"hybrid.fast"}.append(gpu->info.name.substr(variant::cuda_name.size())), cpu_part::fast, gpu};
  }
  const auto [part, gpu] = halves_of(name);
  const auto at = std::ranges::find(cpu_part_names, part) - cpu_part_names.begin();
  return {std::string{name}, static_cast<cpu_part>(at), gpu_part_entry(gpu)};
}

}  // namespace copse::hybrid
