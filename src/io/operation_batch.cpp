#include <copse/operations.hpp>

namespace copse::io {

void operation_batch::clear(bool named) noexcept {
  named_ = named;
  kinds_.clear();
  pairs_.clear();
  bytes_.clear();
  ends_.clear();
}

void operation_batch::add(operation kind, edge<std::uint64_t> pair) {
  kinds_.push_back(kind);
  pairs_.push_back(pair);
}

void operation_batch::add(operation kind, named_edge pair) {
  kinds_.push_back(kind);
  bytes_.insert(bytes_.end(), pair.u.begin(), pair.u.end());
  const std::size_t middle = bytes_.size();
  bytes_.insert(bytes_.end(), pair.v.begin(), pair.v.end());
  ends_.push_back({middle, bytes_.size()});
}

void operation_batch::add_queries_of(const operation_batch& other) {
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (other.kinds_[i] != operation::query) continue;
    if (named_) {
      add(operation::query, other.names(i));
    } else {
      add(operation::query, other.pairs_[i]);
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
}

}  // namespace copse::io
