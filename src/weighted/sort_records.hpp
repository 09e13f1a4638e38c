// Records in the order of edges: a radix sort of their prefixes from the low digit up, by pieces that each thread counts and then deals
// out; what has equal prefixes is put in order by comparing. O(records) work for each digit of up to 11 bits.
#pragma once
#include <weighted/records.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace copse::weighted {

/// One stable pass. `counts` is room for pieces x digits.
template <class Backend, class Record>
void deal_out(const Backend& loops, std::span<const Record> from, std::span<Record> to, unsigned shift, unsigned bits, std::size_t piece,
              std::vector<std::size_t>& counts) {
  const std::size_t digits = std::size_t{1} << bits, pieces = (from.size() + piece - 1) / piece;
  const auto digit = [shift, digits](const Record& r) { return (r.prefix >> shift) & (digits - 1); };
  counts.assign(pieces * digits, 0);
  loops.for_chunks(from.size(), piece, [&](std::size_t begin, std::size_t end) {
    std::size_t* const mine = counts.data() + begin / piece * digits;
    for (std::size_t i = begin; i < end; ++i) ++mine[digit(from[i])];
  });
  std::size_t sum = 0;
  for (std::size_t d = 0; d < digits; ++d) {
    for (std::size_t p = 0; p < pieces; ++p) sum += std::exchange(counts[p * digits + d], sum);
  }
  loops.for_chunks(from.size(), piece, [&](std::size_t begin, std::size_t end) {
    std::size_t* const mine = counts.data() + begin / piece * digits;
    for (std::size_t i = begin; i < end; ++i) to[mine[digit(from[i])]++] = from[i];
  });
}

/// Puts runs of equal prefixes in order; before(a, b) compares positions. Each run is the work of the thread that has its first record:
/// where runs begin is found out first, as nobody may look at a record that another thread moves.
template <class Backend, class Record, class Before>
void order_runs(const Backend& loops, std::span<Record> sorted, Before before) {
  constexpr std::size_t none = SIZE_MAX, least = 4096;
  const std::size_t count = sorted.size(), piece = std::max(least, count / (std::size_t{4} * loops.threads()) + 1);
  std::vector<std::size_t> begins((count + piece - 1) / piece + 1, count);  // the first run of each piece; none: another's goes through it
  loops.for_chunks(count, piece, [&](std::size_t begin, std::size_t end) {
    std::size_t at = begin;
    while (at > 0 && at < end && sorted[at].prefix == sorted[at - 1].prefix) ++at;
    begins[begin / piece] = at < end ? at : none;
  });
  for (std::size_t p = begins.size() - 1; p-- > 0;) {
    if (begins[p] == none) begins[p] = begins[p + 1];
  }
  loops.for_chunks(count, piece, [&](std::size_t begin, std::size_t) {
    const std::size_t last = begins[begin / piece + 1];
    for (std::size_t i = begins[begin / piece]; i < last;) {
      std::size_t j = i + 1;
      while (j < last && sorted[j].prefix == sorted[i].prefix) ++j;
      if (j - i > 1) std::sort(&sorted[i], &sorted[i] + (j - i), [&](const Record& a, const Record& b) { return before(a.at, b.at); });
      i = j;
    }
  });
}

template <class Backend, class Source>
buffer<typename Source::record_type> sorted_records(const Backend& loops, record_list<typename Source::record_type>& list,
                                                    const Source& source, std::pmr::memory_resource* memory) {
  using record_type = typename Source::record_type;
  constexpr unsigned digit_bits = 11;
  const std::size_t count = list.size();
  buffer<record_type> records{count, memory}, other;
  auto& chunks = list.chunks();
  std::vector<std::size_t> begins(chunks.size());
  for (std::size_t c = 1; c < chunks.size(); ++c) begins[c] = begins[c - 1] + chunks[c - 1].size;
  loops.for_chunks(chunks.size(), 1,
                   [&](std::size_t c, std::size_t) { std::copy_n(chunks[c].first, chunks[c].size, records.begin() + begins[c]); });
  constexpr std::size_t few = 2048;
  if (count <= few) {
    std::sort(records.begin(), records.end(), [&source](const record_type& a, const record_type& b) {
      return a.prefix != b.prefix ? a.prefix < b.prefix : source.before(a.at, b.at);
    });
    return records;
  }
  if (const unsigned bits = source.order().prefix_bits(); bits != 0) {
    other = buffer<record_type>{count, memory};
    const unsigned passes = (bits + digit_bits - 1) / digit_bits, width = (bits + passes - 1) / passes;
    const std::size_t pieces = loops.threads() == 1 ? 1 : std::min<std::size_t>(std::size_t{2} * loops.threads(), count / few + 1);
    const std::size_t piece = (count + pieces - 1) / pieces;
    std::vector<std::size_t> counts;
    for (unsigned pass = 0; pass < passes; ++pass) {
      deal_out(loops, std::as_const(records).span(), other.span(), pass * width, width, piece, counts);
      std::swap(records, other);
    }
  }
  order_runs(loops, records.span(), [&source](std::size_t a, std::size_t b) { return source.before(a, b); });
  return records;
}

}  // namespace copse::weighted
