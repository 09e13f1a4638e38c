// Checks ranks by laws between neighbouring elements, in the order of the elements, and reports the first fault found. Sums have 128 bits,
// so that they do not overflow.
#include <copse/types.hpp>
#include <copse/verify.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace copse {
namespace {

__extension__ using wide = __int128;

std::string number(wide value) {
  return value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min()
             ? "a number of more than 64 bits"
             : std::to_string(static_cast<std::int64_t>(value));
}

template <unsigned_index Id>
class list_judge {
public:
  list_judge(std::span<const Id> successors, std::pmr::memory_resource* memory)
      : successors_{successors}, follows_{(successors.size() + 7) / 8, memory} {
    std::fill(follows_.begin(), follows_.end(), std::uint8_t{0});
    verdict_.elements = successors.size();
  }

  /// Checks the list itself, without its ranks: successors exist, and no element follows two others.
  bool is_list() {
    for (std::size_t e = 0; e < successors_.size(); ++e) {
      const Id s = successors_[e];
      if (is_tail(e)) {
        ++verdict_.lists;
        continue;
      }
      if (s >= successors_.size()) return refuse(e, "is followed by " + std::to_string(s) + ", which does not exist");
      if (follows(s)) return refuse(s, "follows two elements");
      follows_[s / 8] = static_cast<std::uint8_t>(follows_[s / 8] | 1u << s % 8);
    }
    return true;
  }
  /// Checks all ranks. For the element e where the sum along a list begins, the rank must be `weight(e, true)`; for any other it must be
  /// `together(weight(e, false), r)`, where r is the rank of the element before it in the direction of the sum.
  template <class Ranks, class Weight, class Together>
  bool obeys(Ranks ranks, rank_origin from, Weight weight, Together together) {
    for (std::size_t e = 0; e < successors_.size(); ++e) {
      const bool tail = is_tail(e);
      if (from == rank_origin::end) {
        const wide expected = tail ? weight(e, true) : together(weight(e, false), wide{ranks[successors_[e]]});
        if (wide{ranks[e]} != expected) return refuse_rank(e, ranks[e], expected);
        continue;
      }
      if (!follows(e) && wide{ranks[e]} != weight(e, true)) return refuse_rank(e, ranks[e], weight(e, true));
      if (tail) continue;
      const std::size_t s = successors_[e];
      const wide next = together(weight(s, false), wide{ranks[e]});
      if (wide{ranks[s]} != next) return refuse_rank(s, ranks[s], next);
    }
    return true;
  }
  bool has_no_cycle() {
    std::uint64_t reached = 0;
    for (std::size_t head = 0; head < successors_.size(); ++head) {
      if (follows(head)) continue;
      std::size_t e = head;
      for (++reached; !is_tail(e); ++reached) e = successors_[e];
    }
    if (reached == successors_.size()) return true;
    verdict_.reason = std::to_string(successors_.size() - reached) + " elements lie on cycles";
    return false;
  }
  rank_verdict verdict_of(bool right) {
    verdict_.right = right;
    return verdict_;
  }
  bool refuse_count(std::size_t ranks) {
    verdict_.reason = "found " + std::to_string(ranks) + " ranks, expected " + std::to_string(successors_.size());
    return false;
  }

private:
  [[nodiscard]] bool is_tail(std::size_t e) const { return successors_[e] == e || successors_[e] == std::numeric_limits<Id>::max(); }
  [[nodiscard]] bool follows(std::size_t e) const { return (follows_[e / 8] >> e % 8 & 1u) != 0; }
  bool refuse(std::uint64_t e, const std::string& what) {
    verdict_.reason = "element " + std::to_string(e) + " " + what;
    return false;
  }
  template <class Rank>
  bool refuse_rank(std::uint64_t e, Rank found, wide expected) {
    return refuse(e, "has rank " + std::to_string(found) + ", expected " + number(expected));
  }

  std::span<const Id> successors_;
  buffer<std::uint8_t> follows_;
  rank_verdict verdict_;
};

template <unsigned_index Id>
rank_verdict judge(std::span<const Id> successors, std::span<const Id> ranks, rank_origin from, std::pmr::memory_resource* memory) {
  list_judge<Id> at{successors, memory};
  if (ranks.size() != successors.size()) return at.verdict_of(at.refuse_count(ranks.size()));
  const auto link = [](std::size_t, bool first) { return wide{first ? 0 : 1}; };
  return at.verdict_of(at.is_list() && at.obeys(ranks, from, link, [](wide a, wide b) { return a + b; }));
}

template <unsigned_index Id>
rank_verdict judge(std::span<const Id> successors, std::span<const std::int64_t> weights, rank_operation operation,
                   std::span<const std::int64_t> ranks, rank_origin from, std::pmr::memory_resource* memory) {
  list_judge<Id> at{successors, memory};
  if (ranks.size() != successors.size() || weights.size() != ranks.size()) return at.verdict_of(at.refuse_count(ranks.size()));
  const auto weight = [&](std::size_t e, bool) { return wide{weights[e]}; };
  const auto together = [operation](wide a, wide b) {
    return operation == rank_operation::sum ? a + b : operation == rank_operation::min ? std::min(a, b) : std::max(a, b);
  };
  return at.verdict_of(at.is_list() && at.has_no_cycle() && at.obeys(ranks, from, weight, together));
}

}  // namespace

rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::uint32_t> ranks, rank_origin from,
                          std::pmr::memory_resource* memory) {
  return judge(successors, ranks, from, memory);
}
rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::uint64_t> ranks, rank_origin from,
                          std::pmr::memory_resource* memory) {
  return judge(successors, ranks, from, memory);
}
rank_verdict verify_ranks(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights, rank_operation operation,
                          std::span<const std::int64_t> ranks, rank_origin from, std::pmr::memory_resource* memory) {
  return judge(successors, weights, operation, ranks, from, memory);
}
rank_verdict verify_ranks(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights, rank_operation operation,
                          std::span<const std::int64_t> ranks, rank_origin from, std::pmr::memory_resource* memory) {
  return judge(successors, weights, operation, ranks, from, memory);
}

}  // namespace copse
