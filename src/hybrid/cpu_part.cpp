#include <copse/options.hpp>
#include <fast/first_rows.hpp>
#include <hybrid/cpu_part.hpp>
#include <hybrid/dfs_part.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

namespace copse::hybrid {
namespace {

using id = std::uint32_t;

template <class Backend, class Offset>
void label_part(cpu_part algorithm, csr_view<id, Offset> g, id vertices, id cut, std::span<id> words, const solve_options& options) {
  if (algorithm == cpu_part::dfs) {
    hybrid::dfs_part(Backend{options.threads, options.observer}, g, cut, words.data(), options.memory);
  } else {
    fast::label_first_rows<Backend>(g, vertices, cut, words, options);
  }
}

}  // namespace

template <class Offset>
void label_cpu_part(cpu_part algorithm, csr_view<id, Offset> g, id vertices, id cut, std::span<id> words, const solve_options& options) {
  if (usable_threads(options.threads) == 1) {
    label_part<backend::serial>(algorithm, g, vertices, cut, words, options);
  } else {
    label_part<backend::threads>(algorithm, g, vertices, cut, words, options);
  }
}

template void label_cpu_part(cpu_part, csr_view<id, std::uint32_t>, id, id, std::span<id>, const solve_options&);
template void label_cpu_part(cpu_part, csr_view<id, std::uint64_t>, id, id, std::span<id>, const solve_options&);

}  // namespace copse::hybrid
