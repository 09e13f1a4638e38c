// Ranks random lists that stay on a GPU, by its clock: sizes, variants, rounds r and splitters s; every way is proved once against the CPU.
//   copse_bench_list_ranking_gpu [--sizes 1,2,4] (millions) [--rounds R] [--threads N] [--variants A,B] [--splitters S,T] [--reduce R,S]
//                                [--json OUT]
#include <fmt/core.h>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>
#include <copse/verify.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"

#if defined(COPSE_HAS_CUDA)
#include <list_ranking/coin.hpp>
#include <list_ranking/cuda/gpu_ranker.hpp>

namespace {

using copse::bench::median;
using copse::bench::words_of;

using namespace copse::list_ranking;
using nlohmann::ordered_json;

gpu_job job_of(const std::string& variant, unsigned threads) {
  if (variant == "cuda.wyllie") return {algorithm::wyllie};
  if (variant == "cuda.helman_jaja") return {algorithm::helman_jaja};
  if (variant == "cuda.helman_jaja_cpu") return {algorithm::helman_jaja, false, true};
  if (variant == "cuda.fis") return {algorithm::fis};
  if (variant == "hybrid.fis") return {algorithm::fis, true, false, threads};
  throw std::invalid_argument{"unknown variant " + variant};
}

/// All ways to rank one list.
class list_bench {
public:
  list_bench(gpu_ranker& ranker, std::uint64_t n, unsigned repeats, unsigned threads)
      : ranker_{ranker},
        repeats_{repeats},
        threads_{threads},
        list_{copse::gen::generate_list(fmt::format("list:n={}", n))},
        resident_{ranker.copy_in(list().span())},
        ranks_{n, &ranker.memory()} {}

  ordered_json run(const std::string& variant, const std::string& splitters, const std::string& reduce) {
    const std::uint64_t n = resident_.size();
    const gpu_job job = job_of(variant, threads_);
    settings chosen;
    chosen.splitters = splitters == "auto" ? std::min<std::uint64_t>(std::uint64_t{1} << 20, n / 64) : std::stoull(splitters);
    chosen.rounds = reduce == "auto" ? rounds_for(n) : static_cast<unsigned>(std::stoul(reduce));
    std::vector<double> seconds;
    outcome last;
    for (unsigned repeat = 0; repeat <= repeats_; ++repeat) {  // the first is to warm up
      last = {};
      const double spent = ranker_.count(job, resident_.span(), ranks_.span(), chosen, last);
      if (repeat > 0) seconds.push_back(spent);
    }
    prove(variant);
    ordered_json phases = ordered_json::object(), rounds = ordered_json::array();
    std::string text;
    for (const copse::phase& p : last.phases.all()) {
      phases[std::string{p.name}] = p.seconds;
      text += fmt::format(" {} {:.3f}", p.name, p.seconds * 1e3);
    }
    for (const copse::rank_round& r : last.rounds)
      rounds.push_back(
          {{"elements", r.elements}, {"generate", r.generate_seconds}, {"transfer", r.transfer_seconds}, {"remove", r.remove_seconds}});
    fmt::print("{:>5} M {:<22} s={:<8} r={:<3} {:>9.3f} ms {}\n", n / 1000000, variant, chosen.splitters, chosen.rounds,
               median(seconds) * 1e3, text);
    std::fflush(stdout);
    return {{"elements", n},
            {"variant", variant},
            {"splitters", chosen.splitters},
            {"rounds", chosen.rounds},
            {"median_seconds", median(seconds)},
            {"seconds", seconds},
            {"phases_of_last", std::move(phases)},
            {"rounds_of_last", std::move(rounds)}};
  }

private:
  [[nodiscard]] const copse::buffer<std::uint32_t>& list() const { return std::get<copse::buffer<std::uint32_t>>(list_); }
  void prove(const std::string& variant) {
    copse::buffer<std::uint32_t> copied_out{ranks_.size()};
    ranker_.copy_out(ranks_, copied_out.span());
    if (right_.empty()) {
      if (const auto found = copse::verify_ranks(list().span(), std::as_const(copied_out).span(), copse::rank_origin::end); !found)
        throw std::runtime_error{variant + ": " + found.reason};
      right_ = std::move(copied_out);
    } else if (!std::equal(copied_out.begin(), copied_out.end(), right_.begin())) {
      throw std::runtime_error{variant + ": other ranks than those that were proved"};
    }
  }

  gpu_ranker& ranker_;
  unsigned repeats_, threads_;
  copse::successor_list list_;
  copse::buffer<std::uint32_t> resident_, ranks_, right_;
};

int run(int argc, char** argv) {
  std::map<std::string, std::string> asked{{"sizes", "1,2,4,8,16,32,64,128"},
                                           {"rounds", "5"},
                                           {"threads", "16"},
                                           {"variants", "cuda.helman_jaja"},
                                           {"splitters", "auto"},
                                           {"reduce", "auto"},
                                           {"json", ""}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--") || !asked.contains(std::string{word.substr(2)}))
      throw std::invalid_argument{fmt::format("unknown {}", word)};
    asked[std::string{word.substr(2)}] = argv[i + 1];
  }
  gpu_ranker ranker{0, nullptr};
  ordered_json ways = ordered_json::array();
  for (const std::string& size : words_of(asked["sizes"])) {
    list_bench bench{ranker, std::stoull(size) * 1000000, static_cast<unsigned>(std::stoul(asked["rounds"])),
                     static_cast<unsigned>(std::stoul(asked["threads"]))};
    for (const std::string& variant : words_of(asked["variants"])) {
      for (const std::string& splitters : words_of(asked["splitters"])) {
        for (const std::string& reduce : words_of(asked["reduce"])) ways.push_back(bench.run(variant, splitters, reduce));
      }
    }
  }
  const auto device = copse::gpus().front();
  const ordered_json out{{"device", device.name}, {"machine", copse::cli::machine_facts()}, {"ways", std::move(ways)}};
  if (!asked["json"].empty()) copse::bench::write_result(asked["json"], out.dump(1));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "copse_bench_list_ranking_gpu: {}\n", problem.what());
    return 1;
  } catch (const broken_list&) {
    fmt::print(stderr, "copse_bench_list_ranking_gpu: a right list was found broken\n");
    return 1;
  }
}
#else
int main() {
  fmt::print(stderr, "copse_bench_list_ranking_gpu: this build has no GPU part\n");
  return 1;
}
#endif
