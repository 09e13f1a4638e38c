// Decompresses a file whose parts can be decompressed independently, such as the frames that pzstd writes to a .zst, or the blocks that
// bgzip writes to a .gz. Before workers ask for a block of text, each decompresses about as much ahead, from different parts; read()
// returns the text in order.
#include "io/compression.hpp"
#include "io/source.hpp"

#include <copse/memory.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace copse::io {
namespace {

constexpr std::size_t gzip_header_bytes = 12, least_gzip_block_bytes = 26;

unsigned two_bytes(std::string_view at) noexcept {
  return static_cast<unsigned char>(at[0]) | static_cast<unsigned>(static_cast<unsigned char>(at[1])) << 8;
}

/// The size in bytes of the BGZF block at the front of `rest`; 0 if there is none. A BGZF block is a gzip member with an extra field that
/// gives its size: the field has subfields of two letters, length and content, and "BC" is the size.
std::size_t bgzf_block_bytes(std::string_view rest) noexcept {
  constexpr std::string_view with_extra_field = "\x1f\x8b\x08\x04";
  if (rest.size() < least_gzip_block_bytes || !rest.starts_with(with_extra_field)) return 0;
  std::string_view extra = rest.substr(gzip_header_bytes, two_bytes(rest.substr(10)));
  while (extra.size() >= 6) {
    const std::size_t length = two_bytes(extra.substr(2));
    if (extra.starts_with("BC") && length == 2) {
      const std::size_t bytes = two_bytes(extra.substr(4)) + std::size_t{1};
      return bytes >= least_gzip_block_bytes && bytes <= rest.size() ? bytes : 0;
    }
    if (extra.size() < 4 + length) return 0;
    extra.remove_prefix(4 + length);
  }
  return 0;
}

std::size_t part_bytes(std::string_view rest, compression method) noexcept {
  return method == compression::gzip ? bgzf_block_bytes(rest) : zstd_frame_bytes(rest);
}

class parts_stream final : public byte_stream {
public:
  parts_stream(const input_file& file, compression method, unsigned workers, std::pmr::memory_resource* memory)
      : name_{file.name()}, mapping_{file}, method_{method}, memory_{memory}, texts_(2 * std::size_t{workers}) {}

  /// Divides the file into slices, each of which one worker decompresses: consecutive parts (BGZF blocks or Zstandard frames) that have at
  /// least `slice_bytes` bytes together (the last slice may have fewer). Returns false if there are fewer than two slices, or if the file
  /// holds something else.
  bool find_slices(std::size_t slice_bytes);

  /// Must not be called concurrently.
  std::size_t read(char* to, std::size_t count) override;
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return begin_of(turn_); }
  /// May be called by any thread at any time. If compressed data are damaged, read() throws when it reaches them.
  void read_ahead(std::size_t count) override;

private:
  /// The decompressed text of a slice, a group of parts of the file; complete if `done`.
  struct slice_text {
    buffer<char> held;
    std::size_t size = 0;
    std::exception_ptr error;
    bool done = false;
  };

  [[nodiscard]] std::string_view bytes() const noexcept { return {mapping_.data(), mapping_.size()}; }
  [[nodiscard]] std::size_t begin_of(std::size_t slice) const noexcept { return slice == 0 ? 0 : ends_[slice - 1]; }
  [[nodiscard]] slice_text& text_of(std::size_t slice) noexcept { return texts_[slice % texts_.size()]; }
  std::size_t decompress_next(std::unique_lock<std::mutex>& lock);

  std::string name_;
  mapped_file mapping_;
  compression method_;
  std::pmr::memory_resource* memory_;
  std::vector<std::size_t> ends_;  // for each slice (a group of parts that one worker decompresses), the offset of its end in the file
  std::size_t at_ = 0;             // how much of the current slice's text was read

  std::mutex guard_;  // protects everything below
  std::condition_variable moved_on_;
  std::vector<slice_text> texts_;  // a ring buffer: slice i is at index i modulo the size, for i in [turn_, begun_)
  std::size_t turn_ = 0;           // the slice that is read next
  std::size_t begun_ = 0;          // number of slices whose decompression has begun
};

bool parts_stream::find_slices(std::size_t slice_bytes) {
  const std::string_view all = bytes();
  std::size_t at = 0, begin = 0;
  while (at < all.size()) {
    const std::size_t size = part_bytes(all.substr(at), method_);
    if (size == 0) return false;
    at += size;
    if (at - begin < slice_bytes && at < all.size()) continue;
    ends_.push_back(at);
    begin = at;
  }
  return ends_.size() >= 2;
}

/// Decompresses the next slice and returns the size of its text. Unlocks `lock` while it works. Precondition: there is a next slice and
/// room for it, and `lock` is locked.
std::size_t parts_stream::decompress_next(std::unique_lock<std::mutex>& lock) {
  const std::size_t slice = begun_++, begin = begin_of(slice), end = ends_[slice];
  slice_text& text = text_of(slice);
  lock.unlock();
  text.size = 0;
  text.error = nullptr;
  try {
    constexpr std::size_t often_enough = 4;  // initial room for the text, as a multiple of the compressed size
    if (text.held.size() < often_enough * (end - begin)) text.held = buffer<char>{often_enough * (end - begin), memory_};
    const auto stream = open_part(name_, bytes().substr(begin, end - begin), begin, method_, memory_);
    for (;;) {
      if (text.size == text.held.size()) {
        buffer<char> larger{2 * text.size, memory_};
        std::memcpy(larger.data(), text.held.data(), text.size);
        text.held = std::move(larger);
      }
      const std::size_t got = stream->read(text.held.data() + text.size, text.held.size() - text.size);
      if (got == 0) break;
      text.size += got;
    }
  } catch (...) {
    text.error = std::current_exception();
  }
  const std::size_t size = text.size;
  lock.lock();
  text.done = true;
  moved_on_.notify_all();
  return size;
}

// Decompresses slices until their text has `count` bytes, or until texts_ is full. If a worker later reads more text than was decompressed
// in advance, read() decompresses the rest.
void parts_stream::read_ahead(std::size_t count) {
  std::unique_lock lock{guard_};
  for (std::size_t ahead = 0; ahead < count && begun_ < ends_.size() && begun_ < turn_ + texts_.size();) ahead += decompress_next(lock);
}

std::size_t parts_stream::read(char* to, std::size_t count) {
  std::unique_lock lock{guard_};
  while (turn_ < ends_.size()) {
    if (begun_ == turn_) decompress_next(lock);
    slice_text& text = text_of(turn_);
    moved_on_.wait(lock, [&] { return text.done; });
    if (text.error) std::rethrow_exception(text.error);
    if (at_ < text.size) {
      const std::size_t got = std::min(count, text.size - at_);
      lock.unlock();  // a finished slice is accessed by the reading thread only
      std::memcpy(to, text.held.data() + at_, got);
      at_ += got;
      return got;
    }
    text.done = false;
    at_ = 0;
    ++turn_;
  }
  return 0;
}

}  // namespace

std::unique_ptr<byte_stream> open_parts_stream(const input_file& file, compression method, std::size_t slice_bytes, unsigned workers,
                                               std::pmr::memory_resource* memory) {
  if (file.size() == 0 || method == compression::none) return nullptr;
  auto stream = std::make_unique<parts_stream>(file, method, workers, memory);
  if (!stream->find_slices(slice_bytes)) return nullptr;
  return stream;
}

}  // namespace copse::io
