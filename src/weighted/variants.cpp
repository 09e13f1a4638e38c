#include <core/gpu_part.hpp>
#include <weighted/variants.hpp>

#include <span>
#include <string>

namespace copse::weighted {
namespace {

constexpr std::string_view kruskal_text = "all edges sorted, united in order";
constexpr std::string_view filter_kruskal_text = "light edges first; what they join is dropped before it is sorted";
constexpr std::string_view boruvka_text = "rounds in which every tree takes its first edge";
constexpr std::string_view filter_boruvka_text = "light edges first; what they join is dropped before the rounds of the others";

[[maybe_unused]] constexpr std::string_view ecl_mst_text =
    "rounds in which the edges of a list reserve the trees at their ends, light edges first";

constexpr weighted_entry table[] = {
    {{"serial.kruskal", "serial", "kruskal", kruskal_text}, weighted_backend::serial, algorithm::kruskal},
    {{"serial.filter_kruskal", "serial", "filter_kruskal", filter_kruskal_text}, weighted_backend::serial, algorithm::filter_kruskal},
    {{"serial.boruvka", "serial", "boruvka", boruvka_text}, weighted_backend::serial, algorithm::boruvka},
    {{"serial.filter_boruvka", "serial", "filter_boruvka", filter_boruvka_text}, weighted_backend::serial, algorithm::filter_boruvka},
    {{"threads.kruskal", "threads", "kruskal", kruskal_text}, weighted_backend::threads, algorithm::kruskal},
    {{"threads.filter_kruskal", "threads", "filter_kruskal", filter_kruskal_text}, weighted_backend::threads, algorithm::filter_kruskal},
    {{"threads.boruvka", "threads", "boruvka", boruvka_text}, weighted_backend::threads, algorithm::boruvka},
    {{"threads.filter_boruvka", "threads", "filter_boruvka", filter_boruvka_text}, weighted_backend::threads, algorithm::filter_boruvka},
    {{"cuda.filter_boruvka", "cuda", "filter_boruvka", filter_boruvka_text}, weighted_backend::cuda, algorithm::filter_boruvka},
    {{"cuda.ecl_mst", "cuda", "ecl_mst", ecl_mst_text}, weighted_backend::cuda, algorithm::ecl_mst},
};
constexpr std::size_t gpu_entries = 2;  // how many entries at the end of the table run on a GPU

}  // namespace

std::span<const weighted_entry> entries() noexcept { return std::span{table}.first(std::size(table) - (has_gpu_part ? 0 : gpu_entries)); }

const weighted_entry& entry_named(std::string_view name) { return entry_of_name(entries(), name); }

weighted_choice choose(unsigned threads) {
  if (threads == 1) return {"serial.filter_kruskal", "auto: one thread: serial.filter_kruskal"};
  if (threads == 2) return {"threads.filter_kruskal", "auto: 2 threads: threads.filter_kruskal, which does less work than rounds do"};
  return {"threads.filter_boruvka", "auto: " + std::to_string(threads) + " threads: threads.filter_boruvka, whose rounds they share"};
}

}  // namespace copse::weighted
