// Copies to and from the memory of a GPU, and the proof of answers there. components.cu and spanning_forest.cu run the variants.
#include <device/current_device.hpp>
#include <device/parts.hpp>
#include <gpu/loops/row_facts.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <io/binary_source.hpp>
#include <verify/gpu_proof.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace copse::device {
namespace {

using id = std::uint32_t;

}  // namespace

on_device::on_device() {
  if (cudaGetDevice(&before_) != cudaSuccess) static_cast<void>(cudaGetLastError());
}
on_device::on_device(int index) : on_device{} { backend::checked(cudaSetDevice(index), "choosing the device"); }
on_device::~on_device() { static_cast<void>(cudaSetDevice(before_)); }

solver::solver(const settings& how) : parts_{std::make_unique<parts>(how)} {}
solver::~solver() = default;

/// Copies an array from host memory; the copy may still be in flight on return.
template <class T>
buffer<T> solver::parts::copied_in(const T* first, std::size_t count, const char* doing) {
  buffer<T> copy{count, &memory};
  backend::copy_in(on, copy.data(), first, count * sizeof(T), doing, copies);
  return copy;
}

tracked_memory& solver::memory() noexcept { return parts_->memory; }
const backend::gpu& solver::on() const noexcept { return parts_->on; }
void solver::fetch_at_once(bool shorter) { parts_->on.fetch_at_once(shorter); }
unsigned solver::most_blocks() const noexcept { return parts_->most_blocks; }
unsigned solver::device() const noexcept { return static_cast<unsigned>(parts_->on.index()); }

std::uint64_t solver::free_bytes() const {
  const auto& memory = parts_->memory;
  return std::min(parts_->device.free_bytes(), memory.limit_bytes() - memory.current_bytes());
}

void solver::expect_room(const variant_info& chosen, const graph_sizes& g) {
  const memory_needs needs = needs_of(chosen, g);
  const std::uint64_t found = free_bytes();
  if (needs.all() <= found) return;
  throw resource_error{"cuda:" + std::to_string(parts_->on.index()) + ": found " + std::to_string(found) + " bytes free, expected " +
                       std::to_string(needs.all()) + " for " + chosen.name + ": " + std::to_string(needs.graph_bytes) + " for the graph, " +
                       std::to_string(needs.label_bytes) + " for labels and " + std::to_string(needs.beside_bytes) + " for working arrays"};
}

solver::device_graph solver::copy_in(const graph& host) {
  constexpr const char* doing = "copying the graph";
  device_graph copy;
  copy.view_ = host;
  if (host.is_rows) {
    const auto& offsets = host.rows.offsets;
    const std::size_t bytes = host.vertices == 0 ? 0 : (std::size_t{host.vertices} + 1) * offsets.width_bytes();
    copy.offsets_ = parts_->copied_in(static_cast<const std::byte*>(offsets.data()), bytes, doing);
    copy.targets_ = parts_->copied_in(host.rows.targets, host.rows.arcs, doing);
    copy.view_.rows.offsets = offsets.moved_to(copy.offsets_.data());
    copy.view_.rows.targets = copy.targets_.data();
  } else {
    copy.edges_ = parts_->copied_in(host.edges.data(), host.edges.size(), doing);
    copy.view_.edges = copy.edges_.span();
  }
  backend::checked(cudaStreamSynchronize(parts_->on.stream()), doing);
  return copy;
}

/// Makes the views of the arrays, with offsets of `offset_bytes` bytes.
void solver::look_at(read_rows& result, std::uint64_t vertices, unsigned offset_bytes) {
  const void* const offsets = result.rows.offsets_.data();
  const std::span<const id> targets = result.rows.targets_.span();
  if (offset_bytes == 8) {
    result.wide = {{static_cast<const std::uint64_t*>(offsets), vertices + 1}, targets};
    result.rows.view_ = graph{result.wide};
  } else {
    result.narrow = {{static_cast<const id*>(offsets), vertices + 1}, targets};
    result.rows.view_ = graph{result.narrow};
  }
}

solver::read_rows solver::read(const std::filesystem::path& path, const io::read_request& options, const variant_ahead& variant_for) {
  const io::format format = options.format ? *options.format : io::format_of(path);
  const io::rows_file file = format == io::format::sg ? io::open_sg(path, options) : io::open_egr(path, options);
  const std::uint64_t n = file.vertices(), m = file.arcs();
  const unsigned width = file.offsets.width;
  const graph_sizes sizes{n, m, true, width};
  expect_room(variant_for(sizes), sizes);

  read_rows result{};
  auto* const memory = &parts_->memory;
  const cudaStream_t stream = parts_->on.stream();
  result.rows.offsets_ = buffer<std::byte>{(n + 1) * width, memory};
  result.rows.targets_ = buffer<id>{m, memory};
  backend::copy_settings copies = parts_->copies;
  copies.threads = options.threads;
  const auto copy = [&](void* to, std::string_view from) {
    backend::copy_in(parts_->on, to, from.data(), from.size(), "copying the graph", copies, options.observer);
  };
  copy(result.rows.offsets_.data(), file.offsets.bytes);
  look_at(result, n, width);
  auto& rows = result.rows.view_.rows;
  if (const auto bad = backend::first_bad_offset(stream, memory, rows.offsets, rows.vertices(), m))
    io::refuse_offset(file.offsets, *bad, m);
  copy(result.rows.targets_.data(), file.targets.bytes);
  const auto facts = backend::inspect_on_gpu(stream, memory, rows);
  if (facts.bad_target) io::refuse_target(file.targets, *facts.bad_target, n);
  result.narrow.symmetric = result.wide.symmetric = facts.symmetric ? symmetry::yes : symmetry::no;
  result.narrow.sorted = result.wide.sorted = rows.sorted = facts.sorted;
  rows.symmetric = facts.symmetric;
  result.loops = facts.loops;
  return result;
}

void solver::expect_in_reach(const void* array, const std::string& name) const {
  if (array == nullptr) return;
  cudaPointerAttributes found{};
  backend::checked(cudaPointerGetAttributes(&found, array), "asking where an array is");
  const int here = parts_->on.index();
  const bool elsewhere = found.type == cudaMemoryTypeDevice && found.device != here;
  if (found.type != cudaMemoryTypeUnregistered && !elsewhere) return;
  throw usage_error{name + " must be in the memory of cuda:" + std::to_string(here) + ", the device of the stream, not of " +
                    (elsewhere ? "cuda:" + std::to_string(found.device) : "the host")};
}

void solver::expect_in_reach(const graph& on_device) const {
  expect_in_reach(on_device.rows.offsets.data(), "offsets");
  expect_in_reach(on_device.rows.targets, "targets");
  expect_in_reach(on_device.edges.data(), "edges");
}

void solver::check(graph& on_device) {
  const cudaStream_t stream = parts_->on.stream();
  const auto value_of = [stream](const void* array, std::uint64_t at, std::size_t bytes) {
    std::uint64_t value = 0;  // also right for values of 4 bytes, as the host is little-endian
    const auto* const from = static_cast<const std::byte*>(array) + at * bytes;
    backend::checked(cudaMemcpyAsync(&value, from, bytes, cudaMemcpyDeviceToHost, stream), "copying what is wrong");
    backend::checked(cudaStreamSynchronize(stream), "copying what is wrong");
    return std::to_string(value);
  };
  const auto place = [](const char* array, std::uint64_t at, const std::string& value) {
    return std::string{array} + "[" + std::to_string(at) + "] = " + value;
  };
  const auto refuse = [](const std::string& found, const std::string& expected) {
    throw usage_error{"graph: found " + found + ", expected " + expected};
  };
  const std::string vertices = std::to_string(on_device.vertices);
  auto* const memory = &parts_->memory;
  if (!on_device.is_rows) {
    const auto* const edges = on_device.edges.data();
    if (const auto bad = backend::first_bad_edge(stream, memory, on_device.edges, on_device.vertices)) {
      refuse(place("edges", *bad, value_of(edges, 2 * *bad, sizeof(id))) + " " + value_of(edges, 2 * *bad + 1, sizeof(id)),
             "vertices below " + vertices);
    }
    return;
  }
  auto& rows = on_device.rows;
  if (rows.offsets.data() == nullptr) return;  // a graph without vertices
  if (const auto bad = backend::first_bad_offset(stream, memory, rows.offsets, rows.vertices(), rows.arcs)) {
    const auto offset = [&](std::uint64_t at) { return value_of(rows.offsets.data(), at, rows.offsets.width_bytes()); };
    refuse(place("offsets", *bad, offset(*bad)) + (*bad == 0 ? "" : " after " + offset(*bad - 1)),
           *bad == 0 ? "0" : "ascending offsets up to the number of targets, " + std::to_string(rows.arcs));
  }
  const auto facts = backend::inspect_on_gpu(stream, memory, rows);
  if (facts.bad_target) {
    refuse(place("targets", *facts.bad_target, value_of(rows.targets, *facts.bad_target, sizeof(id))), "a vertex below " + vertices);
  }
  if (rows.symmetric && !facts.symmetric)
    refuse("an arc that is stored in one direction only", "both, as the view says that it is symmetric");
  if (rows.sorted && !facts.sorted) refuse("a row that does not ascend", "sorted rows, as the view says");
  rows.symmetric = facts.symmetric;
  rows.sorted = facts.sorted;
}

std::uint64_t solver::count_loops(const graph& on_device) {
  if (!on_device.is_rows || on_device.rows.offsets.data() == nullptr) return 0;
  return backend::inspect_on_gpu(parts_->on.stream(), &parts_->memory, on_device.rows).loops;
}

buffer<id> solver::copy_in(std::span<const id> labels) {
  auto copy = parts_->copied_in(labels.data(), labels.size(), "copying labels");
  backend::checked(cudaStreamSynchronize(parts_->on.stream()), "copying labels");
  return copy;
}

buffer<id> solver::copy_out(const buffer<id>& labels, std::pmr::memory_resource* memory) {
  buffer<id> copy{labels.size(), memory};
  copy_out(labels, copy.span());
  return copy;
}

void solver::copy_out(const buffer<id>& labels, std::span<id> to, std::optional<unsigned> threads) {
  backend::copy_settings how = parts_->copies;
  if (threads) how.threads = *threads;
  backend::copy_out(parts_->on, to.data(), labels.data(), to.size_bytes(), "copying labels", how);
}

void solver::copy_out(const buffer<edge<id>>& edges, std::span<edge<id>> to) {
  backend::copy_out(parts_->on, to.data(), edges.data(), to.size_bytes(), "copying edges", parts_->copies);
}

void solver::prepare_copies() { backend::prepare_copies(parts_->on); }

verdict solver::verify(const graph& on_device, std::span<const id> labels, const vertex_names& names) {
  const auto& rows = on_device.rows;
  const graph_on_gpu judged{.vertices = on_device.vertices,
                            .arcs = on_device.is_rows ? rows.arcs : on_device.edges.size(),
                            .offsets = rows.offsets.data(),
                            .wide_offsets = rows.offsets.width_bytes() == 8,
                            .targets = rows.targets,
                            .edges = on_device.edges.data()};
  return prove_on_gpu(judged, labels, names, &parts_->memory, parts_->on.stream());
}

backend::memory_rates solver::measure_memory(std::uint32_t words) {
  return backend::measure_memory(words, &parts_->memory, parts_->on.stream());
}

std::uint64_t solver::checksum(std::span<const id> labels) { return checksum_on_gpu(labels, &parts_->memory, parts_->on.stream()); }

}  // namespace copse::device
