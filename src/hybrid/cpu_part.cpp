#include <hybrid/cpu_part.hpp>

#include <fast/first_rows.hpp>
#include <hybrid/dfs_part.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>

namespace copse::hybrid {
namespace {

using id = std::uint32_t;

constexpr std::size_t page_words = 4096 / sizeof(id), huge_page_words = (std::size_t{2} << 20) / sizeof(id);

template <class Backend, class Offset>
buffer<edge<id>> label_part(cpu_part algorithm, csr_view<id, Offset> g, id vertices, id cut, std::span<id> words,
                            const solve_request& options) {
  const Backend backend{options.threads, options.observer};
  switch (algorithm) {
    case cpu_part::pieces:
      return pieces_part(backend, g, cut, words.data(), options.memory);
    case cpu_part::dfs:
      dfs_part(backend, g, cut, words.data(), options.memory);
      break;
    case cpu_part::fast:
      fast::label_first_rows<Backend>(g, vertices, cut, words, options);
      break;
  }
  return {};
}

}  // namespace

template <class Offset>
buffer<edge<id>> label_cpu_part(cpu_part algorithm, csr_view<id, Offset> g, id vertices, id cut, std::span<id> words,
                                const solve_request& options) {
  return usable_threads(options.threads) == 1 ? label_part<backend::serial>(algorithm, g, vertices, cut, words, options)
                                              : label_part<backend::threads>(algorithm, g, vertices, cut, words, options);
}

template buffer<edge<id>> label_cpu_part(cpu_part, csr_view<id, std::uint32_t>, id, id, std::span<id>, const solve_request&);
template buffer<edge<id>> label_cpu_part(cpu_part, csr_view<id, std::uint64_t>, id, id, std::span<id>, const solve_request&);

// Threads touch an array in pieces of the size of huge pages, which large arrays have, so that no two threads touch the same page first and
// both clear it.
new_pages::new_pages(std::span<std::uint32_t> words, std::size_t first) noexcept
    : words_{words.subspan(first)},
      piece_{words.size() < 2 * huge_page_words ? 16 * page_words : huge_page_words},
      ahead_{reinterpret_cast<std::uintptr_t>(words_.data()) / sizeof(std::uint32_t) % piece_} {}

void new_pages::touch(const std::function<bool()>& stop) {
  while (!stop()) {
    const std::size_t turn = next_.fetch_add(piece_, std::memory_order_relaxed), begin = turn == 0 ? 0 : turn - ahead_;
    if (begin >= words_.size()) return;
    for (std::size_t i = begin; i < std::min(words_.size(), turn + piece_ - ahead_); i += page_words) {
      std::uint32_t zero = 0;  // swapped for itself: a write that changes nothing, even if other threads use the word
      std::atomic_ref<std::uint32_t>{words_[i]}.compare_exchange_strong(zero, 0, std::memory_order_relaxed);
    }
  }
}

void new_pages::touch_by(unsigned threads, const std::function<bool()>& stop) {
  backend::threads{threads}.for_chunks(threads, 1, [this, &stop](std::size_t, std::size_t) { touch(stop); });
}

}  // namespace copse::hybrid
