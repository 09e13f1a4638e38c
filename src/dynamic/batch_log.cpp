#include <dynamic/batch_log.hpp>
#include <dynamic/batch_records.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::dynamics {

std::vector<edge_change> net_changes(const batch_log& log) {
  std::vector<edge_change> changes;
  changes.reserve(log.edges.size());
  for (std::size_t i = 0; i < log.edges.size(); ++i) changes.push_back(log.edges[i]);
  std::stable_sort(changes.begin(), changes.end(), [](const edge_change& a, const edge_change& b) { return a.edge < b.edge; });
  std::size_t kept = 0;
  for (std::size_t i = 0, j = 0; i < changes.size(); i = j) {
    while (j < changes.size() && changes[j].edge == changes[i].edge) ++j;
    const edge_change net{changes[i].edge, changes[i].before, changes[j - 1].after};
    if (net.before != net.after) changes[kept++] = net;
  }
  changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(kept), changes.end());
  return changes;
}

std::string bytes_of(const batch_log& log) {
  std::string to;
  put_value(to, log.has_expiries);
  for (const std::uint64_t count : {log.edges.size(), log.rows.size(), log.events.size()}) put_value(to, count);
  const auto put_state = [&](const edge_state& state) {
    put_value(to, state.present);
    if (!state.present) return;
    put_value(to, state.weight);
    put_value(to, state.time);
    put_value(to, state.sequence);
  };
  for (std::size_t i = 0; i < log.edges.size(); ++i) {
    const edge_change change = log.edges[i];
    put_value(to, change.edge.u);
    put_value(to, change.edge.v);
    put_value(to, change.edge.key);
    put_state(change.before);
    put_state(change.after);
  }
  for (const id_row& row : log.rows) {
    put_value(to, row.vertex);
    put_value(to, row.before);
    put_value(to, row.after);
  }
  for (const component_event& event : log.events) {
    put_value(to, event.kind);
    put_value(to, event.from);
    put_value(to, event.into);
    put_value(to, event.vertices);
  }
  return to;
}

batch_log log_in(std::string_view bytes) {
  record_reader from{bytes};
  batch_log log;
  log.has_rows = true;
  log.has_expiries = from.value<std::uint8_t>() != 0;
  const auto edges = from.value<std::uint64_t>(), rows = from.value<std::uint64_t>(), events = from.value<std::uint64_t>();
  const auto state = [&] {
    edge_state found;
    found.present = from.value<std::uint8_t>() != 0;
    if (!found.present) return found;
    found.weight = from.value<double>();
    found.time = from.value<std::int64_t>();
    found.sequence = from.value<std::uint64_t>();
    return found;
  };
  for (std::uint64_t i = 0; i < edges; ++i) {
    edge_change change;
    change.edge.u = from.value<std::uint32_t>();
    change.edge.v = from.value<std::uint32_t>();
    change.edge.key = from.value<std::uint64_t>();
    change.before = state();
    change.after = state();
    log.edges.push(change);
  }
  for (std::uint64_t i = 0; i < rows; ++i) {
    const auto vertex = from.value<std::uint32_t>();
    const auto before = from.value<std::uint64_t>(), after = from.value<std::uint64_t>();
    log.rows.push_back({vertex, before, after});
  }
  for (std::uint64_t i = 0; i < events; ++i) {
    const auto kind = from.value<component_event_kind>();
    const auto a = from.value<std::uint64_t>(), b = from.value<std::uint64_t>(), vertices = from.value<std::uint64_t>();
    log.events.push_back({kind, a, b, vertices});
  }
  from.expect_end();
  return log;
}

}  // namespace copse::dynamics
