#include <clusters/constraints.hpp>
#include <copse/errors.hpp>

#include <string>

namespace copse::clusters {

constraints::constraints(const cluster_options& options, std::uint64_t vertices, const execution& on)
    : max_records{options.max_records}, limits{options.one_per}, apart{on.memory} {
  if (max_records == 0) throw usage_error{"max_records: found 0, expected 1 or more"};
  if (limits.size() > most_limits)
    throw usage_error{"one_per: found " + std::to_string(limits.size()) + " limits, expected at most " + std::to_string(most_limits)};
  for (const value_limit& limit : limits) {
    if (limit.most == 0) throw usage_error{"one_per: found 0 records of a value, expected 1 or more"};
    if (limit.values.size() == vertices) continue;
    throw usage_error{"one_per: found " + std::to_string(limit.values.size()) + " values, expected " + std::to_string(vertices) +
                      ", one for each vertex"};
  }
  apart.reserve(2 * options.cannot_link.size());
  for (const auto& [u, v] : options.cannot_link) {
    if (u >= vertices || v >= vertices || u == v) {
      throw usage_error{"cannot_link: found the pair " + std::to_string(u) + " " + std::to_string(v) +
                        ", expected two different vertices below " + std::to_string(vertices)};
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
