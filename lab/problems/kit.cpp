#include "kit.hpp"

#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <cstdio>

#include "../../cli/output.hpp"

namespace copse::lab {

void samples::add(const contestant& w, const std::vector<reading>& found, bool kept) {
  for (const reading& m : found) {
    series_setting setting = w.setting;
    if (!m.phase.empty()) setting.emplace_back("phase", m.phase);
    const auto known =
        std::ranges::find_if(all_, [&](const one& o) { return o.variant == w.variant && o.measure == m.measure && o.setting == setting; });
    one& series = known != all_.end() ? *known : all_.emplace_back(one{w.variant, m.measure, m.unit, std::move(setting), {}});
    if (kept) series.values.push_back(m.value);
  }
}

json samples::series(std::string_view graph, unsigned threads) const {
  json all = json::array();
  for (const one& o : all_) {
    json setting = json::object();
    for (const auto& [name, value] : o.setting) setting[name] = value;
    all.push_back({{"graph", graph},
                   {"variant", o.variant},
                   {"setting", std::move(setting)},
                   {"measure", o.measure},
                   {"unit", o.unit},
                   {"threads", threads},
                   {"samples", o.values}});
  }
  return all;
}

samples in_turns(std::span<const contestant> ways, unsigned trials) {
  constexpr std::uint64_t seed = 1;
  samples found;
  for (const contestant& w : ways) found.add(w, w.run(), false);
  for (unsigned trial = 0; trial < trials; ++trial) {
    for (const std::size_t k : cli::turn_order(ways.size(), trial, seed)) found.add(ways[k], ways[k].run());
  }
  return found;
}

arguments::arguments(std::span<char* const> words, defaults values) : values_{std::move(values)} {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with("--")) {
      operands_.emplace_back(word);
      continue;
    }
    const auto known = values_.find(word.substr(2));
    if (known == values_.end()) throw std::invalid_argument{fmt::format("unknown option {}", word)};
    if (++i == words.size()) throw std::invalid_argument{fmt::format("{} has no value", word)};
    known->second = words[i];
  }
}

void recorder::write(std::string_view graph, unsigned threads, const samples& found) {
  json document = head_;
  document["series"] = found.series(graph, threads);
  for (const json& s : document["series"]) {
    std::string name = s["variant"];
    for (const auto& [key, value] : s["setting"].items()) name += fmt::format(" {}={}", key, value.get<std::string>());
    fmt::print(stderr, "{:40} {:60} {:18} {:12.4g} {}\n", graph, name, s["measure"].get<std::string>(),
               cli::median(s["samples"].get<std::vector<double>>()), s["unit"].get<std::string>());
  }
  const std::string line = document.dump() + "\n";
  if (path_.empty()) {
    cli::write_stdout(line);
    return;
  }
  std::ofstream out{path_, std::ios::app};
  out << line << std::flush;
  if (!out) throw resource_error{path_ + ": could not be written"};
}

void require_gpu() {
  if (gpus().empty()) throw resource_error{"found no GPU, expected one"};
}

}  // namespace copse::lab
