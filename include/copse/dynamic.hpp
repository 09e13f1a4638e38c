// Components of a graph whose edges arrive and leave: ids of components that stay, and what each batch changed.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/types.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {

/// The id that no component has: of a vertex that does not exist.
inline constexpr std::uint64_t no_component = UINT64_MAX;

/// What a vertex may be called: std::uint32_t for dense ids, each its own index (memory reaches up to the largest); std::uint64_t and
/// std::int64_t for sparse integers; std::string_view for strings.
template <class Id>
concept dynamic_id = std::same_as<Id, std::uint32_t> || std::same_as<Id, std::uint64_t> || std::same_as<Id, std::int64_t> ||
    std::same_as<Id, std::string_view>;

struct dynamic_options {
  bool weights = false;  ///< keep the weight of each edge
  bool times = false;    ///< keep the time of each edge, for expire()
  bool keys = false;     ///< edges of the same pair are different if their keys are
  /// The number of insert operations in the window; 0: no window. An edge leaves when its last insert operation leaves the window.
  std::uint64_t count_window = 0;
  bool keep_vertices = false;  ///< a vertex stays when its last edge has left a window
  /// How many of the last batches can be asked for events and changes, and be reverted. Each keeps 12 bytes per operation, 72 more if
  /// edges carry anything, and 24 per vertex whose id changed.
  std::uint64_t history = 1;
  bool snapshots = false;  ///< allow snapshot(): 8 bytes more per vertex and component, and time for each vertex whose id changes
};

// Graphs that are kept in a folder.

enum class dynamic_id_kind : std::uint8_t { dense, unsigned_integers, signed_integers, strings };

enum class durability : std::uint8_t {
  full,    ///< a batch is on the disk when its call returns
  relaxed  ///< the last batches may be lost when the machine stops, but not when the process does; what stays is whole batches
};

struct dynamic_store_options {
  durability durable = durability::full;
  /// If true, opens the folder as a reader. Any number of readers may overlap with each other and with the one writer, in other processes
  /// too.
  bool read_only = false;
  /// The state after this batch; for readers only. The last `history` batches can be read, and some before them. usage_error names the
  /// oldest.
  std::uint64_t until = UINT64_MAX;
  std::string remark{};  ///< a text of the caller that is kept with a graph that is made
};

/// The contents of a folder.
struct dynamic_store_facts {
  dynamic_id_kind ids{};
  dynamic_options options;
  std::string remark;
};
/// Describes the graph in a folder. Throws input_error for a folder that holds no graph or a damaged one. Empty: the folder does not exist
/// or is empty.
[[nodiscard]] std::optional<dynamic_store_facts> dynamic_facts_of(const std::filesystem::path& folder);
/// True if this machine has SQLite, which graphs in folders need.
[[nodiscard]] bool has_dynamic_store() noexcept;

/// A batch or a state could not be written; the graph is as it was before.
class uncommitted_batch : public resource_error {
public:
  using resource_error::resource_error;
};

template <dynamic_id Id>
struct dynamic_edge {
  Id u{}, v{};
  double weight = 1;
  std::int64_t time = 0;
  std::uint64_t key = 0;
  friend bool operator==(const dynamic_edge&, const dynamic_edge&) = default;
};

class id_pairs;  // copse/pairs.hpp

/// Pairs of ids of any kind as edges, with a weight each if there are weights: `graph.insert(dynamic_edges<std::int64_t>({from, to}))` of
/// two vectors. Strings remain the caller's. Throws usage_error for columns of different length and for strings where Id is an integer, or
/// integers where it is a string; input_error for an integer that Id does not hold.
template <dynamic_id Id>
[[nodiscard]] std::vector<dynamic_edge<Id>> dynamic_edges(const id_pairs& pairs, std::span<const double> weights = {});

enum class dynamic_operation_kind : std::uint8_t {
  insert,       ///< the edge, or if it exists its weight and the later of both times
  erase,        ///< the edges of the pair, whatever their keys
  erase_key,    ///< the edge of the pair with this key
  erase_vertex  ///< u and its edges; a vertex of that name that comes later is a new one
};

template <dynamic_id Id>
struct dynamic_operation {
  dynamic_operation_kind kind = dynamic_operation_kind::insert;
  dynamic_edge<Id> edge;
};

/// What became of a component, in the order in which a batch lists them. The id of a component begins with one `created` or `revived` and
/// ends with one `merged` or `vanished`.
enum class component_event_kind : std::uint8_t {
  created,  ///< `into` is new, and has `vertices` vertices
  revived,  ///< `into`, which ended in the batch that was reverted, is in use again, and has `vertices` vertices
  split,    ///< `vertices` vertices of `from` are now in `into`
  merged,   ///< `from` ended; `into` has most of its vertices, and `vertices` counts them
  vanished  ///< `from` ended because its `vertices` vertices were erased
};

struct component_event {
  component_event_kind kind;
  std::uint64_t from, into;  ///< no_component where there is none
  std::uint64_t vertices;
  friend bool operator==(const component_event&, const component_event&) = default;
};

/// A vertex whose component has another id than before. no_component: the vertex did not exist, or does not exist any more.
template <dynamic_id Id>
struct component_change {
  Id vertex{};
  std::uint64_t before = no_component, after = no_component;
  friend bool operator==(const component_change&, const component_change&) = default;
};

template <dynamic_id Id>
class basic_dynamic;

/// What one batch changed.
struct dynamic_batch {
  std::uint64_t number = 0;    ///< counted from 1
  std::uint64_t inserted = 0;  ///< edges that were not there before the operation
  std::uint64_t erased = 0;    ///< edges that left, those of a window and of erased vertices included
  std::uint64_t dropped = 0;   ///< inserts that were older than the last cut-off of a window
  std::uint64_t skipped = 0;   ///< changes that a revert left as they are because later batches touched them
};

/// What a revert does with changes that later batches touched.
enum class revert_conflicts : std::uint8_t { refuse, skip };

/// A change that cannot be reverted because a later batch touched it: an edge, or a vertex (`v` is `u`, and `is_vertex`).
template <dynamic_id Id>
struct revert_conflict {
  bool is_vertex = false;
  Id u{}, v{};
  std::uint64_t key = 0;
};

/// The components as of one batch, which do not change while batches go in. Its calls may overlap with each other and with those of the
/// graph that it comes from, and it may outlive that.
template <dynamic_id Id>
class dynamic_snapshot {
public:
  [[nodiscard]] std::uint64_t batch() const noexcept;
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  [[nodiscard]] std::uint64_t count() const noexcept;
  /// True if u and v were connected; false if one of them did not exist. Expected O(1).
  [[nodiscard]] bool connected(Id u, Id v) const;
  /// The id of the component of v, or no_component. Expected O(1).
  [[nodiscard]] std::uint64_t component_of(Id v) const;
  /// The number of vertices in the component of v; 0 if it did not exist. Expected O(1).
  [[nodiscard]] std::uint64_t size_of(Id v) const;

private:
  friend class basic_dynamic<Id>;
  struct view;
  explicit dynamic_snapshot(std::shared_ptr<const view> seen) noexcept : view_{std::move(seen)} {}
  std::shared_ptr<const view> view_;
};

/// Edges are a set: an edge that is inserted again keeps the later time and takes the new weight. A loop is an edge of its vertex. Erasing
/// an edge leaves its ends. Every call that takes edges or vertices is a batch; only the components before and after it count for ids and
/// events.
///
/// Ids of components are 64-bit numbers, and never name another component. Each component before a batch nominates the one after it that
/// has most of its vertices (of several the one with the smallest such vertex); a component after it takes, of the ids that nominate it,
/// the one with most vertices in it (of several the oldest), otherwise a new one.
///
/// Names are kept for as long as the object lives, those of erased vertices too. Strings that are returned are valid for as long.
/// Calls may not overlap, but const ones may with each other, and snapshot() with all. Everything may throw resource_error, after which
/// only the destructor may be called, except after uncommitted_batch.
template <dynamic_id Id>
class basic_dynamic {
public:
  using edge_type = dynamic_edge<Id>;

  /// `on` says the memory, and the threads by which the edges of one batch are erased.
  explicit basic_dynamic(const dynamic_options& options = {}, const execution& on = {});
  /// The graph in a folder, of which every batch is written before it takes effect; it is made if there is none, and if `store` does not
  /// say that it is read only. `options`: none for those that it was made with, or the default; otherwise they must be the same, except
  /// `snapshots`. O(vertices + edges), and the batches since the last whole state in it are applied. Throws usage_error for other ids or
  /// options, when another process writes to it, with the id of that process, and where SQLite is missing; input_error for a damaged
  /// folder, with the number of the batch.
  [[nodiscard]] static basic_dynamic open(const std::filesystem::path& folder, const std::optional<dynamic_options>& options = {},
                                          const dynamic_store_options& store = {}, const execution& on = {});
  basic_dynamic(basic_dynamic&&) noexcept;
  basic_dynamic& operator=(basic_dynamic&&) noexcept;
  ~basic_dynamic();

  /// Applies a batch; its operations take effect in order.
  dynamic_batch apply(std::span<const dynamic_operation<Id>> operations);
  /// Applies a batch and replaces the caller's remark in the folder in the same transaction. Throws usage_error for a graph that is not
  /// written to one.
  dynamic_batch apply(std::span<const dynamic_operation<Id>> operations, std::string remark);
  dynamic_batch insert(std::span<const edge_type> edges);
  dynamic_batch insert(Id u, Id v);
  /// Erases all edges between the ends; weights, times and keys do not matter.
  dynamic_batch erase(std::span<const edge_type> pairs);
  dynamic_batch erase(Id u, Id v);
  /// Erases the edges with these keys. Throws usage_error unless the options keep keys.
  dynamic_batch erase_keys(std::span<const edge_type> edges);
  dynamic_batch erase_vertices(std::span<const Id> vertices);
  /// Erases vertices, those that were erased before, too, and removes their names and edges from memory, from the batches and states in the
  /// folder, and from free bytes of its files. The history begins anew. Strings that were returned before are not valid any more, and
  /// snapshots keep the names that they have. O(vertices + edges). Throws uncommitted_batch when the folder could not be written or a
  /// reader in it did not finish; then the vertices are erased if the batch is there, and the call may be repeated.
  dynamic_batch purge_vertices(std::span<const Id> vertices);
  /// Erases the edges whose time is less, and, unless the options keep vertices, the ends whose last edge has left so. Inserts that are
  /// older are dropped from now on, and counted. Throws usage_error unless the options keep times.
  dynamic_batch expire(std::int64_t before);
  /// Reverts a batch, as a batch of its own. The last batch is reverted exactly: edges, vertices, weights, times, ids and labels are as
  /// they were. From an older one the changes that took effect are inverted; an id that ended in it is used again for the component that
  /// has more than half of its vertices. Throws usage_error when the history does not reach so far, when edges left a window in that batch,
  /// and when later batches touched what it changed, unless those changes are to be skipped.
  dynamic_batch revert(std::uint64_t batch, revert_conflicts conflicts = revert_conflicts::refuse);
  /// Applies the batches that were committed since, and returns last_batch(). Where the writer has dropped some of them, or purged
  /// vertices, the state is read as a whole; strings that were returned before are then not valid any more. Throws usage_error unless the
  /// graph is read only.
  std::uint64_t refresh();
  /// Writes the whole state to the folder, so that it is opened without applying the batches so far, and drops batches that the history
  /// does not need. This happens by itself as batches come, at a cost in proportion to theirs. O(vertices + edges). Throws usage_error for
  /// a graph that is not written to a folder, uncommitted_batch when the state could not be written.
  void compact();
  /// Replaces the caller's remark in the folder. Throws usage_error for a graph that is not written to one.
  void set_remark(std::string remark);
  /// The changes that revert() would refuse to take back. Throws usage_error as revert() does for other reasons.
  [[nodiscard]] std::vector<revert_conflict<Id>> conflicts(std::uint64_t batch) const;

  [[nodiscard]] bool contains(Id v) const;
  [[nodiscard]] bool contains(Id u, Id v) const;
  /// True if u and v are connected; false if one of them does not exist. Expected O(1).
  [[nodiscard]] bool connected(Id u, Id v) const;
  /// The id of the component of v, or no_component. Expected O(1).
  [[nodiscard]] std::uint64_t component_of(Id v) const;
  /// The number of vertices in the component of v; 0 if it does not exist. Expected O(1).
  [[nodiscard]] std::uint64_t size_of(Id v) const;
  /// The vertices of the component of v, ascending. O(members log members).
  [[nodiscard]] std::vector<Id> members(Id v) const;
  /// The smallest vertex of the component of v. O(members).
  [[nodiscard]] std::optional<Id> label(Id v) const;
  /// Every vertex, ascending, with the smallest vertex of its component. O(vertices log vertices).
  [[nodiscard]] std::vector<std::pair<Id, Id>> labels() const;
  /// All edges, in no order; an attribute that the options do not keep has its default value. O(vertices + edges).
  [[nodiscard]] std::vector<edge_type> edges() const;

  [[nodiscard]] std::uint64_t vertices() const noexcept;
  [[nodiscard]] std::uint64_t edge_count() const noexcept;
  [[nodiscard]] std::uint64_t count() const noexcept;
  /// The number of the last batch; 0: none.
  [[nodiscard]] std::uint64_t last_batch() const noexcept;
  /// The oldest batch in the history; last_batch() + 1 if there is none.
  [[nodiscard]] std::uint64_t oldest_batch() const noexcept;
  /// The events of a batch: created, revived, split, merged, vanished, each by (from, into). Throws usage_error when it is not in the
  /// history.
  [[nodiscard]] std::vector<component_event> events(std::uint64_t batch) const;
  /// The net changes of all batches behind that one, by vertex. Throws usage_error when the history does not have all of them.
  [[nodiscard]] std::vector<component_change<Id>> changes(std::uint64_t since) const;
  /// The components after the last batch that has returned. O(1), but for a wait while the ids that a batch changed are written down.
  /// Throws usage_error unless the options allow snapshots.
  [[nodiscard]] dynamic_snapshot<Id> snapshot() const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class basic_dynamic<std::uint32_t>;
extern template class basic_dynamic<std::uint64_t>;
extern template class basic_dynamic<std::int64_t>;
extern template class basic_dynamic<std::string_view>;
extern template class dynamic_snapshot<std::uint32_t>;
extern template class dynamic_snapshot<std::uint64_t>;
extern template class dynamic_snapshot<std::int64_t>;
extern template class dynamic_snapshot<std::string_view>;

using dynamic = basic_dynamic<std::uint32_t>;

}  // namespace copse
