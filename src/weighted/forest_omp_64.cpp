#include <loops/omp.hpp>
#include <weighted/search.hpp>

template struct copse::weighted::forest_code<copse::backend::omp, std::uint64_t>;
