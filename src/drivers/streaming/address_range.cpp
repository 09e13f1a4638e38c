#include "address_range.hpp"

#include <sys/mman.h>
#include <copse/errors.hpp>

#include <algorithm>
#include <string>

namespace copse::streaming {

std::unique_ptr<address_range> address_range::reserve(std::uint64_t bytes, std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> bitmap{(bytes / page_bytes + 63) / 64, memory};
  std::fill(bitmap.begin(), bitmap.end(), std::uint64_t{0});
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return nullptr;
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
  if ((word_of(page).fetch_or(bit, std::memory_order_relaxed) & bit) == 0) {
    touched_.fetch_add(page_bytes, std::memory_order_relaxed);
  } else if (tracker_ != nullptr) {
    tracker_->subtract(page_bytes);  // another thread was first
  }
}

void address_range::touch_all(std::uint64_t bytes) {
  for (std::uint64_t page = 0; page * page_bytes < bytes; ++page) touch(page);
  constexpr std::uint64_t huge_page_bytes = std::uint64_t{2} << 20;
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
