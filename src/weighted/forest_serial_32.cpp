#include <loops/serial.hpp>
#include <weighted/search.hpp>

template struct copse::weighted::forest_code<copse::backend::serial, std::uint32_t>;
