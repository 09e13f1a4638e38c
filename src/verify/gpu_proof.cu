// Proves by all threads of a GPU that a labelling is the components of a graph. With n vertices and k labels:
//   1. every label is in range, at most its vertex, and its own label, so it is the smallest vertex that has it;
//   2. the ends of every arc have equal labels, so the vertices of a label are a union of components, and there are at least k components;
//   3. a separate union-find, which links a tree under another only along an arc of the graph, succeeds n - k times. Every success makes
//      two trees one, so there are at most k components. A success that is lost can only reject right labels, never accept wrong ones.
// Links go from larger to smaller vertices by compare-and-swap on a root, so there is no cycle; a stale parent is still an ancestor.
// Threads take equal shares of the arcs, whatever the rows, and search for the row of their first arc.
#include <cuda_runtime.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <verify/gpu_proof.hpp>
#include <verify/proof.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace copse {
namespace {

using id = std::uint32_t;
using word = unsigned long long;

constexpr unsigned threads = 256, most_blocks = 1 << 16;
constexpr word arcs_a_turn = 16, none = ~word{0};

/// What the kernels of a proof found: the first fault, the number of vertices that are their own label (`classes`), and the number of arcs
/// that joined two trees (`joins`).
struct label_findings {
  word first_fault;  ///< the index of the first vertex or arc at which a fault was found
  word classes, joins;
};

/// Adds the sum of `mine` over the threads of a warp to `to`, by one atomic addition. All threads of the warp must call it.
__device__ void add_up(word* to, unsigned mine) {
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xFFFFFFFFu, mine, distance);
  if (threadIdx.x % 32 == 0 && mine != 0) atomicAdd(to, static_cast<word>(mine));
}

__device__ word first_turn() { return word{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ word all_turns() { return word{gridDim.x} * blockDim.x; }

/// Step 1 of the proof: every label is at most the vertex that has it, and has itself as its label. Also makes one tree per vertex, for the
/// union-find of step 3.
__global__ void judge_labels(id n, const id* labels, id* parents, label_findings* found) {
  unsigned classes = 0;
  for (word i = first_turn(); i < n; i += all_turns()) {
    const id v = static_cast<id>(i), label = labels[v];
    parents[v] = v;
    if (label > v || labels[label] != label) {  // `label` is below n if it is at most v
      atomicMin(&found->first_fault, i);
    } else {
      classes += label == v;
    }
  }
  add_up(&found->classes, classes);
}

__device__ id load(const id* at) { return *static_cast<const volatile id*>(at); }

__device__ id root_of(id* parents, id v) {
  for (;;) {
    const id above = load(parents + v);
    if (above == v) return v;
    const id higher = load(parents + above);
    if (higher == above) return above;
    *static_cast<volatile id*>(parents + v) = higher;  // v is not a root and never will be again, so no thread swaps this word
    v = higher;
  }
}

/// Returns 1 if two trees became one, else 0.
__device__ unsigned join(id* parents, id u, id v) {
  id a = root_of(parents, u), b = root_of(parents, v);
  while (a != b) {
    if (a < b) {
      const id smaller = a;
      a = b;
      b = smaller;
    }
    const id seen = atomicCAS(parents + a, a, b);
    if (seen == a) return 1;
    a = root_of(parents, seen);
    b = root_of(parents, b);
  }
  return 0;
}

/// The arcs of rows by their index. walker::ends() returns the ends of one arc; the indices must ascend from call to call.
template <class Offset>
struct row_arcs {
  id vertices;
  word arcs;
  const Offset* offsets;
  const id* targets;

  struct walker {
    const row_arcs& of;
    id u;
    __device__ void ends(word i, id& from, id& to) {
      while (of.offsets[word{u} + 1] <= i) ++u;
      from = u;
      to = of.targets[i];
    }
  };
  __device__ walker from(word i) const {
    id low = 0, high = vertices;  // the arc's row is in [low, high)
    while (high - low > 1) {
      const id middle = low + (high - low) / 2;
      if (offsets[middle] <= i) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return {*this, low};
  }
};
struct list_arcs {
  id vertices;
  word arcs;
  const edge<id>* edges;

  struct walker {
    const edge<id>* all;
    __device__ void ends(word i, id& from, id& to) const {
      from = all[i].u;
      to = all[i].v;
    }
  };
  __device__ walker from(word) const { return {edges}; }
};

/// Compares the labels of the ends of all arcs (step 2 of the proof). Also unites ends (step 3): those of the arcs to smaller vertices if
/// `only_down` is true, otherwise those of all arcs.
template <class Arcs>
__global__ void join_arcs(Arcs g, const id* labels, id* parents, bool only_down, label_findings* found) {
  unsigned joins = 0;
  for (word first = first_turn() * arcs_a_turn; first < g.arcs; first += all_turns() * arcs_a_turn) {
    const word last = g.arcs - first < arcs_a_turn ? g.arcs : first + arcs_a_turn;
    auto walker = g.from(first);
    for (word i = first; i < last; ++i) {
      id u = 0, v = 0;
      walker.ends(i, u, v);
      if (u >= g.vertices || v >= g.vertices || labels[u] != labels[v]) {
        atomicMin(&found->first_fault, i);
        break;
      }
      if (v < u || (!only_down && v != u)) joins += join(parents, u, v);
    }
  }
  add_up(&found->joins, joins);
}

/// Reads the ends of arc i, at which a fault was found, for the message.
template <class Arcs>
__global__ void ends_of_arc(Arcs g, word i, id* ends) {
  auto walker = g.from(i);
  walker.ends(i, ends[0], ends[1]);
}

__global__ void find_unjoined(id n, const id* labels, id* parents, label_findings* found) {
  for (word i = first_turn(); i < n; i += all_turns()) {
    if (root_of(parents, static_cast<id>(i)) != root_of(parents, labels[i])) atomicMin(&found->first_fault, i);
  }
}

void check(cudaError_t status, const char* doing) {
  if (status != cudaSuccess) throw error{std::string{"cuda: "} + doing + " a proof: " + cudaGetErrorString(status)};
}

class prover {
public:
  prover(id n, std::span<const id> labels, const vertex_names& names, std::pmr::memory_resource* memory, cudaStream_t stream)
      : n_{n}, labels_{labels.data()}, names_{names}, stream_{stream}, parents_{n, memory}, found_{1, memory}, ends_{2, memory} {
    check(cudaMemsetAsync(found_.data(), 0, sizeof(label_findings), stream_), "beginning");
    check(cudaMemsetAsync(&found_.data()->first_fault, 0xFF, sizeof(word), stream_), "beginning");
  }

  std::optional<std::string> fault_in_labels() {
    judge_labels<<<blocks_for(n_), threads, 0, stream_>>>(n_, labels_, parents_.data(), found_.data());
    const label_findings seen = fetch_findings();
    classes_ = seen.classes;
    if (seen.first_fault == none) return std::nullopt;
    const auto v = static_cast<id>(seen.first_fault), label = fetched(labels_ + v);
    const std::string vertex = "vertex " + name(v);
    if (label == no_vertex<id>) return vertex + " has no label";
    if (label >= n_) return vertex + " has label " + std::to_string(label) + ", beyond the " + std::to_string(n_) + " vertices";
    if (label > v) return vertex + " has label " + name(label) + ", which is larger";
    return vertex + " has label " + name(label) + ", but vertex " + name(label) + " has label " + name(fetched(labels_ + label));
  }

  template <class Arcs>
  std::optional<std::string> fault_in_arcs(const Arcs& g, bool down_first) {
    for (bool only_down = down_first;; only_down = false) {
      if (g.arcs != 0) {
        const word turns = (g.arcs + arcs_a_turn - 1) / arcs_a_turn;
        join_arcs<<<blocks_for(turns), threads, 0, stream_>>>(g, labels_, parents_.data(), only_down, found_.data());
      }
      const label_findings seen = fetch_findings();
      joins_ = seen.joins;
      if (seen.first_fault != none) {
        ends_of_arc<<<1, 1, 0, stream_>>>(g, seen.first_fault, ends_.data());
        return fault_of_edge(fetched(ends_.data()), fetched(ends_.data() + 1));
      }
      // That rows are symmetric is only the caller's claim. If the arcs to smaller vertices have not united all vertices of each label,
      // another pass unites the ends of all arcs.
      if (joins_ == n_ - classes_ || !only_down) return std::nullopt;
    }
  }

  std::optional<std::string> fault_in_forest() {
    if (joins_ == n_ - classes_) return std::nullopt;
    find_unjoined<<<blocks_for(n_), threads, 0, stream_>>>(n_, labels_, parents_.data(), found_.data());
    if (const label_findings seen = fetch_findings(); seen.first_fault != none) {
      const auto v = static_cast<id>(seen.first_fault);
      return "vertex " + name(v) + " has label " + name(fetched(labels_ + v)) + ", but no path joins them";
    }
    return "a forest of " + std::to_string(joins_) + " edges, expected " + std::to_string(n_ - classes_);
  }

  [[nodiscard]] std::uint64_t components() const noexcept { return n_ - joins_; }

private:
  static unsigned blocks_for(word turns) {
    return static_cast<unsigned>(std::clamp<word>((turns + threads - 1) / threads, 1, most_blocks));
  }
  template <class T>
  T fetched(const T* from) const {
    T value{};
    check(cudaGetLastError(), "launching kernels of");
    check(cudaMemcpyAsync(&value, from, sizeof value, cudaMemcpyDeviceToHost, stream_), "reading");
    check(cudaStreamSynchronize(stream_), "waiting for");
    return value;
  }
  label_findings fetch_findings() const { return fetched(found_.data()); }

  std::string fault_of_edge(id u, id v) const {
    if (u >= n_ || v >= n_)
      return "an edge joins vertices " + std::to_string(u) + " and " + std::to_string(v) + " of a graph of " + std::to_string(n_);
    return "vertices " + name(u) + " and " + name(v) + " are joined by an edge, but have labels " + name(fetched(labels_ + u)) + " and " +
           name(fetched(labels_ + v));
  }
  [[nodiscard]] std::string name(id v) const { return name_in_message(names_, v); }

  id n_;
  const id* labels_;
  const vertex_names& names_;
  cudaStream_t stream_;
  buffer<id> parents_;
  buffer<label_findings> found_;
  buffer<id> ends_;
  std::uint64_t classes_ = 0, joins_ = 0;
};

using proving::wrong;

}  // namespace

verdict prove_on_gpu(const graph_on_gpu& g, std::span<const id> labels, const vertex_names& names, std::pmr::memory_resource* memory,
                     cudaStream_t stream) {
  const id n = g.vertices;
  if (labels.size() != n) return wrong(std::to_string(labels.size()) + " labels for " + std::to_string(n) + " vertices");
  if (names.size() != n) return wrong(std::to_string(n) + " labels for " + std::to_string(names.size()) + " names");
  if (n == 0) return {.right = true, .reason = {}};
  prover steps{n, labels, names, memory, stream};
  if (auto fault = steps.fault_in_labels()) return wrong(std::move(*fault));
  auto fault = g.edges != nullptr ? steps.fault_in_arcs(list_arcs{n, g.arcs, g.edges}, false)
               : g.wide_offsets
                   ? steps.fault_in_arcs(row_arcs<std::uint64_t>{n, g.arcs, static_cast<const std::uint64_t*>(g.offsets), g.targets}, true)
                   : steps.fault_in_arcs(row_arcs<id>{n, g.arcs, static_cast<const id*>(g.offsets), g.targets}, true);
  if (!fault) fault = steps.fault_in_forest();
  if (fault) return wrong(std::move(*fault));
  return {.right = true, .reason = {}, .vertices = n, .components = steps.components()};
}

}  // namespace copse
