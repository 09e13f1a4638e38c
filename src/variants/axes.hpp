// The axes of the table of variants: to add a rule, write its file, and add its type to one of the lists here. The lists of names and
// traits below them suffice to build the table, without the code of the rules.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/find/compress.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/find/representative.hpp>
#include <copse/extend/rules/find/split.hpp>
#include <copse/extend/rules/find/two_try_split.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/splice/splice_atomic.hpp>
#include <copse/extend/rules/splice/split_one.hpp>
#include <copse/extend/rules/unite/afforest.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/extend/rules/unite/early.hpp>
#include <copse/extend/rules/unite/ecl.hpp>
#include <copse/extend/rules/unite/hooks.hpp>
#include <copse/extend/rules/unite/jtb.hpp>
#include <copse/extend/rules/unite/rem.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/extend/rules/unite/rem_lock.hpp>
#include <copse/extend/rules/unite/union_find.hpp>
#include <finish/bfs_cc.hpp>
#include <finish/cc.hpp>
#include <finish/cc_sort.hpp>
#include <finish/cc_updt.hpp>
#include <finish/dfs.hpp>
#include <finish/ecl_af.hpp>
#include <finish/ecl_cc.hpp>
#include <finish/fast.hpp>
#include <finish/label_propagation.hpp>
#include <finish/ligra.hpp>
#include <finish/liu_tarjan.hpp>
#include <finish/rem_verify.hpp>
#include <finish/segments.hpp>
#include <finish/shiloach_vishkin.hpp>
#include <finish/soman.hpp>
#include <finish/stergiou.hpp>
#include <finish/sv.hpp>
#include <finish/sv_updt.hpp>
#include <finish/united.hpp>
#include <sample/bfs.hpp>
#include <sample/hb.hpp>
#include <sample/kout.hpp>
#include <sample/ldd.hpp>
#include <sample/none.hpp>
#include <sample/stages.hpp>
#include <variants/type_list.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace copse::variant {

using samplers = type_list<sample::none, sample::kout, sample::kout_random, sample::kout_mixed, sample::kout_maxdeg, sample::hb,
                           sample::bfs, sample::ldd, sample::stages>;

using finds = type_list<find::naive, find::compress, find::split, find::halve>;
using ranked_finds = type_list<find::naive, find::two_try_split>;
using splices = type_list<splice::halve_one, splice::split_one, splice::splice_atomic>;

/// Rules whose names include their find.
using unites_with_find = concat<each<unite::async, finds>, each<unite::hooks, finds>, each<unite::early, finds>, each<unite::ecl, finds>,
                                each<unite::jtb, ranked_finds>>;
/// Rules whose names include their find and their splice.
using unites_with_splice = concat<each_pair<unite::rem_cas, finds, splices>, each_pair<unite::rem_lock, finds, splices>>;
/// Rules with a built-in find, which their names leave out.
using unites_alone = type_list<unite::ecl<find::representative>, unite::afforest, unite::rem, unite::union_find>;

/// The four rules of Liu and Tarjan with these options: shortcut once or until trees are flat, each without and with alter. `liu_tarjans`
/// holds all 24 rules, of which 8 are refused as variants because they are wrong or never worthwhile (rule_traits::never).
template <finish::liu_tarjan_connect Connect, finish::liu_tarjan_update Update>
using liu_tarjan_of = type_list<finish::liu_tarjan<Connect, Update, finish::liu_tarjan_shortcut::once, false>,
                                finish::liu_tarjan<Connect, Update, finish::liu_tarjan_shortcut::fully, false>,
                                finish::liu_tarjan<Connect, Update, finish::liu_tarjan_shortcut::once, true>,
                                finish::liu_tarjan<Connect, Update, finish::liu_tarjan_shortcut::fully, true>>;
using liu_tarjans = concat<liu_tarjan_of<finish::liu_tarjan_connect::ends, finish::liu_tarjan_update::every_vertex>,
                           liu_tarjan_of<finish::liu_tarjan_connect::ends, finish::liu_tarjan_update::roots>,
                           liu_tarjan_of<finish::liu_tarjan_connect::parents, finish::liu_tarjan_update::every_vertex>,
                           liu_tarjan_of<finish::liu_tarjan_connect::parents, finish::liu_tarjan_update::roots>,
                           liu_tarjan_of<finish::liu_tarjan_connect::extended, finish::liu_tarjan_update::every_vertex>,
                           liu_tarjan_of<finish::liu_tarjan_connect::extended, finish::liu_tarjan_update::roots>>;

/// Finishes that work in rounds over all arcs: those that the GConn paper measures, and those that Cong and Muzio measure.
using gconn_rounds = concat<liu_tarjans, type_list<finish::stergiou, finish::shiloach_vishkin, finish::label_propagation>>;
using cong_muzio_rounds = type_list<finish::cc, finish::cc_updt, finish::cc_sort, finish::sv, finish::sv_updt, finish::rem_verify<false>,
                                    finish::rem_verify<true>>;
/// Finishes that the ECL-CC thesis describes or measures in addition to unites.
using thesis_finishes = type_list<finish::soman, finish::segments, finish::ecl_cc, finish::ecl_af, finish::ligra>;
using searches = type_list<finish::bfs_cc, finish::dfs>;

/// Finishes that are not a unite.
using finishes_with_rounds = concat<gconn_rounds, cong_muzio_rounds, thesis_finishes, searches, type_list<finish::fast_path>>;

/// The table entry of a finish: the parts of a variant's name that stand for the finish, its find and its splice, and its traits.
struct finish_entry {
  std::string_view finish, find, splice;
  std::string_view summary;
  rule_traits traits;
  bool unites = false;  ///< true for a union-find rule (unite), which can call a function for each root that it links to another vertex
};

struct sampler_entry {
  std::string_view name;
  bool needs_rows, skips_giant, regroups_edges;
};

/// The table entry of a unite: from `found` if the names of its variants include the find, from `spliced` if they include find and splice,
/// from `alone` if they include neither.
template <class Unite>
struct found {
  using finish_type = finish::united<Unite>;
  static constexpr finish_entry entry{Unite::name, Unite::find_rule::name, {}, Unite::summary, Unite::traits, true};
};
template <class Unite>
struct spliced {
  using finish_type = finish::united<Unite>;
  static constexpr finish_entry entry{Unite::name, Unite::find_rule::name, Unite::splice_rule::name, Unite::summary, Unite::traits, true};
};
template <class Unite>
struct alone {
  using finish_type = finish::united<Unite>;
  static constexpr finish_entry entry{Unite::name, {}, {}, Unite::summary, Unite::traits, true};
};
/// The table entry of a finish that is not a unite. Variant names are built as for unites, backend.sampler.finish.find.splice, but if the
/// finish has a rule, the rule's name takes the place of the find.
template <class Finish>
struct other {
  using finish_type = Finish;
  static constexpr std::string_view rule = [] {
    if constexpr (requires { Finish::rule; }) {
      return Finish::rule;
    } else {
      return std::string_view{};
    }
  }();
  static constexpr finish_entry entry{Finish::name, rule, {}, Finish::summary, Finish::traits};
};

using united_entries = concat<each<found, unites_with_find>, each<spliced, unites_with_splice>, each<alone, unites_alone>>;
using other_entries = each<other, finishes_with_rounds>;
/// Every finish, in the order in which variants are listed: unites first.
using finishes = concat<united_entries, other_entries>;

template <class... Entries>
constexpr std::array<finish_entry, sizeof...(Entries)> entries_of(type_list<Entries...>) {
  return {Entries::entry...};
}
template <class... Samplers>
constexpr std::array<sampler_entry, sizeof...(Samplers)> samplers_of(type_list<Samplers...>) {
  return {sampler_entry{Samplers::name, Samplers::needs_rows, Samplers::skips_giant, Samplers::regroups_edges}...};
}

inline constexpr auto finish_entries = entries_of(finishes{});
inline constexpr std::size_t unite_count = entries_of(united_entries{}).size();
inline constexpr auto sampler_entries = samplers_of(samplers{});

}  // namespace copse::variant
