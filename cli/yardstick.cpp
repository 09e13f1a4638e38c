// The yardstick uses plain arrays, without memory resources, huge pages or an observer, as a simple program would.
#include "yardstick.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <string>
#include <utility>
#include <vector>

#include "output.hpp"

namespace copse::cli {
namespace {

template <class Id, class Offset>
void ten_line_rem(const Offset* offsets, const Id* targets, Id n, Id* p) {
  for (Id v = 0; v < n; v++) p[v] = v;
  for (Id v = 0; v < n; v++)
    for (Offset a = offsets[v]; a < offsets[v + 1] && targets[a] < v; a++)
      for (Id x = v, y = targets[a]; p[x] != p[y];) {
        if (p[x] < p[y]) std::swap(x, y);
        const Id z = p[x];
        p[x] = p[y];
        if (x == z) break;
        x = z;
      }
  for (Id v = 0; v < n; v++) p[v] = p[p[v]];
}

/// An array in pages that were never touched, as a first malloc() returns. malloc() itself is not used, as it might return pages of the
/// last trial, which were touched.
class fresh_pages {
public:
  explicit fresh_pages(std::size_t bytes) : bytes_{std::max<std::size_t>(bytes, 1)} {
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) throw resource_error{"out of memory: the system refused " + std::to_string(bytes_) + " bytes"};
  }
  fresh_pages(const fresh_pages&) = delete;
  fresh_pages& operator=(const fresh_pages&) = delete;
  ~fresh_pages() { munmap(data_, bytes_); }
  [[nodiscard]] void* data() const noexcept { return data_; }

private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace

template <unsigned_index Id, unsigned_index Offset>
yardstick_result<Id> run_yardstick(csr_view<Id, Offset> rows, label_memory where) {
  const Id n = rows.vertices();
  yardstick_result<Id> result{0, buffer<Id>{n}};
  const stopwatch watch;
  if (where == label_memory::touched) {
    std::vector<Id> parents(n);
    const double before = watch.seconds();
    ten_line_rem(rows.offsets.data(), rows.targets.data(), n, parents.data());
    result.seconds = watch.seconds() - before;
    std::ranges::copy(parents, result.labels.begin());
  } else {
    const fresh_pages pages{std::size_t{n} * sizeof(Id)};
    auto* parents = static_cast<Id*>(pages.data());
    ten_line_rem(rows.offsets.data(), rows.targets.data(), n, parents);
    result.seconds = watch.seconds();
    std::copy(parents, parents + n, result.labels.begin());
  }
  return result;
}

template yardstick_result<std::uint32_t> run_yardstick(csr_view<std::uint32_t, std::uint32_t>, label_memory);
template yardstick_result<std::uint32_t> run_yardstick(csr_view<std::uint32_t, std::uint64_t>, label_memory);
template yardstick_result<std::uint64_t> run_yardstick(csr_view<std::uint64_t, std::uint64_t>, label_memory);

}  // namespace copse::cli
