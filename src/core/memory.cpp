#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <core/memory_error.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace copse {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t mapping_threshold_bytes = std::size_t{4} << 20;
// Arrays of at least this size get pages of their own, which return to the system when freed. The heap would keep freed arrays between
// blocks in use (measured for a hash table that grows in 64 shards: 9 bytes per vertex).
constexpr std::size_t page_threshold_bytes = std::size_t{128} << 10;

[[noreturn]] void refuse(std::size_t bytes) { throw memory_error{"out of memory: the system refused " + std::to_string(bytes) + " bytes"}; }

std::size_t round_up(std::size_t bytes) {
  if (bytes > SIZE_MAX - 2 * huge_page_bytes) refuse(bytes);
  return (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
}

// Huge pages need 2 MiB alignment, which mmap does not guarantee: map 2 MiB more and unmap both ends.
void* map_aligned(std::size_t bytes) {
  const std::size_t wanted = round_up(bytes);
  void* mapped = mmap(nullptr, wanted + huge_page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) refuse(bytes);
  auto* first = static_cast<std::byte*>(mapped);
  const std::size_t skip = (huge_page_bytes - reinterpret_cast<std::uintptr_t>(first) % huge_page_bytes) % huge_page_bytes;
  if (skip != 0) munmap(first, skip);
  munmap(first + skip + wanted, huge_page_bytes - skip);
  madvise(first + skip, wanted, MADV_HUGEPAGE);  // a hint; errors do not matter, as small pages work, too
  return first + skip;
}

class host_memory_resource final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes >= mapping_threshold_bytes) return map_aligned(bytes);
    if (bytes >= page_threshold_bytes) {
      void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (mapped == MAP_FAILED) refuse(bytes);
      return mapped;
    }
    try {
      return ::operator new (bytes, std::align_val_t{std::max<std::size_t>(alignment, 64)});
    } catch (const std::bad_alloc&) {
      refuse(bytes);
    }
  }
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override {
    if (bytes >= mapping_threshold_bytes) {
      munmap(pointer, round_up(bytes));
    } else if (bytes >= page_threshold_bytes) {
      munmap(pointer, bytes);
    } else {
      ::operator delete (pointer, std::align_val_t{std::max<std::size_t>(alignment, 64)});
    }
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

std::pmr::memory_resource* host_memory() noexcept {
  static host_memory_resource resource;
  return &resource;
}

namespace {

/// Reads a file that holds one number; returns UINT64_MAX if there is none, as when cgroup v2 writes `max`.
std::uint64_t number_in(const char* path) {
  std::ifstream file{path};
  std::uint64_t number = 0;
  return file >> number ? number : UINT64_MAX;
}

}  // namespace

std::uint64_t memory_of_this_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  const std::uint64_t physical =
      pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) : UINT64_MAX;
  return std::min({physical, number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

void tracked_memory::add(std::uint64_t bytes) {
  const std::uint64_t now = current_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (now > limit_bytes_) {
    current_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    throw memory_error{"memory limit: " + std::to_string(now) + " bytes needed, " + std::to_string(limit_bytes_) + " allowed"};
  }
  std::uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (now > peak && !peak_bytes_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

void tracked_memory::subtract(std::uint64_t bytes) noexcept { current_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

void* tracked_memory::do_allocate(std::size_t bytes, std::size_t alignment) {
  add(bytes);
  try {
    return upstream_->allocate(bytes, alignment);
  } catch (...) {
    subtract(bytes);
    throw;
  }
}

void tracked_memory::do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) {
  upstream_->deallocate(pointer, bytes, alignment);
  subtract(bytes);
}

}  // namespace copse
