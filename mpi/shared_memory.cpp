// A memfd of the first rank, which the others open through /proc.
#include "shared_memory.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <copse/errors.hpp>
#include <cstring>
#include <utility>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

namespace copse::mpi {
namespace {

constexpr std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + shared_memory::chunk_bytes - 1) / shared_memory::chunk_bytes * shared_memory::chunk_bytes;
}

std::string said(const char* what) { return std::string{what} + ": " + std::strerror(errno); }

/// A descriptor that is closed.
class descriptor {
public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_{number} {}
  descriptor(descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

private:
  int number_ = -1;
};

descriptor file_of(std::uint64_t bytes, std::string& reason) {
  rlimit largest{};
  if (getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur < bytes) {  // the system would end this process
    reason = "files are limited to " + std::to_string(largest.rlim_cur) + " bytes (ulimit -f)";
    return {};
  }
  descriptor file{memfd_create("copse-mpi", MFD_CLOEXEC)};
  if (file.number() < 0) {
    reason = said("memfd_create");
  } else if (ftruncate(file.number(), static_cast<off_t>(bytes)) != 0) {
    reason = said("ftruncate");
    return {};
  }
  return file;
}

/// Where the first rank has its file, and what tells that from all others: ranks in containers of their own may be told of one host, and
/// there the same path leads to a file of somebody else's.
struct file_place {
  std::uint64_t process, number, device, inode;
};

file_place place_of(const descriptor& file) {
  struct stat facts {};
  if (file.number() < 0 || fstat(file.number(), &facts) != 0) return {};
  return {static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(file.number()), facts.st_dev, facts.st_ino};
}

descriptor file_of_first(const communicator& host, std::uint64_t bytes, std::string& reason) {
  descriptor file;
  if (host.rank == 0) file = file_of(bytes, reason);
  file_place first = place_of(file);
  MPI_Bcast(&first, sizeof first / sizeof(std::uint64_t), MPI_UINT64_T, 0, host.handle);
  if (host.rank == 0 || first.process == 0) return file;
  const std::string path = "/proc/" + std::to_string(first.process) + "/fd/" + std::to_string(first.number);
  file = descriptor{open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK)};
  const file_place found = place_of(file);
  if (file.number() < 0) {
    reason = said(path.c_str());
  } else if (found.device != first.device || found.inode != first.inode) {
    reason = path + ": found another file (processes in containers of their own?)";
    return {};
  }
  return file;
}

/// From an address where a huge page may begin. Null where the system refuses.
std::byte* view_of(const descriptor& file, std::uint64_t bytes) {
  void* const room = mmap(nullptr, bytes + shared_memory::chunk_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  auto* const before = static_cast<std::byte*>(room);
  const std::size_t skip = -reinterpret_cast<std::uintptr_t>(before) % shared_memory::chunk_bytes;
  if (skip != 0) munmap(before, skip);
  munmap(before + skip + bytes, shared_memory::chunk_bytes - skip);
  void* const view = mmap(before + skip, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file.number(), 0);
  if (view != MAP_FAILED) return static_cast<std::byte*>(view);
  const int refused = errno;
  munmap(before + skip, bytes);
  errno = refused;
  return nullptr;
}

/// Gives this process the pages of bytes [begin, begin + bytes), with an error of the system as the answer: false, and errno.
bool populate(std::byte* begin, std::uint64_t bytes) {
  while (madvise(begin, bytes, MADV_POPULATE_WRITE) != 0) {
    if (errno == EINTR || errno == EAGAIN) continue;
    return errno == EINVAL;  // before Linux 5.14: pages come when they are touched
  }
  return true;
}

// What the first byte of a chunk's state says.
constexpr std::byte untaken{0}, being_taken{1}, taken{2};

}  // namespace

std::unique_ptr<shared_memory> shared_memory::of(const communicator& host, std::uint64_t bytes, std::pmr::memory_resource* memory,
                                                 std::string& reason) {
  const std::uint64_t chunks = rounded_up(bytes) / chunk_bytes, head = rounded_up(chunks), all = head + chunks * chunk_bytes;
  const descriptor file = file_of_first(host, all, reason);
  std::byte* base = nullptr;
  if (file.number() >= 0) {
    base = view_of(file, all);
    if (base == nullptr) {
      reason = said("mmap");
    } else if (!populate(base, chunks)) {
      reason = said("memory to share");
      munmap(base, all);
      base = nullptr;
    }
  }
  std::unique_ptr<shared_memory> whole;
  if (base != nullptr) whole.reset(new shared_memory{base, head, all, dynamic_cast<tracked_memory*>(memory)});
  // Also the first rank's descriptor stays open until all have theirs.
  const bool everywhere = largest_of_all(host, std::uint64_t{whole == nullptr ? 1u : 0u}) == 0;
  if (!everywhere) whole.reset();
  return whole;
}

shared_memory::shared_memory(std::byte* base, std::uint64_t head_bytes, std::uint64_t bytes, tracked_memory* tracker)
    : base_{base},
      head_bytes_{head_bytes},
      bytes_{bytes},
      mapped_{std::make_unique<std::atomic<std::uint8_t>[]>((bytes - head_bytes) / chunk_bytes)},
      tracker_{tracker} {
  madvise(base_, bytes_, MADV_HUGEPAGE);
}

shared_memory::~shared_memory() {
  munmap(base_, bytes_);
  if (tracker_ != nullptr) tracker_->subtract(counted_);
}

// Of a chunk that two ranks fill at once the system makes no huge page, so the second waits for the first.
bool shared_memory::is_first_at(std::uint64_t chunk) {
  while (true) {
    std::byte found = untaken;
    if (state_of(chunk).compare_exchange_strong(found, being_taken)) return true;
    if (found == taken) return false;
    sched_yield();
  }
}

void shared_memory::take_chunk(std::uint64_t chunk) {
  std::byte* const begin = data() + chunk * chunk_bytes;
  const bool first = is_first_at(chunk);
  try {
    if (first && tracker_ != nullptr) {
      tracker_->add(chunk_bytes);
      counted_.fetch_add(chunk_bytes, std::memory_order_relaxed);
    }
    // A huge page takes one entry in the page table of each rank, not 512. MADV_COLLAPSE makes it, of one small page at least, whatever the
    // system's settings; kernels before 6.1 refuse.
    if (first && populate(begin, 1)) madvise(begin, chunk_bytes, MADV_COLLAPSE);
    if (!populate(begin, chunk_bytes)) {
      throw resource_error{"out of memory: the system refused " + std::to_string(chunk_bytes) + " bytes that processes share"};
    }
  } catch (...) {
    if (first) state_of(chunk).store(untaken);
    throw;
  }
  if (first) state_of(chunk).store(taken);
  mapped_[chunk].store(1, std::memory_order_seq_cst);
  const std::uint64_t chunks = (bytes_ - head_bytes_) / chunk_bytes;
  std::uint64_t below = taken_below_.load(std::memory_order_seq_cst) / chunk_bytes;
  while (below < chunks && mapped_[below].load(std::memory_order_seq_cst) != 0) ++below;
  std::uint64_t known = taken_below_.load(std::memory_order_relaxed);
  while (known < below * chunk_bytes && !taken_below_.compare_exchange_weak(known, below * chunk_bytes)) {
  }
}

void* shared_memory::do_allocate(std::size_t /*bytes*/, std::size_t /*alignment*/) { return data(); }

void shared_memory::do_deallocate(void* /*pointer*/, std::size_t /*bytes*/, std::size_t /*alignment*/) { delete this; }

}  // namespace copse::mpi
