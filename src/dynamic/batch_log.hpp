// The log of a batch: what it did to edges and to ids of components, and its events.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/edge_table.hpp>
#include <dynamic/identities.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse::dynamics {

/// What one operation did to its edge.
struct edge_change {
  edge_name edge;
  edge_state before, after;
};

/// The changes of a batch, in order. Memory: 12 bytes per change, and 72 more if edges carry weights, times, keys or sequence numbers.
class edge_changes {
public:
  [[nodiscard]] std::size_t size() const noexcept { return pairs_.size(); }
  [[nodiscard]] edge_change operator[](std::size_t i) const noexcept {
    const pair& p = pairs_[i];
    if (carried_.empty()) return {{p.u, p.v, 0}, {.present = !p.came}, {.present = p.came}};
    return {{p.u, p.v, carried_[i].key}, carried_[i].before, carried_[i].after};
  }
  /// Appends a change of an edge that carries more than its ends. Precondition: all calls are of this function, or all of the next one.
  void push(const edge_change& change) {
    push(change.edge.u, change.edge.v, change.after.present);
    carried_.push_back({change.edge.key, change.before, change.after});
  }
  /// Appends that an edge which carries only its ends came or left.
  void push(std::uint32_t u, std::uint32_t v, bool came) { pairs_.push_back({u, v, came}); }
  /// Removes all changes, but keeps the memory.
  void clear() noexcept {
    pairs_.clear();
    carried_.clear();
  }

private:
  struct pair {
    std::uint32_t u, v;
    bool came;
  };
  struct carried_change {
    std::uint64_t key;
    edge_state before, after;
  };
  std::vector<pair> pairs_;
  std::vector<carried_change> carried_;
};

/// What one batch changed, as the history keeps it.
struct batch_log {
  edge_changes edges;
  std::vector<component_event> events;
  std::vector<id_row> rows;  ///< the vertices whose component got another id, ascending
  bool has_rows = false;     ///< false until `rows` is filled in, which is done when it is first needed
  bool has_expiries = false;

  /// Makes the log empty, but keeps the memory.
  void clear() noexcept {
    edges.clear();
    events.clear();
    rows.clear();
    has_rows = has_expiries = false;
  }
};

/// Returns the state of each changed edge before and after the batch; sorted by edge.
[[nodiscard]] std::vector<edge_change> net_changes(const batch_log& log);

[[nodiscard]] std::string bytes_of(const batch_log& log);
/// Reads what bytes_of() wrote. Throws input_error for other bytes.
[[nodiscard]] batch_log log_in(std::string_view bytes);

}  // namespace copse::dynamics
