// What benchmarks share: a clock, the middle of samples, words of a list, and files of results.
#pragma once
#include <fmt/format.h>
#include <copse/errors.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace copse::bench {

/// Seconds. One thread is charged what it ran, not what it waited for others on a shared machine.
inline double now(unsigned threads) {
  if (threads != 1) return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// 0 of none.
inline double median(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

/// Of a list with commas.
inline std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// `result` and a line's end as a file. Throws resource_error where it is not all there, as on a full disk.
inline void write_result(const std::string& path, const std::string& result) {
  std::ofstream out{path};
  out << result << '\n' << std::flush;
  if (!out) throw resource_error{path + ": could not be written"};
}

/// The exit status of a program whose faults are exceptions.
template <class Run>
int run_and_tell(std::string_view program, Run run) {
  try {
    return run();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}: {}\n", program, problem.what());
    return 1;
  }
}

}  // namespace copse::bench
