// Ranks lists on a GPU by the algorithm of Helman and JaJa, whose phases are in sublists.cuh: counts in place in the array of ranks, or
// sums weights.
#pragma once
#include <list_ranking/cuda/jumps.cuh>
#include <list_ranking/cuda/sublists.cuh>
#include <list_ranking/cuda/visits.cuh>
#include <list_ranking/helman_jaja.hpp>
#include <loops/serial.hpp>

#include <optional>
#include <vector>

namespace copse::list_ranking {

/// The sublists' arrays on the GPU. The sublists are ranked on the GPU or on the CPU.
template <class Records>
class gpu_sublists {
  using value = typename Records::value;

public:
  gpu_sublists(const gpu_task& task, const backend::cuda& loops, const Records& records, std::span<const id> heads, std::uint64_t splitters,
               std::uint64_t capacity)
      : task_{task},
        loops_{loops},
        records_{records},
        heads_{static_cast<id>(heads.size())},
        starts_{static_cast<id>(heads.size() + splitters)},
        arrays_{capacity, loops.memory()},
        state_{1, loops.memory()} {
    const auto all = arrays_.view();
    loops.for_each(heads.size(), begin_at_heads<Records>{heads.data(), records, all});
    loops.for_each(splitters, begin_at_splitters<Records>{random_stream{task.tuning.seed, 1}, splitters, heads_, records, all});
    loops.for_each(capacity - starts_, begin_nowhere<value>{starts_, all});
    loops.clear(state_.data(), sizeof(gpu_walk_state));
    loops.for_each(1, set_one{&state_.data()->used, starts_});
  }

  // Returns the number of blocks for a walk, at most as many as the device holds at once, because each block has its own sublists.
  [[nodiscard]] unsigned walking_blocks(unsigned a_multiprocessor) const {
    return std::min(loops_.places(a_multiprocessor), (starts_ + backend::threads_a_block - 1) / backend::threads_a_block);
  }
  void walk_noting(visit_pages pages) requires(Records::counts) {
    loops_.before_launch();
    walk_and_note<<<walking_blocks(noting_blocks), backend::threads_a_block, 0, loops_.stream()>>>(records_, arrays_.view(), starts_, pages,
                                                                                                   state_.data());
    loops_.launched();
  }

  void walk() {
    loops_.before_launch();
    const unsigned blocks = walking_blocks(backend::blocks_a_multiprocessor);
    walk_kernel<<<blocks, backend::threads_a_block, 0, loops_.stream()>>>(records_, arrays_.view(), starts_, state_.data());
    loops_.launched();
  }

  /// Ranks the sublists. Throws broken_list if a walk met another walk; also, when elements are counted, unless the lists have n elements
  /// in all, and when weights are summed, if a list has no end.
  void rank() {
    if (task_.job.splitters_on_cpu) return rank_on_cpu();
    constexpr bool counts = Records::counts;
    using op = typename Records::operation;
    const auto all = arrays_.view();
    const bool to_end = counts && task_.tuning.from == rank_origin::end;
    const std::size_t count = all.capacity;
    buffer<gpu_jump<value>> jumps{count, loops_.memory()};
    loops_.for_each(count, sublist_jumps<value, counts>{all, jumps.data(), to_end});
    if (!to_end) loops_.for_each(count, link_back<value>{all, jumps.data()});
    const jumped<value> done = jump_by_anchors<op>(loops_, std::move(jumps));
    if (to_end) {
      loops_.for_each(count, less_one<value>{all, done.totals.data()});
    } else {
      loops_.for_each(count, fill_values<value>{all, op::template neutral<value>});
      loops_.for_each(count, hand_on<value>{all, done.totals.data()});
    }
    if constexpr (counts) {
      buffer<wide_count> reached{1, loops_.memory()};
      loops_.clear(reached.data(), sizeof(wide_count));
      sum_lists<<<loops_.blocks_for(count), backend::threads_a_block, 0, loops_.stream()>>>(done.totals.data(), all, heads_, count, to_end,
                                                                                            reached.data());
      loops_.launched();
      if (loops_.fetched(reached.data()) != records_.n) throw broken_list{};
    } else if (loops_.fetched(done.open.data() + done.rounds) != 0) {
      throw broken_list{};
    }
    if (loops_.fetched(state_.data()).broken != 0) throw broken_list{};
  }

  [[nodiscard]] const value* values() noexcept { return arrays_.view().value; }

private:
  /// Ranks the splitters as Wei and JaJa do: their list is copied to the host, walked there, and copied back.
  void rank_on_cpu() {
    if (loops_.fetched(state_.data()).broken != 0) throw broken_list{};
    const auto all = arrays_.view();
    const std::size_t count = all.capacity;
    std::vector<id> start(count), next(count), length(count);
    std::vector<value> values(count);
    copy(next.data(), all.next, count, cudaMemcpyDeviceToHost);
    copy(length.data(), all.length, count, cudaMemcpyDeviceToHost);
    if (!Records::counts) copy(values.data(), all.value, count, cudaMemcpyDeviceToHost);
    loops_.wait();
    rank_sublists<Records>(backend::serial{}, heads_, records_.n, task_.tuning.from,
                           sublist_view<id, value>{start.data(), next.data(), length.data(), values.data(), static_cast<id>(count)});
    copy(all.value, values.data(), count, cudaMemcpyHostToDevice);
    loops_.wait();
  }
  template <class T>
  void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind where) {
    backend::checked(cudaMemcpyAsync(to, from, count * sizeof(T), where, loops_.stream()), "copying splitters");
  }

  const gpu_task& task_;
  const backend::cuda& loops_;
  Records records_;
  id heads_, starts_;
  sublist_arrays<id, value> arrays_;
  buffer<gpu_walk_state> state_;
};

[[noreturn]] inline void refuse_size(std::uint64_t elements, std::uint64_t lists) {
  throw resource_error{"cuda: found a list of " + std::to_string(elements) + " elements, " + std::to_string(lists) +
                       " lists, expected fewer than 2^31 elements and lists together"};
}

struct finish_counts {
  counted_records<id> records;
  const id* base;
  bool to_end;
  __device__ id rank(id w) const {
    const auto at = records.place_of(w);
    const id first = __ldg(base + at.sublist);
    return to_end ? first - at.local : first + at.local;
  }
  __device__ void operator()(std::size_t i) const {
    id* const words = records.words + 4 * i;
    if (4 * i + 4 <= records.n) {
      const uint4 w = *reinterpret_cast<const uint4*>(words);
      *reinterpret_cast<uint4*>(words) = {rank(w.x), rank(w.y), rank(w.z), rank(w.w)};
    } else {
      for (id k = 0; 4 * i + k < records.n; ++k) words[k] = rank(words[k]);
    }
  }
};

inline void count_by_sublists(const gpu_task& task, const backend::cuda& loops, gpu_list successors, std::span<id> ranks) {
  const std::uint64_t n = successors.size();
  if (local_bits_for(n, 1, 32, 1) == no_local_bits) refuse_size(n, 1);
  const gpu_survey seen = look_at(loops, successors, copy_words{ranks.data()});
  task.report.lists = seen.tails;
  const buffer<id> heads = heads_of(loops, successors, seen, false);
  task.laps.lap("check");
  const std::uint64_t splitters = std::min<std::uint64_t>(task.tuning.splitters, n), starts = heads.size() + splitters;
  const unsigned local = local_bits_for(n, starts, 32, task.tuning.local_bits_at_most);
  if (local == no_local_bits) refuse_size(n, seen.tails);
  const counted_records<id> records{ranks.data(), static_cast<id>(n), local};
  gpu_sublists<counted_records<id>> sublists{task, loops, records, heads.span(), splitters, starts + (n >> local) + 1};
  task.laps.lap("cut");
  const bool to_end = task.tuning.from == rank_origin::end;
  const bool notes = n >= task.tuning.notes_from;
  if (auto noted = notes ? room_for_visits(loops, n, sublists.walking_blocks(noting_blocks)) : std::nullopt) {
    sublists.walk_noting(noted->pages());
    task.laps.lap("walk");
    sublists.rank();
    task.laps.lap("splitters");
    noted->store_ranks(records, sublists.values(), to_end);
    task.laps.lap("combine");
    return;
  }
  sublists.walk();
  task.laps.lap("walk");
  sublists.rank();
  task.laps.lap("splitters");
  loops.for_each((n + 3) / 4, finish_counts{records, sublists.values(), to_end});
  task.laps.lap("combine");
}

template <class Records, class Weights>
struct fill_one {
  Records records;
  Weights weights;
  __device__ void one(id e, id s) const { records.all[e] = {s, weights(e, s == e)}; }
};
template <class Records, class Op>
struct finish_scan {
  Records records;
  const typename Records::value* before;
  typename Records::value* out;
  unsigned* unseen;
  __device__ void operator()(std::size_t e) const {
    if (records.all[e].next < records.n) *unseen = 1;  // the element lies on a cycle without a splitter
    const auto at = records.find(e);
    if (records.all[e].next >= records.n) out[e] = Op::of(before[at.sublist], at.local);
  }
};

/// Sets out[e] to the sum of all weights from the head of e's list to e. Records no times of phases, because the caller knows which phase
/// this is part of.
template <class Op, class Weights>
void scan_by_sublists(const gpu_task& task, const backend::cuda& loops, gpu_list successors, Weights weights,
                      typename Weights::value* out) {
  using records_type = scanned_records<id, typename Weights::value, Op>;
  const std::uint64_t n = successors.size();
  if (n >= std::uint64_t{1} << 31) refuse_size(n, 1);
  buffer<typename records_type::record> all{n, loops.memory()};
  const records_type records{all.data(), static_cast<id>(n)};
  const gpu_survey seen = look_at(loops, successors, one_by_one<fill_one<records_type, Weights>>{{records, weights}});
  task.report.lists = seen.tails;
  const buffer<id> heads = heads_of(loops, successors, seen, true);
  const std::uint64_t splitters = std::min<std::uint64_t>(task.tuning.splitters, n), starts = heads.size() + splitters;
  if (n + starts >= std::uint64_t{1} << 31) refuse_size(n, seen.tails);
  gpu_sublists<records_type> sublists{task, loops, records, heads.span(), splitters, starts};
  sublists.walk();
  sublists.rank();
  buffer<unsigned> unseen{1, loops.memory()};
  loops.clear(unseen.data(), sizeof(unsigned));
  loops.for_each(n, finish_scan<records_type, Op>{records, sublists.values(), out, unseen.data()});
  if (loops.fetched(unseen.data()) != 0) throw broken_list{};
}

}  // namespace copse::list_ranking
