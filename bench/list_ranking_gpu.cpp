// copse_bench_list_ranking_gpu [--sizes 1,2,4] (millions) [--rounds R] [--threads N] [--variants A,B] [--splitters S,T] [--reduce R,S]
//                              [--walks auto,noted,in_place] [--json OUT]
// Ranks random lists that stay on a GPU, by its clock: sizes, variants, rounds r and splitters s; every way is proved once against the CPU.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <list_ranking/coin.hpp>
#include <list_ranking/cuda/gpu_ranker.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

using namespace copse::list_ranking;

gpu_job job_of(const std::string& variant, unsigned threads) {
  if (variant == "cuda.wyllie") return {list_algorithm::wyllie};
  if (variant == "cuda.helman_jaja") return {list_algorithm::helman_jaja};
  if (variant == "cuda.helman_jaja_cpu") return {list_algorithm::helman_jaja, false, true};
  if (variant == "cuda.fis") return {list_algorithm::fis};
  if (variant == "hybrid.fis") return {list_algorithm::fis, true, false, threads};
  throw std::invalid_argument{"unknown variant " + variant};
}

/// All ways to rank one list.
class list_bench {
public:
  list_bench(gpu_ranker& ranker, std::uint64_t n, unsigned rounds, unsigned threads)
      : ranker_{ranker},
        rounds_{rounds},
        threads_{threads},
        list_{copse::gen::generate_list(fmt::format("list:n={}", n))},
        resident_{ranker.copy_in(list().span())},
        ranks_{n, &ranker.memory()} {}

  json run(const std::string& variant, const std::string& splitters, const std::string& reduce, const std::string& walks) {
    const std::uint64_t n = resident_.size();
    const gpu_job job = job_of(variant, threads_);
    list_settings chosen;
    chosen.splitters = splitters == "auto" ? std::min<std::uint64_t>(std::uint64_t{1} << 20, n / 64) : std::stoull(splitters);
    chosen.rounds = reduce == "auto" ? rounds_for(n) : static_cast<unsigned>(std::stoul(reduce));
    if (walks != "auto") chosen.notes_from = walks == "noted" ? 0 : UINT64_MAX;
    std::vector<double> seconds;
    list_outcome last;
    for (unsigned round = 0; round <= rounds_; ++round) {  // the first is to warm up
      last = {};
      const double spent = ranker_.count(job, resident_.span(), ranks_.span(), chosen, last);
      if (round > 0) seconds.push_back(spent);
    }
    prove(variant);
    json rounds = json::array();
    std::string text;
    for (const copse::phase& p : last.phases.all()) text += fmt::format(" {} {:.3f}", p.name, p.seconds * 1e3);
    for (const copse::rank_round& r : last.rounds)
      rounds.push_back(
          {{"elements", r.elements}, {"generate", r.generate_seconds}, {"transfer", r.transfer_seconds}, {"remove", r.remove_seconds}});
    fmt::print(stderr, "{:>5} M {:<22} s={:<8} r={:<3} {} {:>9.3f} ms {}\n", n / 1000000, variant, chosen.splitters, chosen.rounds, walks,
               median(seconds) * 1e3, text);
    return {{"elements", n},
            {"variant", variant},
            {"splitters", chosen.splitters},
            {"rounds", chosen.rounds},
            {"walks", walks},
            {"median_seconds", median(seconds)},
            {"seconds", seconds},
            {"phases_of_last", copse::bench::seconds_by_name(last.phases.all())},
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
  unsigned rounds_, threads_;
  copse::successor_list list_;
  copse::buffer<std::uint32_t> resident_, ranks_, right_;
};

void run(const copse::bench::benchmark_arguments& asked) {
  gpu_ranker ranker{0, nullptr};
  json ways = json::array();
  for (const auto millions : asked.numbers<std::uint64_t>("sizes")) {
    list_bench bench{ranker, millions * 1000000, asked.number("rounds"), asked.number("threads")};
    for (const std::string& variant : asked.words("variants")) {
      for (const std::string& splitters : asked.words("splitters")) {
        for (const std::string& reduce : asked.words("reduce")) {
          for (const std::string& walks : asked.words("walks")) ways.push_back(bench.run(variant, splitters, reduce, walks));
        }
      }
    }
  }
  json result = copse::bench::result_of("list_ranking");
  result["device"] = copse::gpus().front().name;
  result["ways"] = std::move(ways);
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_list_ranking_gpu", "",
                                     {{"sizes", "1,2,4,8,16,32,64,128"},
                                      {"rounds", "5"},
                                      {"threads", "16"},
                                      {"variants", "cuda.helman_jaja"},
                                      {"splitters", "auto"},
                                      {"reduce", "auto"},
                                      {"walks", "auto"},
                                      {"json", ""}},
                                     run);
}
