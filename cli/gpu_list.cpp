#include "gpu_list.hpp"

#include <fmt/format.h>

#include <copse/core/gpus.hpp>

#include "output.hpp"

namespace copse::cli {

json gpu_list_json() {
  json list = json::array();
  for (const gpu_facts& gpu : gpus()) {
    list.push_back({{"device", fmt::format("cuda:{}", gpu.index)},
                    {"name", gpu.name},
                    {"capability", fmt::format("{}.{}", gpu.capability_major, gpu.capability_minor)},
                    {"multiprocessors", gpu.multiprocessors},
                    {"memory_bytes", gpu.memory_bytes},
                    {"free_bytes", gpu.free_bytes}});
  }
  return list;
}

std::string gpu_list_text() {
  std::string text;
  for (const gpu_facts& gpu : gpus()) {
    text += fmt::format("cuda:{:<6} {}, capability {}.{}, {} multiprocessors, {} free of {}\n", gpu.index, gpu.name, gpu.capability_major,
                        gpu.capability_minor, gpu.multiprocessors, bytes_text(gpu.free_bytes), bytes_text(gpu.memory_bytes));
  }
  if (!text.empty()) return text;
  return built_with_cuda() ? "no GPU found\n" : "no GPU: this build has no GPU part\n";
}

}  // namespace copse::cli
