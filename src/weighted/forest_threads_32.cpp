#include <loops/threads.hpp>
#include <weighted/search.hpp>

template struct copse::weighted::forest_code<copse::backend::threads, std::uint32_t>;
