// What a measurement must say beside its numbers: where, on what, and of which commit.
#pragma once
#include <nlohmann/json.hpp>

#include <ctime>
#include <fstream>
#include <string>
#include <thread>

namespace copse::bench {

inline std::string processor() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// COPSE_COMMIT is set by the build from git; a measurement of a changed tree says so.
inline nlohmann::ordered_json machine() {
  const std::time_t now = std::time(nullptr);
  std::string date(sizeof "2000-01-01T00:00:00Z", '\0');
  date.resize(std::strftime(date.data(), date.size(), "%FT%TZ", std::gmtime(&now)));
  return {{"processor", processor()},
          {"cores", std::thread::hardware_concurrency()},
          {"compiler", __VERSION__},
          {"commit", COPSE_COMMIT},
          {"date", date}};
}

}  // namespace copse::bench
