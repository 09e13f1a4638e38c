#include "version.hpp"

#include <copse/version.h>
#include <copse/cuda.hpp>
#include <copse_built_with.hpp>  // written when the build is configured
#include <copse_commit.hpp>      // COPSE_COMMIT, written by every build

namespace copse::cli {

const char* version_text() noexcept {
  return built_with_cuda() ? "copse " COPSE_VERSION_TEXT "\nGPU part: on (CUDA)"
                           : "copse " COPSE_VERSION_TEXT "\nGPU part: off (this build has none)";
}

json version_json() {
  json built_with = json::object();
  for (const auto& [name, version] : copse_built_with) built_with[name] = *version != '\0' ? json(version) : json(nullptr);
  return {{"version", COPSE_VERSION_TEXT},
          {"commit", COPSE_COMMIT},
          {"compiler", __VERSION__},
          {"build_type", COPSE_BUILD_TYPE},
          {"built_with", built_with}};
}

}  // namespace copse::cli
