// The axes of the table. To add a rule: write its file, and name it in one list here.
#pragma once
#include <copse/rules/find/compress.hpp>
#include <copse/rules/find/halve.hpp>
#include <copse/rules/find/naive.hpp>
#include <copse/rules/find/representative.hpp>
#include <copse/rules/find/split.hpp>
#include <copse/rules/splice/halve_one.hpp>
#include <copse/rules/splice/split_one.hpp>
#include <copse/rules/unite/afforest.hpp>
#include <copse/rules/unite/async.hpp>
#include <copse/rules/unite/ecl.hpp>
#include <copse/rules/unite/rem.hpp>
#include <copse/rules/unite/rem_cas.hpp>
#include <copse/rules/unite/union_find.hpp>
#include <finish/dfs.hpp>
#include <finish/unite_finish.hpp>
#include <registry/type_list.hpp>
#include <sample/kout.hpp>
#include <sample/none.hpp>

namespace copse::registry {

using finds = type_list<find::naive, find::compress, find::split, find::halve>;
using splices = type_list<splice::halve_one, splice::split_one>;

/// Rules whose name says which find they use.
using unites_with_find = concat<each<unite::async, finds>, each<unite::ecl, finds>>;
/// Rules with a find and a splice.
using unites_with_splice = each_pair<unite::rem_cas, finds, splices>;
/// Rules whose find is part of them: their name has no find.
using unites_alone = type_list<unite::ecl<find::representative>, unite::afforest, unite::rem, unite::union_find>;

using samplers = type_list<sample::none, sample::kout>;

/// Other finishes.
using searches = type_list<finish::dfs>;

}  // namespace copse::registry
