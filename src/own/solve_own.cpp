#include <own/solve_own.hpp>

namespace copse::own {

template buffer<std::uint32_t> solve_own<backend::serial>(csr_view<std::uint32_t, std::uint32_t>, const solve_options&, const own_options&);
template buffer<std::uint32_t> solve_own<backend::serial>(csr_view<std::uint32_t, std::uint64_t>, const solve_options&, const own_options&);
template buffer<std::uint64_t> solve_own<backend::serial>(csr_view<std::uint64_t, std::uint64_t>, const solve_options&, const own_options&);
template buffer<std::uint32_t> solve_own<backend::omp>(csr_view<std::uint32_t, std::uint32_t>, const solve_options&, const own_options&);
template buffer<std::uint32_t> solve_own<backend::omp>(csr_view<std::uint32_t, std::uint64_t>, const solve_options&, const own_options&);
template buffer<std::uint64_t> solve_own<backend::omp>(csr_view<std::uint64_t, std::uint64_t>, const solve_options&, const own_options&);

}  // namespace copse::own
