// Components of a graph whose edges arrive and leave, with persistent component ids and the changes that each batch made.
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

/// Returned instead of a component id for a vertex that does not exist; no component has this id.
inline constexpr std::uint64_t no_component = UINT64_MAX;

/// The types of vertex names: std::uint32_t for dense ids, each its own index (memory is proportional to the largest id); std::uint64_t and
/// std::int64_t for sparse integers; std::string_view for strings.
template <class Id>
concept dynamic_id = std::same_as<Id, std::uint32_t> || std::same_as<Id, std::uint64_t> || std::same_as<Id, std::int64_t> ||
    std::same_as<Id, std::string_view>;

struct dynamic_options {
  bool weights = false;  ///< keep the weight of each edge
  bool times = false;    ///< keep the time of each edge, for expire()
  bool keys = false;     ///< edges between the same two vertices are different edges if their keys differ
  /// The number of insert operations in the window; 0: no window. An edge leaves the graph when its last insert operation leaves the
  /// window.
  std::uint64_t count_window = 0;
  bool keep_vertices = false;  ///< keep a vertex whose last edge leaves through expire() or the count window
  /// The number of recent batches whose events and changes can be queried and that can be reverted. Each batch takes 12 bytes per
  /// operation, 72 more if edges have weights, times or keys, and 24 per vertex whose component id changed.
  std::uint64_t history = 1;
  bool snapshots = false;  ///< allow snapshot(); takes 8 more bytes per vertex and component, and time per vertex whose id changes
};

// Graphs that are kept in a folder.

enum class dynamic_id_kind : std::uint8_t { dense, unsigned_integers, signed_integers, strings };

enum class durability : std::uint8_t {
  full,    ///< a batch is on disk when its call returns
  relaxed  ///< the last batches may be lost if the machine crashes, not if only the process does; no batch is kept in part
};

struct dynamic_store_options {
  durability durable = durability::full;
  /// If true, opens the folder as a reader. Any number of readers may overlap with each other and with the one writer, in other processes
  /// too.
  bool read_only = false;
  /// Readers only: open the state after this batch. The last `history` batches can be read, and some before them; for an older one the
  /// usage_error names the oldest.
  std::uint64_t until = UINT64_MAX;
  std::string remark{};  ///< text of the caller, stored with the graph when open() creates the folder
};

/// Description of a graph that is stored in a folder.
struct dynamic_store_facts {
  dynamic_id_kind ids{};
  dynamic_options options;
  std::string remark;
};
/// Describes the graph in a folder. Returns nothing if the folder does not exist or is empty. Throws input_error for a folder that holds no
/// graph or a damaged one.
[[nodiscard]] std::optional<dynamic_store_facts> dynamic_facts_of(const std::filesystem::path& folder);
/// True if this machine has SQLite, which graphs in folders need.
[[nodiscard]] bool has_dynamic_store() noexcept;

/// Thrown if a batch or a state could not be written; the graph is as it was before the call.
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

/// Converts pairs of ids of any kind to edges, with a weight each unless `weights` is empty:
/// `graph.insert(dynamic_edges<std::int64_t>({from, to}))` for two vectors. Strings are not copied. Throws usage_error for columns of
/// different length, for strings if Id is an integer, and for integers if Id is a string; input_error for an integer that Id cannot
/// represent.
template <dynamic_id Id>
[[nodiscard]] std::vector<dynamic_edge<Id>> dynamic_edges(const id_pairs& pairs, std::span<const double> weights = {});

enum class dynamic_operation_kind : std::uint8_t {
  insert,       ///< insert the edge, or if it exists set its weight and keep the later of the two times
  erase,        ///< erase all edges between u and v, whatever their keys
  erase_key,    ///< erase the edge between u and v that has this key
  erase_vertex  ///< erase u and its edges; a later vertex of the same name is a new vertex
};

template <dynamic_id Id>
struct dynamic_operation {
  dynamic_operation_kind kind = dynamic_operation_kind::insert;
  dynamic_edge<Id> edge;
};

/// What happened to a component. A batch lists its events in the order of this enumeration. The lifetime of a component id begins with one
/// `created` or `revived` event and ends with one `merged` or `vanished` event.
enum class component_event_kind : std::uint8_t {
  created,  ///< the component `into` is new, and has `vertices` vertices
  revived,  ///< the component `into`, which a reverted batch had ended, is in use again, with `vertices` vertices
  split,    ///< `vertices` vertices of the component `from` are now in the component `into`
  merged,   ///< the component `from` ended; most of its vertices, `vertices` of them, are now in `into`
  vanished  ///< the component `from` ended because its `vertices` vertices were erased
};

struct component_event {
  component_event_kind kind;
  std::uint64_t from, into;  ///< ids of components; no_component if the event has none
  std::uint64_t vertices;
  friend bool operator==(const component_event&, const component_event&) = default;
};

/// A vertex whose component id changed. `before` is no_component if the vertex did not exist before, `after` if it does not exist any more.
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
  std::uint64_t number = 0;    ///< the number of this batch; the first has 1
  std::uint64_t inserted = 0;  ///< number of edges that were inserted and did not exist before
  std::uint64_t erased = 0;    ///< number of edges that left, including those that left a window or were edges of erased vertices
  std::uint64_t dropped = 0;   ///< number of inserts that were ignored because they are older than the time or count window
  std::uint64_t skipped = 0;   ///< number of changes that revert() did not undo because later batches touched the same edges or vertices
};

/// What revert() does with changes whose edges or vertices were touched by later batches.
enum class revert_conflicts : std::uint8_t { refuse, skip };

/// A change that cannot be reverted because a later batch touched the same edge (u, v, key), or if `is_vertex` the same vertex u (and v is
/// u).
template <dynamic_id Id>
struct revert_conflict {
  bool is_vertex = false;
  Id u{}, v{};
  std::uint64_t key = 0;
};

/// The components as of one batch; later batches do not change them. Calls may overlap with each other and with calls of the graph, and the
/// snapshot may outlive the graph.
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

/// A graph of which edges can be inserted and erased, and its components. Edges are a set: inserting an existing edge replaces its weight
/// and keeps the later time. A loop is an edge of its vertex. Erasing an edge keeps its ends. Every call that takes edges or vertices is a
/// batch; ids and events depend only on the components before and after the batch.
///
/// Ids of components are 64-bit numbers, which are never reused for another component. Each component before a batch nominates the
/// component after the batch that has most of its vertices (of several, the one with the smallest such vertex). A component after the batch
/// takes, among the ids of the components that nominated it, the id of the one that has most vertices in it (of several, the oldest id). If
/// none nominated it, it gets a new id.
///
/// Names are kept, also those of erased vertices, and returned strings are valid, as long as the object lives. Calls may not overlap,
/// except const calls with each other, and snapshot() with every call. Every call may throw resource_error, after which only the destructor
/// may be called, except after uncommitted_batch.
template <dynamic_id Id>
class basic_dynamic {
public:
  using edge_type = dynamic_edge<Id>;

  /// Constructs an empty graph. `on` sets the memory, and the number of threads that erase the edges of one batch.
  explicit basic_dynamic(const dynamic_options& options = {}, const execution& on = {});
  /// Opens the graph in a folder, or creates it unless store.read_only is set. Every batch is written to the folder before it takes effect.
  /// Without `options` the graph has those with which it was created, or the defaults if it is new; otherwise they must equal the stored
  /// ones, except `snapshots`. O(vertices + edges), and the batches since the last stored state are applied. Throws usage_error for other
  /// ids or options, if another process writes to the folder (with the id of that process), and if SQLite is missing; input_error for a
  /// damaged folder, with the number of the batch.
  [[nodiscard]] static basic_dynamic open(const std::filesystem::path& folder, const std::optional<dynamic_options>& options = {},
                                          const dynamic_store_options& store = {}, const execution& on = {});
  basic_dynamic(basic_dynamic&&) noexcept;
  basic_dynamic& operator=(basic_dynamic&&) noexcept;
  ~basic_dynamic();

  /// Applies a batch; its operations take effect in order.
  dynamic_batch apply(std::span<const dynamic_operation<Id>> operations);
  /// Applies a batch and replaces the caller's remark in the folder in the same transaction. Throws usage_error for a graph that is not
  /// stored in a folder.
  dynamic_batch apply(std::span<const dynamic_operation<Id>> operations, std::string remark);
  dynamic_batch insert(std::span<const edge_type> edges);
  dynamic_batch insert(Id u, Id v);
  /// Erases all edges between the two ends of each pair; weights, times and keys do not matter.
  dynamic_batch erase(std::span<const edge_type> pairs);
  dynamic_batch erase(Id u, Id v);
  /// Erases edges, matched by both ends and the key. Throws usage_error unless dynamic_options::keys is set.
  dynamic_batch erase_keys(std::span<const edge_type> edges);
  dynamic_batch erase_vertices(std::span<const Id> vertices);
  /// Erases vertices, which may have been erased before, and removes their names and edges from memory, from the batches and states in the
  /// folder, and from the unused bytes of its files. The history starts anew. Strings returned before are no longer valid, but snapshots
  /// keep their names. O(vertices + edges). Throws uncommitted_batch if the folder could not be written or a reader held an older state for
  /// 10 seconds; the vertices are then erased if last_batch() has grown, and the call may be repeated.
  dynamic_batch purge_vertices(std::span<const Id> vertices);
  /// Erases the edges whose time is less than `before`, and, unless keep_vertices is set, the vertices that lost their last edge by this.
  /// From now on inserts with an earlier time are ignored and counted as dropped. Throws usage_error unless dynamic_options::times is set.
  dynamic_batch expire(std::int64_t before);
  /// Reverts a batch, as a new batch. The last batch is reverted exactly: edges, vertices, weights, times, ids and labels are as they were
  /// before it. For an older batch, the changes that took effect are inverted; an id that ended in it is used again for the component that
  /// has more than half of its former vertices. Throws usage_error if the batch is no longer in the history, if edges left a window in it,
  /// and if later batches touched the same edges or vertices, unless these changes are to be skipped.
  dynamic_batch revert(std::uint64_t batch, revert_conflicts conflicts = revert_conflicts::refuse);
  /// Applies the batches that the writer has committed since the last call, and returns last_batch(). If the writer has dropped some of
  /// them or purged vertices, the whole state is read again, and strings returned before are no longer valid. Throws usage_error unless the
  /// graph is read only.
  std::uint64_t refresh();
  /// Writes the whole state to the folder, so that open() need not apply the batches before it, and drops batches that the history does not
  /// need. This also happens automatically, at a cost proportional to the size of the batches. O(vertices + edges). Throws usage_error for
  /// a graph that is not stored in a folder, uncommitted_batch if the state could not be written.
  void compact();
  /// Replaces the caller's remark in the folder. Throws usage_error for a graph that is not stored in a folder.
  void set_remark(std::string remark);
  /// The changes because of which revert(batch) would be refused. Throws usage_error if revert() would throw it for another reason.
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
  /// All edges, ordered by u, v and key, where u <= v; an attribute that the options do not keep has its default value.
  /// O(vertices + edges * log(edges)).
  [[nodiscard]] std::vector<edge_type> edges() const;

  [[nodiscard]] std::uint64_t vertices() const noexcept;
  [[nodiscard]] std::uint64_t edge_count() const noexcept;
  [[nodiscard]] std::uint64_t count() const noexcept;
  /// The number of the last batch, or 0 if there was none.
  [[nodiscard]] std::uint64_t last_batch() const noexcept;
  /// The oldest batch in the history; last_batch() + 1 if the history is empty.
  [[nodiscard]] std::uint64_t oldest_batch() const noexcept;
  /// The events of a batch, in the order created, revived, split, merged, vanished, and of each kind by (from, into). Throws usage_error if
  /// the batch is not in the history.
  [[nodiscard]] std::vector<component_event> events(std::uint64_t batch) const;
  /// The net changes of all batches after batch `since`, ordered by vertex. Throws usage_error if one of them is not in the history.
  [[nodiscard]] std::vector<component_change<Id>> changes(std::uint64_t since) const;
  /// The components after the last batch that has returned. O(1), but it may wait while a batch records the ids that it changed. Throws
  /// usage_error unless dynamic_options::snapshots is set.
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
