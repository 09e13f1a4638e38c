// The samplers of one backend and width of ids, a function each.
#pragma once
#include <drivers/components.hpp>
#include <variants/type_list.hpp>

#include <array>

namespace copse::variant {

template <class Backend, class Id, class... Samplers>
constexpr std::array<drivers::sampling<Backend, Id>, sizeof...(Samplers)> samplings_of(type_list<Samplers...>) {
  return {Samplers::template sample<Backend, Id>...};
}

}  // namespace copse::variant
