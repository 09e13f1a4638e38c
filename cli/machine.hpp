// The facts that a measurement reports in addition to its numbers: the machine, the commit, and whether this build is fit for measuring.
#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COPSE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
#define COPSE_SANITIZED 1
#endif
#endif
#ifndef COPSE_SANITIZED
#define COPSE_SANITIZED 0
#endif

namespace copse::cli {

/// The reason why this build must not be measured; empty for a release build.
#if COPSE_SANITIZED
inline constexpr std::string_view unfit_to_measure = "a build with sanitizers";
#elif !defined(NDEBUG)
inline constexpr std::string_view unfit_to_measure = "a debug build";
#else
inline constexpr std::string_view unfit_to_measure = "";
#endif

/// {processor, cores, memory_bytes, load, compiler, version, commit, date}; the commit ends with `-dirty` if files of the source tree
/// differ from it.
nlohmann::ordered_json machine_facts();

}  // namespace copse::cli
