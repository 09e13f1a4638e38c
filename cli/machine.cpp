#include "machine.hpp"

#include <unistd.h>

#include <copse/version.h>
#include <copse/memory.hpp>
#include <copse_commit.hpp>  // COPSE_COMMIT, written by every build
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

namespace copse::cli {
namespace {

std::string processor() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

/// How busy the machine was in the last minute: a number well above 0 warns that other programs ran too.
double load() {
  double of_last_minute = 0;
  return getloadavg(&of_last_minute, 1) == 1 ? of_last_minute : -1;
}

}  // namespace

nlohmann::ordered_json machine_facts() {
  const std::time_t now = std::time(nullptr);
  std::string date(sizeof "2000-01-01T00:00:00Z", '\0');
  date.resize(std::strftime(date.data(), date.size(), "%FT%TZ", std::gmtime(&now)));
  return {{"processor", processor()},
          {"cores", std::thread::hardware_concurrency()},
          {"memory_bytes", memory_of_this_machine()},
          {"load", load()},
          {"compiler", __VERSION__},
          {"version", COPSE_VERSION_TEXT},
          {"commit", COPSE_COMMIT},
          {"date", date}};
}

}  // namespace copse::cli
