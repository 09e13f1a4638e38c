// Lists of types, and operations on them.
#pragma once

namespace copse::variant {

template <class... Types>
struct type_list {};

namespace detail {

template <class... Lists>
struct concat;
template <class... As>
struct concat<type_list<As...>> {
  using type = type_list<As...>;
};
template <class... As, class... Bs, class... Lists>
struct concat<type_list<As...>, type_list<Bs...>, Lists...> : concat<type_list<As..., Bs...>, Lists...> {};

template <template <class> class Rule, class List>
struct each;
template <template <class> class Rule, class... As>
struct each<Rule, type_list<As...>> {
  using type = type_list<Rule<As>...>;
};

template <template <class, class> class Rule, class A, class List>
struct each_second;
template <template <class, class> class Rule, class A, class... Bs>
struct each_second<Rule, A, type_list<Bs...>> {
  using type = type_list<Rule<A, Bs>...>;
};

template <template <class, class> class Rule, class List, class Others>
struct each_pair;
template <template <class, class> class Rule, class... As, class Others>
struct each_pair<Rule, type_list<As...>, Others> : concat<typename each_second<Rule, As, Others>::type...> {};

}  // namespace detail

template <class... Lists>
using concat = typename detail::concat<Lists...>::type;
/// The list of Rule<A> for every A of the list.
template <template <class> class Rule, class List>
using each = typename detail::each<Rule, List>::type;
/// The list of Rule<A, B> for every A of the first list and every B of the second.
template <template <class, class> class Rule, class List, class Others>
using each_pair = typename detail::each_pair<Rule, List, Others>::type;

/// Calls f.template operator()<T>() for every T of the list, in order.
template <class... Types, class F>
constexpr void for_each_type(type_list<Types...>, F&& f) {
  (f.template operator()<Types>(), ...);
}

}  // namespace copse::variant
