#include "gpu_list.hpp"

#include <fmt/format.h>

#include <copse/cuda.hpp>
#include <vector>

#include "output.hpp"

namespace copse::cli {
namespace {

bool fits(const gpu_facts& gpu, const gpu_needs& needs) { return needs.bytes && *needs.bytes <= gpu.free_bytes; }

std::string needs_text(const gpu_facts& gpu, const gpu_needs* needs) {
  if (needs == nullptr) return "";
  if (!needs->bytes) return "; the graph has 64-bit ids, which run on the CPU only";
  return fmt::format("; the graph {} ({} needed)", fits(gpu, *needs) ? "fits" : "does not fit", bytes_text(*needs->bytes));
}

/// Returns the memory that the graph needs on a GPU; nothing if there is no graph or no GPU.
std::optional<gpu_needs> needs_of(const graph* g, std::span<const gpu_facts> all) {
  if (g == nullptr || all.empty()) return std::nullopt;
  return needs_on_gpu(g->view());
}

}  // namespace

gpu_needs needs_on_gpu(graph_view g) {
  const bool narrow = std::visit([](const auto& view) { return sizeof(view.vertices()) == 4; }, g);
  return {narrow ? std::optional{gpu_graph::bytes_needed(g)} : std::nullopt};
}

json gpu_list_json(std::span<const gpu_facts> all, const gpu_needs* needs) {
  json list = json::array();
  for (const gpu_facts& gpu : all) {
    json object{{"device", fmt::format("cuda:{}", gpu.index)},
                {"name", gpu.name},
                {"capability", fmt::format("{}.{}", gpu.capability_major, gpu.capability_minor)},
                {"multiprocessors", gpu.multiprocessors},
                {"memory_bytes", gpu.memory_bytes},
                {"free_bytes", gpu.free_bytes}};
    if (needs != nullptr) {
      object["needed_bytes"] = needs->bytes ? json(*needs->bytes) : json(nullptr);
      object["fits"] = fits(gpu, *needs);
    }
    list.push_back(std::move(object));
  }
  return list;
}

std::string gpu_list_text(std::span<const gpu_facts> all, const gpu_needs* needs) {
  std::string text;
  for (const gpu_facts& gpu : all) {
    text += fmt::format("cuda:{:<6} {}, capability {}.{}, {} multiprocessors, {} free of {}{}\n", gpu.index, gpu.name, gpu.capability_major,
                        gpu.capability_minor, gpu.multiprocessors, bytes_text(gpu.free_bytes), bytes_text(gpu.memory_bytes),
                        needs_text(gpu, needs));
  }
  if (!text.empty()) return text;
  return built_with_cuda() ? "no GPU found\n" : "no GPU: this build has no GPU part\n";
}

json gpu_list_json(const graph* g) {
  const auto all = gpus();
  const auto needs = needs_of(g, all);
  return gpu_list_json(all, needs ? &*needs : nullptr);
}

std::string gpu_list_text(const graph* g) {
  const auto all = gpus();
  const auto needs = needs_of(g, all);
  return gpu_list_text(all, needs ? &*needs : nullptr);
}

}  // namespace copse::cli
