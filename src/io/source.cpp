#include "io/source.hpp"

#include "core/parallel.hpp"
#include "io/compression.hpp"

#include <copse/errors.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace copse::io {
namespace {

constexpr std::size_t first_guess_bytes = std::size_t{1} << 20;
constexpr std::size_t part_bytes = std::size_t{128} << 10;  // that one thread reads at a time

// The mappings of this process, for mapped_file_at(). They are stored and searched without a lock, because a signal handler searches them.
// Mappings beyond the size of the array are not found.
struct known_mapping {
  std::atomic<bool> taken{false};
  std::atomic<const char*> data{nullptr};
  std::atomic<std::size_t> size{0};
  std::atomic<const char*> name{nullptr};
};
std::array<known_mapping, 64> mappings;

void remember(const char* data, std::size_t size, const char* name) noexcept {
  for (known_mapping& place : mappings) {
    if (place.taken.exchange(true)) continue;
    place.name = name;
    place.size = size;
    place.data = data;
    return;
  }
}

void forget(const char* data) noexcept {
  for (known_mapping& place : mappings) {
    if (place.data != data) continue;
    place.data = nullptr;
    place.taken = false;
    return;
  }
}

}  // namespace

const char* mapped_file_at(const void* address) noexcept {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (const known_mapping& place : mappings) {
    const auto data = reinterpret_cast<std::uintptr_t>(place.data.load());
    if (data != 0 && wanted >= data && wanted - data < place.size) return place.name;
  }
  return nullptr;
}

std::size_t read_fully(const input_file& file, char* to, std::size_t count) {
  std::size_t got = 0;
  while (got < count) {
    const std::size_t now = file.read(to + got, count - got);
    if (now == 0) break;
    got += now;
  }
  return got;
}

std::size_t read_fully(byte_stream& from, char* to, std::size_t count) {
  std::size_t got = 0;
  while (got < count) {
    const std::size_t now = from.read(to + got, count - got);
    if (now == 0) break;
    got += now;
  }
  return got;
}

buffer<char> read_rest(byte_stream& from, std::uint64_t likely_bytes, std::pmr::memory_resource* memory) {
  // One more byte than an uncompressed file holds, so that its end is detected without growing the buffer.
  buffer<char> held{std::max(first_guess_bytes, static_cast<std::size_t>(likely_bytes) + 1), memory};
  std::size_t size = 0;
  for (;;) {
    size += read_fully(from, held.data() + size, held.size() - size);
    if (size < held.size()) break;
    buffer<char> larger{2 * size, memory};
    std::memcpy(larger.data(), held.data(), size);
    held = std::move(larger);
  }
  held.shrink(size);
  return held;
}

mapped_file::mapped_file(const input_file& file) : name_{file.name()}, size_{static_cast<std::size_t>(file.size())} {
  if (size_ == 0) return;
  void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (mapped == MAP_FAILED) {
    size_ = 0;
    return;
  }
  data_ = static_cast<const char*>(mapped);
  madvise(mapped, size_, MADV_SEQUENTIAL);  // a hint; errors do not matter
  remember(data_, size_, name_.c_str());
}

mapped_file::~mapped_file() {
  if (data_ == nullptr) return;
  forget(data_);
  munmap(const_cast<char*>(data_), size_);
}

void mapped_file::leave_pages(unsigned threads) noexcept {
  constexpr std::size_t piece = std::size_t{16} << 20;
  if (threads <= 1 || size_ < 2 * piece) return;
  try {
    parallel_blocks(threads, size_, piece, [this](std::size_t begin, std::size_t end) {
      // frees the pages; nothing is lost, because they can be read from the file again
      madvise(const_cast<char*>(data_) + begin, end - begin, MADV_DONTNEED);
    });
  } catch (...) {  // no memory to start threads: the destructor releases the pages
  }
}

// Binary formats may begin with any bytes, so a file is taken as compressed only by its suffix; standard input has no suffix, and is
// detected by its magic number.
binary_input::binary_input(const std::filesystem::path& path, bool mapped, std::size_t block_bytes, unsigned workers,
                           std::pmr::memory_resource* memory) {
  input_file file{path};
  name = file.name();
  compression method = compression_by_suffix(path);
  if (mapped && method == compression::none && file.size() != 0 && !file.is_standard_input()) {
    mapping.emplace(file);
    if (mapping->data() != nullptr) return;
    mapping.reset();
  }
  char magic[magic_bytes];
  std::size_t known = 0;
  if (file.is_standard_input()) {
    known = read_fully(file, magic, magic_bytes);
    method = compression_by_magic({magic, known});
  }
  likely_bytes = method == compression::none ? file.size() : 4 * file.size();
  stream = open_stream_of_blocks(std::move(file), method, {magic, known}, block_bytes, mapped ? workers : 1, memory);
}

whole_file::whole_file(const std::filesystem::path& path, std::pmr::memory_resource* memory, bool mapped)
    : input_{path, mapped, first_guess_bytes, 1, memory} {
  if (input_.mapping) return;
  while_reading(path, [&] { held_ = read_rest(*input_.stream, input_.likely_bytes, memory); });
  input_.stream.reset();
}

whole_file::~whole_file() = default;

namespace {

class plain_stream final : public byte_stream {
public:
  plain_stream(input_file file, std::string_view first_bytes) : file_{std::move(file)}, first_{first_bytes} {}
  std::size_t read(char* to, std::size_t count) override { return read_by(1, to, count); }
  std::size_t read_by(unsigned threads, char* to, std::size_t count) override {
    std::size_t got = std::min(count, first_.size() - first_taken_);
    if (got != 0) {
      std::memcpy(to, first_.data() + first_taken_, got);
      first_taken_ += got;
    } else {
      got = file_.read(to, count, threads);
    }
    consumed_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return consumed_; }

private:
  input_file file_;
  std::string first_;
  std::size_t first_taken_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace

input_file::input_file(const std::filesystem::path& path) : name_{path == "-" ? "<stdin>" : path.string()} {
  descriptor_ = path == "-" ? STDIN_FILENO : uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  struct stat about {};
  if (descriptor_ < 0 || fstat(descriptor_, &about) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) throw input_error{name_ + ": no such file"};
    throw input_error{name_ + ": cannot be opened: " + std::strerror(errno)};
  }
  if (S_ISDIR(about.st_mode)) {
    if (!is_standard_input()) ::close(descriptor_);
    throw input_error::at(name_, 0, "a directory", "a file");
  }
  const bool from_first_byte = !is_standard_input() || lseek(descriptor_, 0, SEEK_CUR) == 0;
  if (S_ISREG(about.st_mode) && from_first_byte) size_ = static_cast<std::uint64_t>(about.st_size);
}

input_file::input_file(input_file&& other) noexcept
    : name_{std::move(other.name_)}, descriptor_{std::exchange(other.descriptor_, -1)}, size_{other.size_} {}

input_file::~input_file() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t input_file::read(char* to, std::size_t count, unsigned threads) const {
  count = std::min<std::size_t>(count, std::size_t{1} << 30);
  if (threads > 1 && count > part_bytes && size_ != 0) return read_parts(to, count, threads);
  const ssize_t got = uninterrupted([&] { return ::read(descriptor_, to, count); });
  if (got < 0) throw input_error{name_ + ": cannot be read: " + std::strerror(errno)};
  return static_cast<std::size_t>(got);
}

std::size_t input_file::read_parts(char* to, std::size_t count, unsigned threads) const {
  const off_t at = lseek(descriptor_, 0, SEEK_CUR);
  std::atomic<std::size_t> end{count};  // the first byte that was not read
  parallel_blocks(threads, count, part_bytes, [&](std::size_t from, std::size_t until) {
    while (from < until) {
      const ssize_t got = uninterrupted([&] { return ::pread(descriptor_, to + from, until - from, at + static_cast<off_t>(from)); });
      if (got < 0) throw input_error{name_ + ": cannot be read: " + std::strerror(errno)};
      if (got == 0) break;
      from += static_cast<std::size_t>(got);
    }
    std::size_t seen = end.load();
    while (from < until && from < seen && !end.compare_exchange_weak(seen, from)) {
    }
  });
  lseek(descriptor_, at + static_cast<off_t>(end.load()), SEEK_SET);
  return end;
}

compression compression_by_suffix(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".gz") return compression::gzip;
  if (suffix == ".zst") return compression::zstd;
  return compression::none;
}

compression compression_by_magic(std::string_view first_bytes) noexcept {
  if (first_bytes.starts_with("\x1f\x8b\x08")) return compression::gzip;
  if (first_bytes.starts_with("\x28\xb5\x2f\xfd")) return compression::zstd;
  return compression::none;
}

std::unique_ptr<byte_stream> open_stream(input_file file, compression method, std::pmr::memory_resource* memory,
                                         std::string_view first_bytes) {
  switch (method) {
    case compression::gzip:
      return open_gzip({std::move(file), first_bytes});
    case compression::zstd:
      return open_zstd({std::move(file), first_bytes}, memory);
    case compression::none:
      break;
  }
  return std::make_unique<plain_stream>(std::move(file), first_bytes);
}

std::unique_ptr<byte_stream> open_stream_of_blocks(input_file file, compression method, std::string_view first_bytes,
                                                   std::size_t block_bytes, unsigned workers, std::pmr::memory_resource* memory) {
  if (workers > 1 && method != compression::none) {
    if (auto parts = open_parts_stream(file, method, block_bytes / 4, workers, memory)) return parts;
  }
  return open_stream(std::move(file), method, memory, first_bytes);
}

std::unique_ptr<byte_stream> open_part(const std::string& name, std::string_view bytes, std::uint64_t offset, compression method,
                                       std::pmr::memory_resource* memory) {
  if (method == compression::gzip) return open_gzip({name, bytes, offset});
  return open_zstd({name, bytes, offset}, memory);
}

}  // namespace copse::io
