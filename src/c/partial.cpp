// The C API of partial components, which processes exchange.
#include <copse/partial.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "c/call.hpp"
#include "c/labels.hpp"

using namespace copse;
using namespace copse::c;

struct copse_partial {
  copse_partial(std::shared_ptr<const caller_options> how, partial<labelling> of)
      : options{std::move(how)}, part{std::move(of)}, bytes{part.bytes(options->on().memory)} {}

  std::shared_ptr<const caller_options> options;
  partial<labelling> part;
  buffer<std::byte> bytes;
};

namespace {

/// Copies labels, because the labels handle and the partial handle own separate copies.
labelling copy_of(const labelling& from, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& all) {
        buffer<Id> mine{all.size(), memory};
        std::copy(all.begin(), all.end(), mine.begin());
        return labelling{std::move(mine), from.names()};
      },
      from.labels());
}

}  // namespace

copse_status copse_partial_new(const copse_labels* labels, copse_partial** part, copse_error* error) {
  return made(part, "part", error, [&] {
    const held_answer& held = *expect_given(labels, "labels").held;
    std::pmr::memory_resource* const memory = held.options->on().memory;
    return std::make_unique<copse_partial>(held.options, partial<labelling>{copy_of(held.labels, memory), memory});
  });
}

const void* copse_partial_bytes(const copse_partial* part, uint64_t* size) {
  if (size != nullptr) *size = part == nullptr ? 0 : part->bytes.size();
  return part == nullptr ? nullptr : part->bytes.data();
}

copse_status copse_partial_read(const void* bytes, uint64_t size, copse_partial** part, copse_error* error) {
  return made(part, "part", error, [&] {
    const auto given = array_of(static_cast<const std::byte*>(bytes), size, "bytes");
    auto options = std::make_shared<const caller_options>(nullptr);
    buffer<std::byte> aligned{given.size()};
    std::copy(given.begin(), given.end(), aligned.begin());
    return std::make_unique<copse_partial>(std::move(options), partial<labelling>::from_bytes(std::as_const(aligned).span(), "bytes"));
  });
}

copse_status copse_partial_merge(const copse_partial* const* parts, uint64_t count, const copse_options* options, copse_partial** merged,
                                 copse_error* error) {
  return made(merged, "merged", error, [&] {
    auto how = std::make_shared<const caller_options>(options);
    how->expect_no_choice("parts that are merged");
    merger<labelling> all{how->on()};
    for (const copse_partial* part : array_of(parts, count, "parts")) all.add(expect_given(part, "parts").part);
    return std::make_unique<copse_partial>(how, all.finish());
  });
}

copse_status copse_partial_labels(const copse_partial* part, copse_labels** labels, copse_error* error) {
  return made(labels, "labels", error, [&] {
    const copse_partial& from = expect_given(part, "part");
    return labels_handle(from.options, copy_of(from.part.answer(), from.options->on().memory), false);
  });
}

void copse_partial_free(copse_partial* part) { delete part; }
