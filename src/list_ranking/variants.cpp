#include <core/gpu_part.hpp>
#include <list_ranking/variants.hpp>

#include <span>
#include <string>

namespace copse::list_ranking {
namespace {

constexpr std::string_view walk_text = "from each head to the end, one element after the other";
constexpr std::string_view wyllie_text = "pointer jumping: log n rounds over all elements";
constexpr std::string_view helman_jaja_text = "random splitters cut sublists, many walked at once";
constexpr std::string_view fis_text = "r rounds remove a fractional independent set, helman_jaja ranks the rest";
constexpr std::string_view cpu_splitters_text = "helman_jaja whose splitters the CPU ranks, as Wei and JaJa do";
constexpr std::string_view hybrid_text = "fis whose random bits the CPU makes a round ahead of the GPU";

constexpr list_table_entry table[] = {
    {{"serial.walk", "serial", "walk", walk_text}, list_device::serial, list_algorithm::walk},
    {{"serial.wyllie", "serial", "wyllie", wyllie_text}, list_device::serial, list_algorithm::wyllie},
    {{"serial.helman_jaja", "serial", "helman_jaja", helman_jaja_text}, list_device::serial, list_algorithm::helman_jaja},
    {{"serial.fis", "serial", "fis", fis_text}, list_device::serial, list_algorithm::fis},
    {{"threads.wyllie", "threads", "wyllie", wyllie_text}, list_device::threads, list_algorithm::wyllie},
    {{"threads.helman_jaja", "threads", "helman_jaja", helman_jaja_text}, list_device::threads, list_algorithm::helman_jaja},
    {{"threads.fis", "threads", "fis", fis_text}, list_device::threads, list_algorithm::fis},
    {{"cuda.wyllie", "cuda", "wyllie", wyllie_text}, list_device::cuda, list_algorithm::wyllie},
    {{"cuda.helman_jaja", "cuda", "helman_jaja", helman_jaja_text}, list_device::cuda, list_algorithm::helman_jaja},
    {{"cuda.helman_jaja_cpu", "cuda", "helman_jaja_cpu", cpu_splitters_text}, list_device::cuda, list_algorithm::helman_jaja, true},
    {{"cuda.fis", "cuda", "fis", fis_text}, list_device::cuda, list_algorithm::fis},
    {{"hybrid.fis", "hybrid", "fis", hybrid_text}, list_device::hybrid, list_algorithm::fis},
};
constexpr std::size_t gpu_entries = 5;  // the entries for GPUs, which are the last of the table

// Smaller lists fit the L1 and L2 caches, where a cache miss costs little and splitters would cost more.
constexpr std::uint64_t too_few_to_cut = 1 << 14;

}  // namespace

std::span<const list_table_entry> entries() noexcept { return std::span{table}.first(std::size(table) - (has_gpu_part ? 0 : gpu_entries)); }

const list_table_entry& entry_named(std::string_view name) { return entry_of_name(entries(), name); }

list_variant_choice choose(std::uint64_t elements, unsigned threads, const named_devices& devices) {
  if (devices.hybrid) return {"hybrid.fis", "auto: the CPU and a GPU together were asked for: hybrid.fis"};
  if (!devices.gpus.empty()) return {"cuda.helman_jaja", "auto: a GPU was asked for: cuda.helman_jaja, the fastest there"};
  const std::string many = std::to_string(elements) + " elements";
  if (elements < too_few_to_cut)
    return {"serial.walk", "auto: " + many + ", fewer than " + std::to_string(too_few_to_cut) + ", lie in a cache: serial.walk"};
  if (threads == 1) return {"serial.helman_jaja", "auto: " + many + ", one thread: serial.helman_jaja, which waits for many at a time"};
  return {"threads.helman_jaja", "auto: " + many + ", " + std::to_string(threads) + " threads: threads.helman_jaja"};
}

}  // namespace copse::list_ranking
