// The public class: batches by their type, and the position in a stream. The structure for the kind of ids does the work.
#include <api/incremental_state.hpp>
#include <copse/components.hpp>
#include <copse/incremental.hpp>
#include <core/hide.hpp>
#include <variants/choice.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse {

using api::dense_incremental;
using api::named_incremental;
using api::wide_incremental;
using id = named_incremental::id;
using wide_id = wide_incremental::id;

namespace {

/// Throws usage_error if vertices are declared for a structure that continues from labels or a graph.
void expect_none_declared(const incremental_options& options) {
  if (options.vertices == 0) return;
  throw usage_error{
      "incremental: the option vertices, a number of vertices to begin with, is for new structures only; leave it out, as "
      "this one begins with the vertices of the labels or the graph"};
}

[[nodiscard]] bool needs_wide_ids(std::uint64_t slots) noexcept { return slots >= no_vertex<id>; }

constexpr std::in_place_type_t<named_incremental> of_any_names{};
constexpr std::in_place_type_t<wide_incremental> of_wide_ids{};

}  // namespace

incremental::incremental(std::unique_ptr<state> held) noexcept : state_{hide(std::move(held))} {}

incremental::incremental(const incremental_options& options, const execution& on)
    : incremental{needs_wide_ids(options.vertices) ? std::make_unique<state>(request<incremental_options>{options, on}, of_wide_ids,
                                                                             dense_incremental<wide_id>{options.vertices, options, on})
                                                   : std::make_unique<state>(request<incremental_options>{options, on}, of_any_names)} {}

incremental incremental::from(const labelling& labels, const incremental_options& options, const execution& on) {
  expect_none_declared(options);
  const request<incremental_options> asked{options, on};
  const auto first_id = labels.names().first_id();
  if (first_id && needs_wide_ids(*first_id + labels.slots())) {
    return incremental{std::make_unique<state>(asked, of_wide_ids, dense_incremental<wide_id>{labels, options, on})};
  }
  if (first_id) {
    auto made =
        std::make_unique<state>(asked, of_any_names, dense_incremental<id>{labels, options, named_incremental::execution_for(asked)});
    if (labels.slots() != 0 || options.record_forest) std::get<named_incremental>(made->ids).index_an_array();
    return incremental{std::move(made)};
  }
  auto made = std::make_unique<state>(asked, of_any_names, labels);
  const auto& structure = std::get<named_incremental>(made->ids);
  if (const std::uint64_t sighted = structure.id_with_sign_bit(); sighted != 0) {
    made->note_sign(sighted, structure.is_signed(), [] { return std::string{"an id of the labels"}; });
  }
  return incremental{std::move(made)};
}

incremental incremental::from(graph_view g, const incremental_options& options, const execution& on) {
  expect_none_declared(options);
  const request<incremental_options> asked{options, on};
  const std::uint64_t vertices = std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, g);
  if (needs_wide_ids(vertices)) return incremental{std::make_unique<state>(asked, of_wide_ids, dense_incremental<wide_id>{g, options, on})};
  auto made = std::make_unique<state>(asked, of_any_names, dense_incremental<id>{g, options, named_incremental::execution_for(asked)});
  if (vertices != 0 || options.record_forest) std::get<named_incremental>(made->ids).index_an_array();
  return incremental{std::move(made)};
}

incremental incremental::from(const graph& g, const incremental_options& options, const execution& on) {
  if (g.names().first_id() == std::uint64_t{0}) return from(g.view(), options, on);
  if (options.record_forest) {
    throw usage_error{"incremental: a forest cannot be recorded for a graph whose vertices have names"};
  }
  return from(components(g, {}, on).labels, options, on);
}

void incremental::insert(const id_pairs& edges) {
  api::with_batch("insert", edges, [this](const auto& batch) { state_->insert(batch); });
}

query_answers incremental::connected(const id_pairs& queries) {
  return api::with_batch("connected", queries, [this](const auto& batch) { return state_->connected(batch); });
}

bool incremental::connected(const vertex_id& u, const vertex_id& v) {
  if (u == v) return true;
  return state_->with_ids([&](auto& structure) {
    const auto first = structure.find(u), second = structure.find(v);
    return first && second && structure.live().connected(*first, *second);
  });
}

query_answers incremental::apply(const id_pairs& batch, std::span<const operation> kinds, mixing how) {
  if (batch.size() != kinds.size()) {
    throw usage_error{"apply: there must be one kind for each of " + std::to_string(batch.size()) + " pairs, not " +
                      std::to_string(kinds.size()) + " kinds"};
  }
  if (how == mixing::concurrent) {
    if (const auto reason = incremental_refusal(variant().name, how)) throw usage_error{*reason};
  }
  return api::with_batch("apply", batch, [&](const auto& of_type) { return state_->apply(of_type, kinds, how); });
}

void incremental::merge(const incremental& other) {
  if (this == &other || other.vertices() == 0) return;
  state_->expect_whole_batch("merge");
  const bool merged = std::visit(
      []<class To, class From>(To& to, const From& from) {
        if constexpr (std::is_same_v<To, From>) {
          if (!to.can_index_an_array() || !from.can_index_an_array()) return false;
          to.index_an_array();
          to.live().merge(from.live());
          return true;
        } else {
          return false;
        }
      },
      state_->ids, other.state_->ids);
  if (merged) return;
  if (records_forest()) {
    throw usage_error{"merge: a structure that records its forest can only merge another one that records its forest"};
  }
  const labelling labels = other.labels();
  const vertex_names& names = labels.names();
  constexpr std::uint64_t piece = std::uint64_t{1} << 16;
  const auto in_pieces = [&](auto pair_of) {
    std::vector<decltype(pair_of(0, 0))> pairs;
    for (std::uint64_t begin = 0; begin < labels.slots(); begin += piece) {
      pairs.clear();
      for (std::uint64_t v = begin; v < std::min(labels.slots(), begin + piece); ++v) {
        if (labels.present(v)) pairs.push_back(pair_of(v, labels.label(v)));
      }
      insert({pairs, names.is_signed()});
    }
  };
  if (names.what() == vertex_names::kind::strings) {
    in_pieces([&](std::uint64_t v, std::uint64_t label) { return io::named_edge{names.string(v), names.string(label)}; });
  } else {
    in_pieces([&](std::uint64_t v, std::uint64_t label) { return edge<std::uint64_t>{names.integer(v), names.integer(label)}; });
  }
}

std::uint64_t incremental::slots() const noexcept {
  return state_->with_ids([](const auto& structure) {
    return structure.can_index_an_array() ? std::uint64_t{structure.live().slots()} : structure.live().vertices();
  });
}
std::uint64_t incremental::vertices() const noexcept {
  return state_->with_ids([](const auto& structure) { return structure.live().vertices(); });
}
std::uint64_t incremental::count() const noexcept {
  return state_->with_ids([](const auto& structure) { return structure.live().count(); });
}
bool incremental::contains(const vertex_id& vertex) const {
  return state_->with_ids([&](const auto& structure) { return structure.find(vertex).has_value(); });
}
std::uint64_t incremental::size_of(const vertex_id& vertex) const {
  return state_->with_ids([&](const auto& structure) {
    const auto found = structure.find(vertex);
    return found ? structure.live().size_of(*found) : 0;
  });
}
vertex_ids incremental::id_kind() const noexcept {
  return state_->with_ids([](const auto& structure) { return structure.kind(); });
}
labelling incremental::labels() const {
  return state_->with_ids([](const auto& structure) { return structure.labels(); });
}

namespace {

template <class Word, class Structure>
void write_labels(const Structure& structure, std::span<Word> to) {
  if constexpr (std::is_same_v<typename Structure::id, Word>) {
    if (structure.can_index_an_array()) return structure.live().labels(to);
  }
  throw usage_error{"labels: " + std::to_string(8 * sizeof(Word)) +
                    "-bit labels need ids of that width that index an array; labels() without arguments returns labels of any ids"};
}

}  // namespace

void incremental::labels(std::span<std::uint32_t> to) const {
  state_->with_ids([to](const auto& structure) { write_labels(structure, to); });
}
void incremental::labels(std::span<std::uint64_t> to) const {
  state_->with_ids([to](const auto& structure) { write_labels(structure, to); });
}
bool incremental::records_forest() const noexcept { return state_->options.record_forest; }
graph incremental::forest() const {
  return state_->with_ids([](const auto& structure) { return graph{structure.live().forest()}; });
}
const variant_info& incremental::variant() const noexcept {
  return state_->with_ids([](const auto& structure) -> const variant_info& { return structure.live().variant(); });
}

query_answers incremental::apply(const io::operation_batch& batch) {
  state& s = *state_;
  if (s.options.batch != 0 && batch.size() > room()) {
    throw usage_error{"stream: at most " + std::to_string(room()) + " records complete a batch of " + std::to_string(s.options.batch) +
                      "; there are " + std::to_string(batch.size())};
  }
  s.check_signs(batch);
  s.with_ids([&](auto& structure) { structure.number(batch, s.at.records + 1); });
  s.note_signs(batch);
  const std::uint64_t records = s.at.records + batch.size();
  if (s.is_between_batches(s.at.records)) s.open.clear(batch.named());
  const std::size_t open_before = s.open.size();
  query_answers answers{0, s.options.memory};
  try {
    if (s.options.how == mixing::phased && !s.is_between_batches(records)) s.open.add_queries_of(batch);
    answers = s.with_ids([&](auto& structure) { return structure.apply_numbered(batch.kinds(), s.options.how); });
  } catch (...) {
    s.open.shrink(open_before);
    throw;
  }
  s.open_before = open_before;
  s.applied.add(batch, s.at.records, s.threads());
  s.at.records = records;
  s.at.answers += batch.queries();
  return answers;
}

query_answers incremental::answers_again() {
  state& s = *state_;
  if (s.open_before == 0) return query_answers{0, s.options.memory};
  return s.with_ids([&](auto& structure) {
    structure.number(s.open, s.at.records + 1);
    return structure.connected_numbered(s.open_before);
  });
}

bool incremental::replay(const io::operation_batch& batch) {
  state& s = *state_;
  s.replayed.add(batch, s.replayed_records, s.threads());
  s.replayed_records += batch.size();
  return s.replayed_records != s.at.records || s.replayed.value() == s.applied.value();
}

std::uint64_t incremental::replayed() const noexcept { return state_->replayed_records; }
stream_position incremental::position() const noexcept { return state_->at; }
std::uint64_t incremental::batch() const noexcept { return state_->options.batch; }
mixing incremental::how() const noexcept { return state_->options.how; }

}  // namespace copse
