#include "rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace copse::cli {
namespace {

constexpr std::size_t most_exact = 60;  // binomials of 60 are exact in a double for all but the last bits

/// ways[u]: in how many orders of n + m different samples u pairs have a > b. These are the coefficients of the Gaussian binomial, the
/// product of (1 - x^(m + i)) / (1 - x^i) over i = 1 .. n.
std::vector<double> ways_of(std::size_t n, std::size_t m) {
  std::vector<double> ways(n * m + 1, 0.0);
  ways[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = n * m; u >= m + i; --u) ways[u] -= ways[u - (m + i)];
    for (std::size_t u = i; u <= n * m; ++u) ways[u] += ways[u - i];
  }
  return ways;
}

double exact_p(double u, std::size_t n, std::size_t m) {
  const auto ways = ways_of(n, m);
  const auto extreme = static_cast<std::size_t>(std::min(u, static_cast<double>(n * m) - u));
  double all = 0, tail = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    all += ways[i];
    if (i <= extreme) tail += ways[i];
  }
  return std::min(1.0, 2 * tail / all);
}

/// Sum of t^3 - t over the groups of t equal samples.
double tie_term(std::vector<double> samples) {
  std::ranges::sort(samples);
  double sum = 0;
  for (std::size_t begin = 0; begin < samples.size();) {
    std::size_t end = begin;
    while (end < samples.size() && samples[end] == samples[begin]) ++end;
    const auto t = static_cast<double>(end - begin);
    sum += t * t * t - t;
    begin = end;
  }
  return sum;
}

double approximate_p(double u, double n, double m, double ties) {
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;  // all samples are equal
  const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
  return std::min(1.0, std::erfc(distance / std::sqrt(2 * variance)));
}

}  // namespace

rank_test_result rank_test(std::span<const double> a, std::span<const double> b) {
  rank_test_result result;
  for (const double x : a) {
    for (const double y : b) result.u += x > y ? 1 : (x == y ? 0.5 : 0);
  }
  std::vector<double> all{a.begin(), a.end()};
  all.insert(all.end(), b.begin(), b.end());
  const double ties = tie_term(all);
  const double pairs = static_cast<double>(a.size() * b.size());
  result.direction = result.u > pairs / 2 ? -1 : (result.u < pairs / 2 ? 1 : 0);
  result.p = ties == 0 && all.size() <= most_exact
                 ? exact_p(result.u, a.size(), b.size())
                 : approximate_p(result.u, static_cast<double>(a.size()), static_cast<double>(b.size()), ties);
  return result;
}

double smallest_p(std::size_t samples_of_a, std::size_t samples_of_b) {
  double orders = 1;  // (a + b) choose a
  for (std::size_t i = 1; i <= samples_of_a; ++i) orders *= static_cast<double>(samples_of_b + i) / static_cast<double>(i);
  return std::min(1.0, 2 / orders);
}

}  // namespace copse::cli
