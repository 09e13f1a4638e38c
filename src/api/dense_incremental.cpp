// dense_incremental: options, ids and spans are checked here; the engine does the work.
#include <api/dense_engine.hpp>
#include <api/dense_incremental.hpp>
#include <api/saved_structure.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <core/devices.hpp>
#include <core/gpu_part.hpp>
#include <core/request.hpp>
#include <drivers/incremental/connectivity_file.hpp>
#include <variants/choice.hpp>
#include <variants/cuda.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace copse::api {
namespace {

template <class Id>
std::unique_ptr<typename dense_incremental<Id>::engine> make_engine(const request<incremental_options>& options) {
  const bool on_gpu = gpu_of(options).has_value();
  const auto& row = variant::incremental_variant_named(options.variant, usable_threads(options.threads), on_gpu);
  const auto& traits = variant::finish_entries[row.finish].traits;
  const bool concurrent = row.info.backend != backend::serial::name;
  if (const auto reason = variant::forest_refusal_of(traits, concurrent); options.record_forest && !reason.empty()) {
    throw usage_error{std::string{row.info.name}.append(": no forest can be recorded: ").append(reason)};
  }
  if (row.info.backend == variant::cuda_name) {
    if constexpr (has_gpu_part && std::is_same_v<Id, std::uint32_t>) {
      return gpu_engine(row, options);
    } else {
      variant::refuse_wide_ids();
    }
  }
  if (concurrent) return std::make_unique<cpu_engine<backend::threads, Id>>(row, options);
  return std::make_unique<cpu_engine<backend::serial, Id>>(row, options);
}

/// Converts canonical labels of any width to type Id, and renumbers vertex v to first_id + v. The ids below `first_id`, which are no
/// vertices, get the label no_vertex.
template <class Id>
buffer<Id> narrowed(const labelling& labels, std::uint64_t first_id, std::pmr::memory_resource* memory) {
  if (labels.is_numbered())
    throw usage_error{"incremental: found component numbers as labels, expected for each vertex the smallest vertex of its component"};
  const std::uint64_t slots = first_id + labels.slots();
  if (slots > no_vertex<Id>) {
    throw usage_error{"incremental: there can be at most " + std::to_string(no_vertex<Id>) + " slots, not " + std::to_string(slots)};
  }
  buffer<Id> narrow{slots, memory};
  std::fill_n(narrow.begin(), first_id, no_vertex<Id>);
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    const std::uint64_t label = labels.label(v);
    if (label == no_vertex<std::uint64_t>) {
      narrow[first_id + v] = no_vertex<Id>;
    } else if (label > v || labels.label(label) != label) {
      throw usage_error{"incremental: each label must be the smallest vertex of its component, and label " + std::to_string(label) +
                        " of vertex " + std::to_string(v) + " is not"};
    } else {
      narrow[first_id + v] = static_cast<Id>(first_id + label);
    }
  }
  return narrow;
}

std::uint64_t first_id_of(const labelling& labels) {
  if (!labels.names().first_id())
    throw usage_error{"incremental: the ids of the labelled vertices must be consecutive integers, such as 5, 6, 7"};
  return labels.slots() == 0 ? 0 : *labels.names().first_id();
}

/// Calls f(batch) for batches of all edges of a graph, each edge once where it is known that both directions are stored.
template <class Id, class F>
void for_edge_batches(graph_view g, std::pmr::memory_resource* memory, F f) {
  constexpr std::size_t batch_edges = std::size_t{1} << 20;
  buffer<edge<Id>> batch{batch_edges, memory};
  std::size_t held = 0;
  const auto add = [&](std::uint64_t u, std::uint64_t v) {
    batch[held++] = {static_cast<Id>(u), static_cast<Id>(v)};
    if (held < batch_edges) return;
    f(std::span<const edge<Id>>{batch.data(), held});
    held = 0;
  };
  std::visit(
      [&]<class View>(const View& view) {
        if constexpr (std::is_same_v<View, coo_view<Id>>) {
          f(view.edges);
        } else if constexpr (requires { view.edges; }) {
          for (const auto [u, v] : view.edges) add(u, v);
        } else {
          const bool once = view.symmetric == symmetry::yes;
          for (std::uint64_t v = 0; v < view.vertices(); ++v) {
            for (std::uint64_t a = view.offsets[v]; a < view.offsets[v + 1]; ++a) {
              if (!once || view.targets[a] <= v) add(v, view.targets[a]);
            }
          }
        }
      },
      g);
  f(std::span<const edge<Id>>{batch.data(), held});
}

/// Returns the execution of the static solve with which the structure begins: on the GPU of the structure if ids have 32 bits.
template <class Engine>
execution execution_of_solve(graph_view g, const Engine& e) {
  const bool narrow = std::visit([]<class View>(const View&) { return sizeof(typename View::id_type) == sizeof(std::uint32_t); }, g);
  execution on = e.options.on();
  const bool on_gpu = e.row.info.backend == variant::cuda_name && narrow;
  on.device = on_gpu ? "cuda:" + std::to_string(gpu_of(on).value_or(0)) : "cpu";
  return on;
}

/// Makes an engine that continues from saved contents.
template <class Id>
std::unique_ptr<typename dense_incremental<Id>::engine> engine_of(const drivers::connectivity<Id>& saved,
                                                                  const request<incremental_options>& options, std::string_view name) {
  if (options.record_forest) {
    if (!saved.forest)
      throw usage_error{
          std::string{name} +
          ": found a structure saved without a forest, expected one with a forest, as record_forest is set; open it without record_forest"};
    expect_forest(saved, drivers::refuser{name}, options.memory);
  }
  auto opened = make_engine<Id>(options);
  opened->grow(static_cast<Id>(saved.labels.size()));
  opened->adopt(saved.labels.span());
  opened->knows_all_edges = opened->links() == 0 || (options.record_forest && saved.knows_all_edges);
  if (options.record_forest) {
    // The array has an element for each vertex: when a root gets a parent, the edge that joined the two trees is stored in the root's
    // element. So the elements of vertices that are no roots are never written again, and may hold the saved edges in any order.
    edge<Id>* const slots = opened->link_slots();
    std::size_t v = 0;
    for (const auto& joined : *saved.forest) {
      while (saved.labels[v] == no_vertex<Id> || saved.labels[v] == v) ++v;
      slots[v++] = joined;
    }
    opened->put_link_slots();
  }
  return opened;
}

}  // namespace

template <unsigned_index Id>
dense_incremental<Id>::dense_incremental(std::unique_ptr<engine> work) noexcept : engine_{std::move(work)} {}
template <unsigned_index Id>
dense_incremental<Id>::dense_incremental(dense_incremental&&) noexcept = default;
template <unsigned_index Id>
dense_incremental<Id>& dense_incremental<Id>::operator=(dense_incremental&&) noexcept = default;
template <unsigned_index Id>
dense_incremental<Id>::~dense_incremental() = default;

template <unsigned_index Id>
dense_incremental<Id>::dense_incremental(Id vertices, const incremental_options& options, const execution& on)
    : engine_{make_engine<Id>({options, on})} {
  engine_->grow(vertices);
  engine_->declare(0);
}

template <unsigned_index Id>
dense_incremental<Id>::dense_incremental(const labelling& labels, const incremental_options& options, const execution& on)
    : engine_{make_engine<Id>({options, on})} {
  engine_->take(narrowed<Id>(labels, first_id_of(labels), on.memory));
}

template <unsigned_index Id>
dense_incremental<Id> dense_incremental<Id>::of_positions(const labelling& labels, const incremental_options& options,
                                                          const execution& on) {
  dense_incremental made{0, options, on};
  made.engine_->take(narrowed<Id>(labels, 0, on.memory));
  return made;
}

template <unsigned_index Id>
dense_incremental<Id>::dense_incremental(graph_view g, const incremental_options& options, const execution& on)
    : engine_{make_engine<Id>({options, on})} {
  const std::uint64_t n = std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, g);
  if (n > no_vertex<Id>) {
    throw usage_error{"incremental: there can be at most " + std::to_string(no_vertex<Id>) + " vertices, not " + std::to_string(n)};
  }
  if (options.record_forest) {
    engine_->grow(static_cast<Id>(n));
    engine_->declare(0);
    for_edge_batches<Id>(g, on.memory, [this](pairs edges) { insert(edges); });
    return;
  }
  const auto solved = components(g, {}, execution_of_solve(g, *engine_));
  engine_->take(narrowed<Id>(solved.labels, 0, on.memory));
}

template <unsigned_index Id>
dense_incremental<Id>::dense_incremental(const drivers::connectivity<Id>& saved, std::string_view name, const incremental_options& options,
                                         const execution& on)
    : engine_{engine_of<Id>(saved, {options, on}, name)} {}

template <unsigned_index Id>
void dense_incremental<Id>::insert(pairs edges) {
  engine_->insert_growing(edges);
}

template <unsigned_index Id>
query_answers dense_incremental<Id>::connected(pairs queries) {
  query_answers answers{queries.size(), engine_->options.memory};
  engine_->query(queries, answers.words());
  return answers;
}

template <unsigned_index Id>
void dense_incremental<Id>::connected(pairs queries, std::span<std::uint64_t> answers) {
  engine_->query(queries, answers);
}

template <unsigned_index Id>
bool dense_incremental<Id>::connected(Id u, Id v) {
  const edge<Id> pair{u, v};
  std::uint64_t answer = 0;
  engine_->query({&pair, 1}, {&answer, 1});
  return answer != 0;
}

template <unsigned_index Id>
std::size_t dense_incremental<Id>::step() const noexcept {
  return engine_->step();
}

template <unsigned_index Id>
query_answers dense_incremental<Id>::apply(pairs batch, std::span<const operation> kinds, mixing how) {
  if (batch.size() != kinds.size()) {
    throw usage_error{"apply: there must be one kind for each of " + std::to_string(batch.size()) + " pairs, not " +
                      std::to_string(kinds.size()) + " kinds"};
  }
  if (how == mixing::concurrent) {
    if (const auto reason = incremental_refusal(variant().name, how)) throw usage_error{*reason};
  }
  query_answers answers{batch.size(), engine_->options.memory};
  engine_->apply_growing({batch, kinds.data()}, how, answers.words());
  return answers;
}

template <unsigned_index Id>
void dense_incremental<Id>::merge(const dense_incremental& other) {
  if (this == &other) return;
  if (records_forest() && !(other.engine_->knows_all_edges && (other.records_forest() || other.engine_->links() == 0))) {
    throw usage_error{"merge: a structure that records its forest can only merge another one that records its forest"};
  }
  const buffer<Id> labels = other.engine_->labels();
  engine_->grow(other.slots());
  constexpr std::size_t piece = std::size_t{1} << 20;
  buffer<edge<Id>> batch{std::min(piece, labels.size()), engine_->options.memory};
  for (std::size_t first = 0; first < labels.size(); first += piece) {
    std::size_t held = 0;
    for (std::size_t v = first; v < std::min(labels.size(), first + piece); ++v) {
      if (labels[v] == no_vertex<Id>) continue;
      // A recorded forest must consist of inserted edges, and (v, label) need not be one. So the vertex is inserted as a self-loop here,
      // and the edges of the other structure's forest are inserted below.
      batch[held++] = {static_cast<Id>(v), records_forest() ? static_cast<Id>(v) : labels[v]};
    }
    engine_->insert({batch.data(), held});
  }
  if (records_forest() && other.records_forest()) insert(other.forest().edges.span());
  engine_->knows_all_edges = engine_->knows_all_edges && other.engine_->knows_all_edges;
}

template <unsigned_index Id>
Id dense_incremental<Id>::slots() const noexcept {
  return engine_->slots();
}
template <unsigned_index Id>
std::uint64_t dense_incremental<Id>::vertices() const noexcept {
  return engine_->vertices();
}
template <unsigned_index Id>
std::uint64_t dense_incremental<Id>::count() const noexcept {
  return engine_->vertices() - engine_->links();
}
template <unsigned_index Id>
bool dense_incremental<Id>::contains(Id v) const {
  return v < engine_->slots() && (engine_->existing()[v / 64] >> (v % 64) & 1) != 0;
}

template <unsigned_index Id>
std::uint64_t dense_incremental<Id>::size_of(Id v) const {
  if (!contains(v)) return 0;
  engine& e = *engine_;
  if (e.sized_links != e.links() || e.sized_slots < e.slots()) {
    e.sized_links = UINT64_MAX;
    e.sized_labels = e.labels();
    e.sizes = buffer<Id>{e.sized_labels.size(), e.options.memory};
    std::fill(e.sizes.begin(), e.sizes.end(), Id{0});
    for (const Id label : e.sized_labels) {
      if (label != no_vertex<Id>) ++e.sizes[label];
    }
    e.sized_slots = e.slots();
    e.sized_links = e.links();
  }
  // If no components were joined since the sizes were computed, a vertex that did not exist then is a component of its own.
  return e.sized_labels[v] == no_vertex<Id> ? 1 : e.sizes[e.sized_labels[v]];
}

template <unsigned_index Id>
labelling dense_incremental<Id>::labels() const {
  auto labels = engine_->labels();
  const std::uint64_t slots = labels.size();
  return {std::move(labels), vertex_names::identity(slots)};
}

template <unsigned_index Id>
void dense_incremental<Id>::labels(std::span<Id> to) const {
  if (to.size() != slots()) {
    throw usage_error{"labels must have one element per slot, " + std::to_string(slots()) + ", not " + std::to_string(to.size())};
  }
  engine_->write_labels(to.data());
}

template <unsigned_index Id>
bool dense_incremental<Id>::records_forest() const noexcept {
  return engine_->options.record_forest;
}

template <unsigned_index Id>
coo<Id> dense_incremental<Id>::forest() const {
  if (!records_forest()) throw usage_error{"forest() needs incremental_options::record_forest"};
  const auto* slots = engine_->link_slots();
  coo<Id> kept;
  kept.vertex_count = engine_->slots();
  std::size_t edges = 0;
  for (std::size_t v = 0; v < engine_->slots(); ++v) edges += slots[v].u != no_vertex<Id>;
  kept.edges = buffer<edge<Id>>{edges, engine_->options.memory};
  std::size_t next = 0;
  for (std::size_t v = 0; v < engine_->slots(); ++v) {
    if (slots[v].u != no_vertex<Id>) kept.edges[next++] = slots[v];
  }
  return kept;
}

template <unsigned_index Id>
const variant_info& dense_incremental<Id>::variant() const noexcept {
  return engine_->row.info;
}

template <unsigned_index Id>
void dense_incremental<Id>::save(const std::filesystem::path& path, std::span<const std::byte> beside) const {
  const buffer<Id> labels = engine_->labels();
  std::optional<std::span<const edge<Id>>> kept;
  coo<Id> trees;
  if (records_forest()) {
    trees = forest();
    kept = std::as_const(trees.edges).span();
  }
  drivers::write_connectivity<Id>(path, labels.span(), kept, engine_->knows_all_edges, beside);
}

template <unsigned_index Id>
dense_incremental<Id> dense_incremental<Id>::open(const std::filesystem::path& path, const incremental_options& options,
                                                  std::vector<std::byte>* beside, const execution& on) {
  using enum saved_kind;
  const auto saved = drivers::read_connectivity<Id>(path, on.memory);
  constexpr std::string_view expected = "a structure whose ids are its slots";
  if (beside == nullptr) {
    expect_kind(saved.beside_text(), {slots_only, foreign, stream_of_slots}, path.string(), expected);
  } else {
    expect_kind(saved.beside_text(), {slots_only, foreign}, path.string(), expected);
  }
  dense_incremental opened{saved, path.string(), options, on};
  if (beside != nullptr) beside->assign(saved.beside.begin(), saved.beside.end());
  return opened;
}

template class dense_incremental<std::uint32_t>;
template class dense_incremental<std::uint64_t>;

}  // namespace copse::api
