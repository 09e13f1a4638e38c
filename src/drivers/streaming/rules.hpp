// Which rules unite the edges of a stream: the variants that the report names. One worker runs sequential Rem on plain words; several run
// Rem with a swap at the root on shared words.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>

#include <string_view>
#include <type_traits>

#include "inverted_parents.hpp"

namespace copse::streaming {

inline constexpr std::string_view serial_variant = "serial.none.rem";
inline constexpr std::string_view shared_variant = "threads.none.rem_cas.naive.halve_one";

template <bool Shared>
using unite_rule = std::conditional_t<Shared, unite::rem_cas<find::naive, splice::halve_one>, unite::rem>;

template <bool Shared, class Words>
using parents_of = std::conditional_t<Shared, shared_inverted<Words>, plain_inverted<Words>>;

}  // namespace copse::streaming
