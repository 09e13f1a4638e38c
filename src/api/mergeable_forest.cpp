// Mergeable forests: normal form, bytes and files, and the order in which many are merged.
#include <api/checked_part.hpp>
#include <api/saved_structure.hpp>
#include <copse/errors.hpp>
#include <copse/live_stream.hpp>
#include <copse/mergeable_forest.hpp>
#include <drivers/merging/forest_bytes.hpp>
#include <drivers/merging/normal_form.hpp>
#include <drivers/merging/star_merge.hpp>
#include <drivers/streaming/streaming_sink.hpp>
#include <io/request.hpp>
#include <io/source.hpp>
#include <verify/verify_part.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace copse {

mergeable_forest::mergeable_forest(labelling labels, std::pmr::memory_resource* memory)
    : labels_{drivers::normal_form(std::move(labels), memory)} {}

std::uint64_t mergeable_forest::vertices() const noexcept {
  return std::visit(
      []<class Id>(const buffer<Id>& labels) {
        return static_cast<std::uint64_t>(labels.size()) -
               static_cast<std::uint64_t>(std::count(labels.begin(), labels.end(), no_vertex<Id>));
      },
      labels_.labels());
}

buffer<std::byte> mergeable_forest::bytes(std::pmr::memory_resource* memory) const {
  return drivers::bytes_of([&](const drivers::byte_output& output) { drivers::put_forest(labels_, output, memory); }, memory);
}

mergeable_forest mergeable_forest::from_bytes(std::span<const std::byte> bytes, std::string_view name, std::pmr::memory_resource* memory) {
  using enum api::saved_kind;
  const drivers::connectivity_bytes held = drivers::look_into({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
  api::expect_kind(held.beside, {slots_only, names, weights}, name, "a forest of parts");
  return mergeable_forest{drivers::forest_in(held, name, memory), memory};
}

void mergeable_forest::save(const std::filesystem::path& path) const {
  io::output_file file{path};
  drivers::put_forest(
      labels_, [&file](const void* bytes, std::size_t count) { file.write(bytes, count); }, host_memory());
  file.commit_to_disk();
}

mergeable_forest mergeable_forest::open(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  using enum api::saved_kind;
  {
    const std::string name = path.string();
    const io::whole_file file{path, memory};
    const drivers::connectivity_bytes held = drivers::look_into(file.bytes(), name);
    const auto kind = api::expect_kind(held.beside, {slots_only, names, weights, stream_of_slots, stream_of_names}, name,
                                       "a forest of parts, or a checkpoint of a stream");
    if (kind != stream_of_slots && kind != stream_of_names) {
      return mergeable_forest{drivers::forest_in(held, name, memory), memory};
    }
  }
  return mergeable_forest{live_stream::resume(path, {}, {.memory = memory}).labels(), memory};
}

/// Dense forests, of which there is one at most, take others in where they stand. Of those with names, each is at most half of the one
/// below it, so that a name is copied as often as it would be by a tree of merges, in whichever order they come.
struct forest_merger::state {
  explicit state(const execution& asked) : on{asked}, context{usable_threads(asked.threads), asked.memory} {}

  void add(const labelling& labels) {
    if (labels.slots() == 0) return;
    if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
    drivers::parent_forest next = drivers::parents_of(labels, context);
    if ((dense && next.strings()) || (!named.empty() && named.front().strings() != next.strings())) {
      throw usage_error{std::string{"merge: found "} + (next.strings() ? "strings, expected integers" : "integers, expected strings") +
                        " as in the forests before"};
    }
    if (next.dense()) {
      dense = dense ? drivers::merge_parents(*std::move(dense), std::move(next), context) : std::move(next);
      return;
    }
    named.push_back(std::move(next));
    while (named.size() > 1 && named[named.size() - 2].slots() < 2 * named.back().slots()) merge_last();
  }

  void merge_last() {
    drivers::parent_forest last = std::move(named.back());
    named.pop_back();
    named.back() = drivers::merge_parents(std::move(named.back()), std::move(last), context);
  }

  labelling finish() {
    while (named.size() > 1) merge_last();
    if (dense && named.empty()) return drivers::normal_form(drivers::flattened(*std::move(dense), context), on.memory);
    if (named.empty()) return {};
    if (dense) {
      const labelling with_names = drivers::without_gaps(drivers::flattened(*std::move(dense), context), on.memory);
      named.push_back(drivers::parents_of(with_names, context));
      merge_last();
    }
    return drivers::normal_form(drivers::flattened(std::move(named.back()), context), on.memory);
  }

  execution on;
  drivers::merge_context context;
  std::optional<drivers::parent_forest> dense;
  std::vector<drivers::parent_forest> named;
};

forest_merger::forest_merger(const execution& on) : state_{std::make_unique<state>(on)} {}
forest_merger::forest_merger(forest_merger&&) noexcept = default;
forest_merger& forest_merger::operator=(forest_merger&&) noexcept = default;
forest_merger::~forest_merger() = default;

void forest_merger::add(const mergeable_forest& forest) {
  try {
    state_->add(forest.labels());
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while forests of " + std::to_string(forest.labels().slots()) + " slots and more were merged"};
  }
}

mergeable_forest forest_merger::finish() {
  auto used = std::exchange(state_, std::make_unique<state>(state_->on));
  mergeable_forest merged;
  try {
    merged.labels_ = used->finish();
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while the merged forest was put in order"};
  }
  return merged;
}

mergeable_forest forest_of_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                                const execution& on) {
  return mergeable_forest{streaming::components_of_part(paths, api::checked(part), {input, on}), on.memory};
}

void parse_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input, io::edge_sink& sink,
                const execution& on) {
  io::parse(paths, io::read_request{input, on}, api::checked(part), sink);
}

bool is_cut(std::span<const std::filesystem::path> paths, const io::read_options& input) {
  return std::all_of(paths.begin(), paths.end(), [&input](const std::filesystem::path& path) {
    const io::format f = input.format ? *input.format : io::format_of(path);
    const bool plain = path != "-" && path.extension() != ".gz" && path.extension() != ".zst";
    return plain && input.mapped && (f == io::format::edges || f == io::format::npy || f == io::format::coo || f == io::format::coo64);
  });
}

verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                    const mergeable_forest& forest, const execution& on) {
  return verify_part(paths, io::read_request{input, on}, api::checked(part), forest.labels());
}

}  // namespace copse
