#include <fast/solve.hpp>

namespace copse::fast {

template buffer<std::uint32_t> solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint32_t>, const solve_options&,
                                                           const fast_options&);
template buffer<std::uint32_t> solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint64_t>, const solve_options&,
                                                           const fast_options&);
template buffer<std::uint64_t> solve_fast<backend::serial>(csr_view<std::uint64_t, std::uint64_t>, const solve_options&,
                                                           const fast_options&);
template buffer<std::uint32_t> solve_fast<backend::omp>(csr_view<std::uint32_t, std::uint32_t>, const solve_options&, const fast_options&);
template buffer<std::uint32_t> solve_fast<backend::omp>(csr_view<std::uint32_t, std::uint64_t>, const solve_options&, const fast_options&);
template buffer<std::uint64_t> solve_fast<backend::omp>(csr_view<std::uint64_t, std::uint64_t>, const solve_options&, const fast_options&);

}  // namespace copse::fast
