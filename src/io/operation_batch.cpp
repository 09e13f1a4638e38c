// Batches of inserts and queries.
#include <copse/operations.hpp>

#include <algorithm>
#include <type_traits>

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
  first_negative_ = first_large_ = SIZE_MAX;
}

void operation_batch::reserve(std::size_t records) {
  // What is too small goes first: a vector that grows holds both.
  const auto make_room = [records](auto& vector) {
    if (vector.capacity() >= records) return;
    vector = std::remove_reference_t<decltype(vector)>{vector.get_allocator()};
    constexpr std::size_t spare = 8;  // texts of one size differ in their records
    vector.reserve(records + records / spare);
  };
  make_room(kinds_);
  if (named_) {
    make_room(ends_);
  } else {
    make_room(pairs_);
  }
}

void operation_batch::add(operation kind, named_edge pair) {
  kinds_.push_back(kind);
  bytes_.insert(bytes_.end(), pair.u.begin(), pair.u.end());
  const std::size_t middle = bytes_.size();
  bytes_.insert(bytes_.end(), pair.v.begin(), pair.v.end());
  ends_.push_back({middle, bytes_.size()});
}

void operation_batch::append(const operation_batch& other, std::size_t first, std::size_t count) {
  const auto copy = [=](auto& to, const auto& from) { to.insert(to.end(), from.begin() + first, from.begin() + first + count); };
  if (count == 0) return;
  // A part may have begun behind the first such id of the other batch: then its own first record stands for it.
  if (other.first_negative_ < first + count) note_sign(size() + std::max(other.first_negative_, first) - first, true);
  if (other.first_large_ < first + count) note_sign(size() + std::max(other.first_large_, first) - first, false);
  copy(kinds_, other.kinds_);
  if (!other.weights_.empty()) copy(weights_, other.weights_);
  if (!named_) return copy(pairs_, other.pairs_);
  const std::size_t begin = first == 0 ? 0 : other.ends_[first - 1].v, to = bytes_.size();
  bytes_.insert(bytes_.end(), other.bytes_.begin() + begin, other.bytes_.begin() + other.ends_[first + count - 1].v);
  for (std::size_t i = first; i < first + count; ++i) ends_.push_back({other.ends_[i].u - begin + to, other.ends_[i].v - begin + to});
}

void operation_batch::add_queries_of(const operation_batch& other) {
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
