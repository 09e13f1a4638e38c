#include "core/devices.hpp"

#include <copse/errors.hpp>

#include <charconv>
#include <string_view>

namespace copse {
namespace {

constexpr unsigned largest_gpu = 1023;

/// Parses a list of numbers such as `0` or `0,2,2`; empty for any other text.
std::vector<unsigned> numbers_of(std::string_view text) {
  std::vector<unsigned> found;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    unsigned number = 0;
    const auto [behind, fault] = std::from_chars(at, end, number);
    if (fault != std::errc{} || number > largest_gpu) return {};
    found.push_back(number);
    if (behind == end) return found;
    if (*behind != ',') return {};
    at = behind + 1;
  }
}

}  // namespace

named_devices devices_of(const execution& on) {
  const std::string_view name = on.device;
  if (name == "cpu") return {};
  if (name == "auto") return {.gpus = {}, .by_cost = true};
  if (name == "cuda") return {.gpus = {0}};
  if (name == "cuda:all") return {.gpus = {}, .all_gpus = true};
  if (name == "hybrid") return {.gpus = {0}, .hybrid = true};
  const std::size_t colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  if (colon != name.npos && (kind == "cuda" || kind == "hybrid")) {
    named_devices found{.gpus = numbers_of(name.substr(colon + 1)), .hybrid = kind == "hybrid"};
    if (!found.gpus.empty() && !(found.hybrid && found.several())) return found;
  }
  throw usage_error{"the device must be auto, cpu, cuda, cuda:0, cuda:0,1, cuda:all, hybrid or hybrid:0, not " +
                    (name.empty() ? "empty" : on.device)};
}

execution without_stream(execution on) {
  on.stream.reset();
  return on;
}

std::optional<unsigned> gpu_of(const execution& on) {
  if (devices_of(on).hybrid) throw usage_error{"device: " + on.device + " cannot be used here; give cpu or one GPU"};
  return gpu_of_hybrid(on);
}

std::optional<unsigned> gpu_of_hybrid(const execution& on) {
  const named_devices named = devices_of(on);
  if (named.several()) throw usage_error{"device: " + on.device + " names several devices; give one"};
  return named.gpus.empty() ? std::nullopt : std::optional{named.gpus.front()};
}

}  // namespace copse
