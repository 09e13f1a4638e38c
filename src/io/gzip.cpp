// gzip, both ways.
#include "io/compressed_input.hpp"
#include "io/packer.hpp"

#include <zlib.h>

namespace copse::io {
namespace {

// A .gz file is one or more members in a row (pigz, bgzip and `cat` make several); zero bytes may pad the end.
class gzip_stream final : public byte_stream {
public:
  explicit gzip_stream(compressed_input in) : in_{std::move(in)} {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&zlib_, gzip_only) != Z_OK) throw resource_error{"out of memory: zlib cannot start"};
  }
  gzip_stream(const gzip_stream&) = delete;
  gzip_stream& operator=(const gzip_stream&) = delete;
  ~gzip_stream() override { inflateEnd(&zlib_); }

  std::size_t read(char* to, std::size_t count) override {
    const std::size_t room = std::min<std::size_t>(count, std::size_t{1} << 30);
    zlib_.next_out = reinterpret_cast<Bytef*>(to);
    zlib_.avail_out = static_cast<uInt>(room);
    while (zlib_.avail_out == room && !ended_) step();
    return room - zlib_.avail_out;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return in_.offset(); }

private:
  void step() {
    if (between_members_) {
      skip_padding();
      if (ended_) return;
    }
    if (!in_.fill()) in_.cut_off("gzip");
    zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in_.data()));
    zlib_.avail_in = static_cast<uInt>(in_.size());
    const int status = inflate(&zlib_, Z_NO_FLUSH);
    in_.take(in_.size() - zlib_.avail_in);
    if (status == Z_STREAM_END) {
      inflateReset(&zlib_);
      between_members_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw resource_error{"out of memory: zlib cannot go on"};
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      in_.damaged("gzip", zlib_.msg != nullptr ? zlib_.msg : "no reason given");
    }
  }
  void skip_padding() {
    while (in_.fill() && *in_.data() == '\0') in_.take(1);
    ended_ = !in_.fill();
    between_members_ = false;
  }

  compressed_input in_;
  z_stream zlib_{};
  bool between_members_ = false;
  bool ended_ = false;
};

constexpr std::size_t room_bytes = std::size_t{1} << 16;
constexpr int gzip_level = 4;  // labels shrink nearly as much as at 6, in half the time

class gzip_packer final : public packer {
public:
  gzip_packer() {
    constexpr int gzip_header = 15 + 16;
    if (deflateInit2(&zlib_, gzip_level, Z_DEFLATED, gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw resource_error{"out of memory: zlib cannot start"};
    }
  }
  gzip_packer(const gzip_packer&) = delete;
  gzip_packer& operator=(const gzip_packer&) = delete;
  ~gzip_packer() override { deflateEnd(&zlib_); }

  void pack(const char* bytes, std::size_t count, const consumer& out) override {
    while (count > 0) {
      const std::size_t now = std::min(count, std::size_t{1} << 30);
      zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
      zlib_.avail_in = static_cast<uInt>(now);
      run(Z_NO_FLUSH, out);
      bytes += now;
      count -= now;
    }
  }
  void finish(const consumer& out) override { run(Z_FINISH, out); }

private:
  void run(int flush, const consumer& out) {
    do {
      zlib_.next_out = reinterpret_cast<Bytef*>(room_.data());
      zlib_.avail_out = static_cast<uInt>(room_.size());
      deflate(&zlib_, flush);
      out(room_.data(), room_.size() - zlib_.avail_out);
    } while (zlib_.avail_out == 0);
  }

  z_stream zlib_{};
  std::vector<char> room_ = std::vector<char>(room_bytes);
};

}  // namespace

std::unique_ptr<byte_stream> open_gzip(compressed_input in) { return std::make_unique<gzip_stream>(std::move(in)); }
std::unique_ptr<packer> make_gzip_packer() { return std::make_unique<gzip_packer>(); }

}  // namespace copse::io
