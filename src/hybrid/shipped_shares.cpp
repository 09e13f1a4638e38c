// The tables that come with copse, one per shape of machine, as written there by `copse tune --device hybrid --output FILE.inc`.
#include <copse/hybrid.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace copse {
namespace {

const share_table shapes[] = {
#include "shipped_shares.inc"
};

double distance(const share_table& shape, std::string_view gpu, unsigned threads) {
  constexpr double another_gpu = 100;  // more than any number of threads makes up for
  return (shape.gpu == gpu ? 0 : another_gpu) + std::abs(std::log2(static_cast<double>(shape.threads) / std::max(1u, threads)));
}

}  // namespace

const share_table& shipped_shares(std::string_view gpu, unsigned threads) {
  return *std::min_element(std::begin(shapes), std::end(shapes), [=](const share_table& a, const share_table& b) {
    return distance(a, gpu, threads) < distance(b, gpu, threads);
  });
}

}  // namespace copse
