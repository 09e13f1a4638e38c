#include <gen/families.hpp>

namespace copse::gen {
namespace {

recipe make(const spec& s) { return {s, karate_edges{}, karate_edges::members, karate_edges::ties}; }

}  // namespace

constinit const maker karate_family{{"karate",
                                     "Zachary's karate club: 34 members, 78 friendships, one component",
                                     "Zachary: An information flow model for conflict and fission in small groups, J. Anthropol. Res. 1977",
                                     {}},
                                    make};

}  // namespace copse::gen
