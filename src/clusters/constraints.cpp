#include <clusters/constraints.hpp>
#include <copse/errors.hpp>

#include <string>

namespace copse::clusters {

constraints::constraints(const cluster_options& options, std::uint64_t vertices, const execution& on)
    : max_records{options.max_records}, limits{options.one_per}, apart{on.memory} {
  if (max_records == 0) throw usage_error{"max_records must be 1 or more, not 0"};
  if (limits.size() > most_limits)
    throw usage_error{"one_per can have at most " + std::to_string(most_limits) + " limits, not " + std::to_string(limits.size())};
  for (const value_limit& limit : limits) {
    if (limit.most == 0) throw usage_error{"one_per must allow at least 1 record of a value per cluster, not 0"};
    if (limit.values.size() == vertices) continue;
    throw usage_error{"one_per must have one value per vertex, " + std::to_string(vertices) + ", not " +
                      std::to_string(limit.values.size())};
  }
  apart.reserve(2 * options.cannot_link.size());
  for (const auto& [u, v] : options.cannot_link) {
    if (u >= vertices || v >= vertices || u == v) {
      throw usage_error{"cannot_link must hold pairs of different vertices below " + std::to_string(vertices) + ", not " +
                        std::to_string(u) + " and " + std::to_string(v)};
    }
    apart.push_back({u, v});
    apart.push_back({v, u});
  }
  std::ranges::sort(apart);
  apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
  for (const value_limit& limit : limits)
    codes.push_back(limit.most == 1 ? codes_of(limit.values, usable_threads(on.threads), on.memory) : value_codes{});
}

}  // namespace copse::clusters
