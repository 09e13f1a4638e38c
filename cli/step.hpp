// What a command was doing, and with which file, when memory ended.
#pragma once
#include <string_view>

#include "core/memory_error.hpp"

namespace copse::cli {

/// What `work` returns. Throws what it throws; a memory_error names the file and the step, unless it names others already.
template <class Work>
auto in_step(std::string_view file, std::string_view step, Work work) {
  try {
    return work();
  } catch (const memory_error& problem) {
    throw problem.in_step(file, step);
  }
}

}  // namespace copse::cli
