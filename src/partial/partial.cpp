// Partial answers as values, bytes and files; and merging many of them in an efficient order.
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <copse/partial.hpp>
#include <core/hide.hpp>

#include <api/saved_structure.hpp>
#include <io/source.hpp>
#include <partial/bytes.hpp>
#include <partial/merging.hpp>
#include <partial/normal_form.hpp>

#include <algorithm>
#include <concepts>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace copse {
namespace {

void expect_no_cycle(const labelling& /*labels*/, std::pmr::memory_resource* /*memory*/) {}
void expect_no_cycle(const weighted_forest_result& forest, std::pmr::memory_resource* memory) {
  if (!merging::labels_of(forest.edges, memory).is_forest) throw usage_error{"the forest must have no edges that close a cycle"};
}

/// Writes the bytes of an answer to memory.
template <class Answer>
buffer<std::byte> bytes_of(const Answer& answer, std::pmr::memory_resource* memory) {
  std::size_t size = 0;
  merging::put(
      answer, [&size](const void*, std::size_t count) { size += count; }, memory);
  buffer<std::byte> all{size, memory};
  std::byte* to = all.data();
  const auto copy = [&to](const void* bytes, std::size_t count) {
    if (count != 0) std::memcpy(to, bytes, count);
    to += count;
  };
  merging::put(answer, copy, memory);
  return all;
}

/// Reads the answer from saved bytes; throws if they are the checkpoint of a stream.
template <class Answer>
Answer answer_in(const drivers::connectivity_bytes& held, std::string_view name, std::string_view expected,
                 std::pmr::memory_resource* memory) {
  using enum api::saved_kind;
  if constexpr (std::same_as<Answer, labelling>) api::expect_kind(held.beside, {slots_only, names, weights}, name, expected);
  return merging::answer_in<Answer>(held, name, memory);
}

bool is_stream(const drivers::connectivity_bytes& held) {
  const auto kind = api::kind_of(held.beside);
  return kind == api::saved_kind::stream_of_slots || kind == api::saved_kind::stream_of_names;
}

/// Brings an answer that was read from bytes into normal form, the one form of equal answers. Forests are in that form already; labels may
/// be in another one, because incremental::save writes them, too.
weighted_forest_result in_normal_form(weighted_forest_result forest, std::pmr::memory_resource* /*memory*/) { return forest; }
labelling in_normal_form(labelling labels, std::pmr::memory_resource* memory) { return merging::normal_form(std::move(labels), memory); }

/// The kinds of names that have occurred. Strings cannot be merged with integers, nor negative integers with ones above INT64_MAX, because
/// -1 and 2^64 - 1 would be the same vertex.
class name_kinds {
public:
  /// Adds the names in one partial answer. Throws usage_error, and changes nothing, if their kind differs from that of earlier names.
  /// Precondition: there is at least one name.
  void add(const vertex_names& names) {
    const bool strings = names.what() == vertex_names::kind::strings;
    if (strings_ && strings != *strings_) {
      throw usage_error{std::string{"merge: found "} + (strings ? "strings, expected integers" : "integers, expected strings") +
                        " as in the forests before"};
    }
    if (!strings) add_signs(names);
    strings_ = strings;
  }

private:
  /// If names are signed, the smallest is negative; otherwise the largest one tells whether any is above INT64_MAX.
  void add_signs(const vertex_names& names) {
    const bool is_signed = names.is_signed();
    const std::uint64_t id = names.integer(is_signed ? 0 : names.size() - 1);
    if (!has_sign_bit(id)) return;
    if (const auto& other = is_signed ? large_ : negative_) {
      throw usage_error{"merge: found the id " + id_text(id, is_signed) + ", expected ids " + (is_signed ? "of 0 or more" : "below 2^63") +
                        ", as a forest before has " + id_text(*other, !is_signed)};
    }
    (is_signed ? negative_ : large_) = id;
  }

  std::optional<bool> strings_;
  std::optional<std::uint64_t> negative_, large_;
};

}  // namespace

template <class Answer>
partial<Answer>::partial() {
  if constexpr (std::same_as<Answer, weighted_forest_result>) {
    answer_.edges = graph{coo<std::uint32_t>{}};
    answer_.weights = weight_column{buffer<double>{}};
  }
}

template <class Answer>
partial<Answer>::partial(source_type answer, std::pmr::memory_resource* memory)
    : answer_{merging::normal_form(static_cast<source_type&&>(answer), memory)} {
  expect_no_cycle(answer_, memory);
}

template <class Answer>
std::uint64_t partial<Answer>::vertices() const noexcept {
  if constexpr (std::same_as<Answer, labelling>) {
    return std::visit(
        []<class Id>(const buffer<Id>& labels) {
          return static_cast<std::uint64_t>(labels.size()) -
                 static_cast<std::uint64_t>(std::count(labels.begin(), labels.end(), no_vertex<Id>));
        },
        answer_.labels());
  } else {
    return answer_.edges.vertices();
  }
}

template <class Answer>
buffer<std::byte> partial<Answer>::bytes(std::pmr::memory_resource* memory) const {
  return bytes_of(answer_, memory);
}

template <class Answer>
partial<Answer> partial<Answer>::from_bytes(std::span<const std::byte> bytes, std::string_view name, std::pmr::memory_resource* memory) {
  const auto held = drivers::look_into({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
  partial read;
  read.answer_ = in_normal_form(answer_in<Answer>(held, name, "a forest of parts", memory), memory);
  return read;
}

template <class Answer>
void partial<Answer>::save(const std::filesystem::path& path) const {
  io::output_file file{path};
  merging::put(
      answer_, [&file](const void* bytes, std::size_t count) { file.write(bytes, count); }, host_memory());
  file.commit_to_disk();
}

template <class Answer>
partial<Answer> partial<Answer>::open(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  partial read;
  {
    const std::string name = path.string();
    const io::whole_file file{path, memory};
    const auto held = drivers::look_into(file.bytes(), name);
    if (!std::same_as<Answer, labelling> || !is_stream(held)) {
      read.answer_ = in_normal_form(answer_in<Answer>(held, name, "a forest of parts, or a checkpoint of a stream", memory), memory);
      return read;
    }
  }
  if constexpr (std::same_as<Answer, labelling>) {
    read.answer_ = merging::normal_form(incremental::resume(path, {}, {.memory = memory}).labels(), memory);
  }
  return read;
}

bool holds_weights(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(path, missing)) return false;
  const auto beside = drivers::begin_of_beside(path, memory);
  return beside && beside->starts_with(api::weights_magic);
}

/// Merges answers. Those whose vertices are named by their own numbers (merges_in_place()) are merged into one array at once. The others
/// form a stack, in which each answer has at most half as many vertices as the one below it; so a name is copied as often as in a balanced
/// tree of merges, whatever the order of the answers.
template <class Answer>
struct merger<Answer>::state {
  using working = decltype(merging::working_copy(std::declval<const Answer&>(), std::declval<const merging::context&>()));

  explicit state(const execution& asked) : on{asked} {}

  void add(const partial<Answer>& part) {
    expect_whole();
    if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
    working next = merging::working_copy(part.answer(), how);
    if (next.names().size() == 0) {
      nothing = std::move(next);
      return;
    }
    if (const working* first = in_place ? &*in_place : stack.empty() ? nullptr : &stack.front()) merging::expect_alike(*first, next);
    kinds.add(next.names());
    broken = true;  // stays true if an exception is thrown below: all later calls are then refused
    if (next.merges_in_place()) {
      in_place = in_place ? merging::merged(*std::move(in_place), std::move(next), how) : std::move(next);
    } else {
      stack.push_back(std::move(next));
      while (stack.size() > 1 && stack[stack.size() - 2].names().size() < 2 * stack.back().names().size()) merge_last();
    }
    broken = false;
  }

  Answer finish() {
    expect_whole();
    while (stack.size() > 1) merge_last();
    if (in_place && !stack.empty()) {
      stack.push_back(merging::with_names(*std::exchange(in_place, std::nullopt), how));
      merge_last();
    }
    if (in_place) return merging::answer_of(*std::move(in_place), how);
    if (!stack.empty()) return merging::answer_of(std::move(stack.back()), how);
    return nothing ? merging::answer_of(*std::move(nothing), how) : partial<Answer>{}.take_answer();
  }

  execution on;

private:
  void expect_whole() const {
    if (broken) throw usage_error{"merge: cannot go on after a call that failed midway; make a new merger"};
  }
  void merge_last() {
    working last = std::move(stack.back());
    stack.pop_back();
    stack.back() = merging::merged(std::move(stack.back()), std::move(last), how);
  }

  merging::context how{on, usable_threads(on.threads)};
  std::optional<working> in_place, nothing;
  std::vector<working> stack;
  name_kinds kinds;
  bool broken = false;
};

template <class Answer>
merger<Answer>::merger(const execution& on) : state_{hide(std::make_unique<state>(on))} {}

template <class Answer>
void merger<Answer>::add(const partial<Answer>& part) {
  try {
    state_->add(part);
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while forests of " + std::to_string(part.vertices()) + " vertices and more were merged"};
  }
}

template <class Answer>
partial<Answer> merger<Answer>::finish() {
  const auto used = std::exchange(state_, hide(std::make_unique<state>(state_->on)));
  partial<Answer> all;
  try {
    all.answer_ = merging::normal_form(used->finish(), used->on.memory);
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while the merged forest was put in order"};
  }
  return all;
}

template class partial<labelling>;
template class partial<weighted_forest_result>;
template class merger<labelling>;
template class merger<weighted_forest_result>;

}  // namespace copse
