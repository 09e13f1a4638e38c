// List ranking on a CPU, on a GPU (by its clock, the list already there) and on both; and what the random bits of one round cost.
#include <bit>
#include <cmath>
#include <copse/copse.hpp>
#include <core/parallel.hpp>

#include "bit_generators.hpp"
#include "kit.hpp"

namespace copse::lab {
namespace {

/// Sets an option from a word of a list, and notes it where the word is not "auto".
template <class Option>
void choose(Option& option, const std::string& name, const std::string& word, series_setting& setting) {
  if (word == "auto") return;
  option = static_cast<unsigned>(std::stoul(word));
  setting.emplace_back(name, word);
}

template <class Id>
void rank(const std::string& spec, const buffer<Id>& successors, const arguments& asked, recorder& out) {
  std::vector<contestant> ways;
  for (const std::string& variant : asked.words("variants")) {
    for (const std::string& splitters : asked.words("splitters")) {
      for (const std::string& rounds : asked.words("rounds")) {
        rank_options options;
        options.variant = variant;
        series_setting setting;
        choose(options.splitters, "splitters", splitters, setting);
        choose(options.rounds, "rounds", rounds, setting);
        const execution on{.threads = asked.threads()};
        const auto proved = verify_ranks(successors.span(), rank_list(successors.span(), options, on).ranks.span(), options.from);
        if (!proved) throw error{fmt::format("{}: {}: {}", spec, variant, proved.reason)};
        ways.push_back(
            {variant, std::move(setting), [&successors, options, on]() -> std::vector<reading> {
               const auto result = rank_list(successors.span(), options, on);
               std::vector<reading> found{milliseconds("rank", result.report.solve_seconds)};
               add_phases(result.report.phases, found);
               for (std::size_t k = 0; k < std::min<std::size_t>(9, result.rounds.size()); ++k) {  // as many as the paper prints
                 const rank_round& r = result.rounds[k];
                 for (const auto& [step, seconds] :
                      {std::pair{"generate", r.generate_seconds}, {"transfer", r.transfer_seconds}, {"remove", r.remove_seconds}})
                   found.push_back({"phase", "ms", 1e3 * seconds, fmt::format("round_{}_{}", k + 1, step)});
               }
               return found;
             }});
      }
    }
  }
  out.write(spec, asked.threads(), in_turns(ways, asked.trials()));
}

void rank_lists(const arguments& asked, recorder& out) {
  for (const std::string& spec : asked.operands()) {
    std::visit([&](const auto& successors) { rank(spec, successors, asked, out); }, gen::generate_list(spec));
  }
}

constexpr std::size_t block_words = std::size_t{1} << 15;

/// The share of elements that leave, a 1 between two 0s, among all but the first and the last of a word.
double leaving(std::span<const std::uint64_t> words) {
  std::uint64_t count = 0;
  for (const std::uint64_t w : words)
    count += static_cast<std::uint64_t>(std::popcount(w & ~(w << 1) & ~(w >> 1) & ~(std::uint64_t{1} | std::uint64_t{1} << 63)));
  return static_cast<double>(count) / (62. * static_cast<double>(words.size()));
}

void fill_bits(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  std::vector<std::uint64_t> words((asked.number("n") + 63) / 64);
  using generator = void (*)(std::span<std::uint64_t>, std::uint64_t);
  const std::pair<std::string, generator> generators[] = {
      {"counter", by_counter::fill}, {"mersenne_twister", by_mersenne_twister::fill}, {"md5", by_md5::fill}, {"rand", by_rand::fill}};
  std::vector<contestant> ways;
  for (const auto& [name, fill] : generators) {
    ways.push_back({"way." + name, {}, [&words, threads, name = name, fill = fill]() -> std::vector<reading> {
                      const double seconds = seconds_of(threads, [&] {
                        parallel_blocks(threads, words.size(), block_words, [&](std::size_t begin, std::size_t end) {
                          fill(std::span{words}.subspan(begin, end - begin), begin);
                        });
                      });
                      const double share = leaving(words), expected = .125;
                      if (std::abs(share - expected) > 6 / std::sqrt(static_cast<double>(words.size())))
                        throw error{fmt::format("{}: found {:.4f} of the elements leaving, expected an eighth", name, share)};
                      return {milliseconds("generate", seconds)};
                    }});
  }
  out.write(fmt::format("list:n={}", asked.number("n")), threads, in_turns(ways, asked.trials()));
}

}  // namespace

extern const problem lists{"lists",
                           "Ranks of lists by variants of every device, over sublists (--splitters) and rounds of the variants fis.",
                           "list:n=ELEMENTS...",
                           {{"variants", "auto"}, {"splitters", "auto"}, {"rounds", "auto"}},
                           rank_lists};
extern const problem bits{"bits",
                          "The random bits of one round of the variants fis: by copse's counter, Mersenne Twister, MD5 and rand().",
                          "",
                          {{"n", "128000000"}},
                          fill_bits};

}  // namespace copse::lab
