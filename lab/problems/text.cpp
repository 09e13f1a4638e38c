// A text edge list parsed, and parsed and united.
#include <copse/components.hpp>
#include <copse/execution.hpp>
#include <copse/io.hpp>
#include <filesystem>

#include "kit.hpp"

namespace copse::lab {
namespace {

/// Looks at every id, so that nothing about parsing can be left out, and keeps nothing.
class id_reading_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override { workers_ = std::vector<worker>(facts.workers); }
  void edges(unsigned number, const io::edge_batch& batch) override {
    for (const auto [u, v] : batch.ids) workers_[number].bits ^= u + v;
    workers_[number].edges += batch.size();
  }

private:
  struct alignas(64) worker {
    std::uint64_t bits = 0, edges = 0;
  };
  std::vector<worker> workers_;
};

void run(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  const execution on{.threads = threads};
  for (const std::filesystem::path file : asked.operands()) {
    const double megabytes = static_cast<double>(std::filesystem::file_size(file)) * 1e-6;
    const series_setting setting{{"megabytes", fmt::format("{:.0f}", megabytes)}};
    const auto rate = [&](const char* measure, auto work) -> std::vector<reading> {
      return {{measure, "MB/s", megabytes / seconds_of(threads, work)}};
    };
    const std::vector<contestant> ways{
        {"parse", setting,
         [&] {
           return rate("parse", [&] {
             id_reading_sink sink;
             io::parse(file, {}, sink, on);
           });
         }},
        {"auto", setting, [&] { return rate("parse_unite", [&] { static_cast<void>(components(file, {}, {}, on)); }); }}};
    out.write(file.stem().string(), threads, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem text{"text", "How fast a text edge list is parsed, and parsed and united.", "FILE...", {}, run};

}  // namespace copse::lab
