#include <copse/operations.hpp>
#include <core/parallel.hpp>
#include <core/short_bytes.hpp>

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

namespace copse {

query_answers::query_answers(std::size_t size, std::pmr::memory_resource* memory) : size_{size}, words_{(size + 63) / 64, memory} {
  std::fill(words_.begin(), words_.end(), std::uint64_t{0});
}

}  // namespace copse

namespace copse::io {

void operation_batch::clear(bool named) noexcept {
  named_ = named;
  kinds_.clear();
  pairs_.clear();
  bytes_.clear();
  ends_.clear();
  weights_.clear();
  queries_ = 0;
  first_negative_ = first_large_ = SIZE_MAX;
}

void operation_batch::reserve(std::size_t records, std::size_t name_bytes) {
  // A vector that is too small is freed before a larger one is allocated, because growing would hold both at once.
  const auto make_room = [](auto& vector, std::size_t size) {
    if (vector.capacity() >= size) return;
    vector = std::remove_reference_t<decltype(vector)>{vector.get_allocator()};
    constexpr std::size_t spare = 8;  // reserves 1/8 more, because the next batch may have slightly more records in as many bytes
    vector.reserve(size + size / spare);
  };
  make_room(kinds_, records);
  if (named_) {
    make_room(ends_, records);
    make_room(bytes_, name_bytes);
  } else {
    make_room(pairs_, records);
  }
}

void operation_batch::add(operation kind, named_edge pair) {
  add_kind(kind);
  const std::size_t begin = bytes_.size(), middle = begin + pair.u.size(), end = middle + pair.v.size();
  bytes_.resize(end);
  copy_bytes(pair.u, bytes_.data() + begin);
  copy_bytes(pair.v, bytes_.data() + middle);
  ends_.push_back({middle, end});
}

std::size_t operation_batch::queries_in(std::size_t begin, std::size_t end) const noexcept {
  if (queries_ == 0) return 0;
  return static_cast<std::size_t>(std::count(kinds_.begin() + begin, kinds_.begin() + end, operation::query));
}

void operation_batch::append(std::span<const part> parts, unsigned threads) {
  struct place {
    std::size_t record, byte;
  };
  // For each part (a range of records of another batch), where its records and its strings begin in this batch. A batch stores which of its
  // records is the first with a negative id, and which the first with an id above INT64_MAX, but not which others have such ids. So if a
  // part begins after the first such record of the batch that it is taken from, its first record is assumed to have such an id.
  std::vector<place> places;
  places.reserve(parts.size());
  std::size_t records = size(), bytes = bytes_.size();
  bool any_weights = false;
  for (const auto& [from, first, count] : parts) {
    places.push_back({records, bytes});
    if (count == 0) continue;
    if (from->first_negative_ < first + count) note_sign(records + std::max(from->first_negative_, first) - first, true);
    if (from->first_large_ < first + count) note_sign(records + std::max(from->first_large_, first) - first, false);
    records += count;
    if (named_) bytes += from->bytes_before(first + count) - from->bytes_before(first);
    any_weights = any_weights || !from->weights_.empty();
  }
  kinds_.resize(records);
  if (any_weights) weights_.resize(records);
  if (named_) {
    bytes_.resize(bytes);
    ends_.resize(records);
  } else {
    pairs_.resize(records);
  }
  std::atomic<std::size_t> queries{0};
  parallel_blocks(threads, parts.size(), 1, [&](std::size_t k, std::size_t) {
    const part& taken = parts[k];
    const operation_batch& from = *taken.batch;
    const place to = places[k];
    if (taken.count == 0) return;
    const auto copy = [&taken, to](auto& column, const auto& source) {
      std::copy_n(source.begin() + taken.first, taken.count, column.begin() + to.record);
    };
    copy(kinds_, from.kinds_);
    queries.fetch_add(from.queries_in(taken.first, taken.first + taken.count), std::memory_order_relaxed);
    if (any_weights) copy(weights_, from.weights_);
    if (!named_) return copy(pairs_, from.pairs_);
    const std::size_t begin = from.bytes_before(taken.first), end = from.bytes_before(taken.first + taken.count);
    std::copy(from.bytes_.begin() + begin, from.bytes_.begin() + end, bytes_.begin() + to.byte);
    for (std::size_t i = 0; i < taken.count; ++i) {
      const edge<std::size_t> ends = from.ends_[taken.first + i];
      ends_[to.record + i] = {ends.u - begin + to.byte, ends.v - begin + to.byte};
    }
  });
  queries_ += queries.load();
}

void operation_batch::add_queries_of(const operation_batch& other) {
  if (other.queries_ == 0) return;
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (other.kinds_[i] != operation::query) continue;
    if (named_) {
      add(operation::query, other.names(i));
    } else {
      add(operation::query, other.pairs_[i], other.any_negative());
    }
  }
}

void operation_batch::shrink(std::size_t size) noexcept {
  if (size >= kinds_.size()) return;
  queries_ -= queries_in(size, kinds_.size());
  if (named_) {
    bytes_.resize(size == 0 ? 0 : ends_[size - 1].v);
    ends_.resize(size);
  } else {
    pairs_.resize(size);
  }
  kinds_.resize(size);
  if (!weights_.empty()) weights_.resize(size);
  for (std::size_t* const first : {&first_negative_, &first_large_}) {
    if (*first >= size) *first = SIZE_MAX;
  }
}

}  // namespace copse::io
