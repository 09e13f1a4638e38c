#include <drivers/streaming/address_range.hpp>

#include <copse/errors.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

namespace copse::streaming {
namespace {

constexpr std::uint64_t huge_page_bytes = std::uint64_t{2} << 20;
constexpr std::uint64_t pages_of_a_huge_one = huge_page_bytes / address_range::page_bytes;
constexpr std::uint64_t small_pages_bytes = std::uint64_t{1} << 20;  // bytes of small pages in use before the first huge page
constexpr std::uint64_t fewest_small_ones = 8;                       // a huge page is taken where at least this many small pages are in use

}  // namespace

std::unique_ptr<address_range> address_range::reserve(std::uint64_t bytes, std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> bitmap{(bytes / page_bytes + 63) / 64, memory};
  std::fill(bitmap.begin(), bitmap.end(), std::uint64_t{0});
  void* mapped = mmap(nullptr, bytes + huge_page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const before = static_cast<std::byte*>(mapped);
  const std::size_t skip = -reinterpret_cast<std::uintptr_t>(before) % huge_page_bytes;  // where a huge page may begin
  std::byte* const base = before + skip;
  if (skip != 0) munmap(before, skip);
  munmap(base + bytes, huge_page_bytes - skip);
  madvise(base, bytes, MADV_NOHUGEPAGE);  // one written word must cost one small page, even where huge pages are the default
  auto* range = new (std::nothrow) address_range{base, bytes, std::move(bitmap), dynamic_cast<tracked_memory*>(memory)};
  if (range == nullptr) {
    munmap(base, bytes);
    throw resource_error{"out of memory: the system refused " + std::to_string(sizeof(address_range)) + " bytes"};
  }
  return std::unique_ptr<address_range>{range};
}

address_range::~address_range() {
  munmap(base_, bytes_);
  if (tracker_ != nullptr) tracker_->subtract(touched_bytes());
}

void address_range::touch(std::uint64_t page) {
  if (touched(page)) return;
  if (tracker_ != nullptr) tracker_->add(page_bytes);
  const std::uint64_t bit = std::uint64_t{1} << (page % 64);
  if ((word_of(page).fetch_or(bit, std::memory_order_relaxed) & bit) != 0) {
    if (tracker_ != nullptr) tracker_->subtract(page_bytes);  // another thread has counted the page
    return;
  }
  const std::uint64_t before = touched_.fetch_add(page_bytes, std::memory_order_relaxed);
  if (before < small_pages_bytes - page_bytes) return;
  if (before >= small_pages_bytes) return take_huge_page(page / pages_of_a_huge_one);
  for (std::uint64_t i = 0; i < bytes_ / huge_page_bytes; ++i) take_huge_page(i);
}

// Takes a huge page for a part of the range of which enough small pages are in use, because more of them will be. With small pages, threads
// that come to new ones at the same time would wait for each other in the system, and nearly every access would miss the TLB.
void address_range::take_huge_page(std::uint64_t number) {
  const std::uint64_t first = number * pages_of_a_huge_one;
  if (first + pages_of_a_huge_one > bytes_ / page_bytes) return;
  std::uint64_t used = 0;
  for (std::uint64_t page = first; page < first + pages_of_a_huge_one; page += 64) {
    used += static_cast<std::uint64_t>(std::popcount(word_of(page).load(std::memory_order_relaxed)));
  }
  if (used < fewest_small_ones) return;
  const std::uint64_t missing = pages_of_a_huge_one - used;
  try {
    if (tracker_ != nullptr && missing * page_bytes > (tracker_->limit_bytes() - tracker_->current_bytes()) / 4) return;  // memory is short
    if (tracker_ != nullptr) tracker_->add(missing * page_bytes);
  } catch (const resource_error&) {
    return;  // no memory for a huge page: small pages do as well
  }
  std::uint64_t added = 0;
  for (std::uint64_t page = first; page < first + pages_of_a_huge_one; page += 64) {
    added += 64 - static_cast<std::uint64_t>(std::popcount(word_of(page).fetch_or(~std::uint64_t{0}, std::memory_order_relaxed)));
  }
  touched_.fetch_add(added * page_bytes, std::memory_order_relaxed);
  // Pages that other threads have counted, too, in the meantime.
  if (tracker_ != nullptr) tracker_->subtract((missing - added) * page_bytes);
  auto* const start = static_cast<std::byte*>(base_) + first * page_bytes;
  madvise(start, huge_page_bytes, MADV_HUGEPAGE);
#ifdef MADV_COLLAPSE
  madvise(start, huge_page_bytes, MADV_COLLAPSE);  // this is only advice, like all these calls: kernels before 6.1 refuse it
#endif
}

void address_range::touch_all(std::uint64_t bytes) {
  for (std::uint64_t page = 0; page * page_bytes < bytes; ++page) touch(page);
  if (bytes >= 2 * huge_page_bytes) madvise(base_, bytes / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
}

void* address_range::do_allocate(std::size_t bytes, std::size_t /*alignment*/) {
  const std::uint64_t used = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  munmap(static_cast<std::byte*>(base_) + used, bytes_ - used);
  bytes_ = used;
  return base_;
}

void address_range::do_deallocate(void* /*pointer*/, std::size_t /*bytes*/, std::size_t /*alignment*/) { delete this; }

}  // namespace copse::streaming
