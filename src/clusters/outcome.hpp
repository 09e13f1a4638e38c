// The possible outcomes of taking a pair: whether it united two clusters.
#pragma once
#include <copse/cluster.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::clusters {

/// What became of a pair: is_open, is_redundant, has_united, or a number from first_refusal on, which says which constraint refused the
/// pair.
using outcome = std::uint16_t;

inline constexpr outcome is_open = 0;  ///< the pair was not taken yet
inline constexpr outcome is_redundant = 1;
inline constexpr outcome has_united = 2;
inline constexpr outcome first_refusal = 3;

/// Returns the outcome of a pair that this constraint refused. `limit`: for one_per, the index in constraints::limits; 16 bits
/// suffice, as there are at most constraints::most_limits of these.
constexpr outcome refusal_by(cluster_constraint constraint, std::size_t limit = 0) noexcept {
  return static_cast<outcome>(first_refusal + static_cast<unsigned>(constraint) + limit);
}
constexpr bool is_refusal(outcome found) noexcept { return found >= first_refusal; }

/// Returns the constraint that refused a pair. Precondition: is_refusal(found).
constexpr cluster_constraint constraint_of(outcome found) noexcept {
  constexpr auto last = static_cast<unsigned>(cluster_constraint::one_per);
  const unsigned number = found - first_refusal;
  return static_cast<cluster_constraint>(number < last ? number : last);
}
/// Returns the index in constraints::limits of the limit that refused a pair; 0 for other constraints. Precondition: is_refusal(found).
constexpr std::uint32_t limit_of(outcome found) noexcept {
  const unsigned first_limit = refusal_by(cluster_constraint::one_per);
  return found < first_limit ? 0 : found - first_limit;
}

}  // namespace copse::clusters
