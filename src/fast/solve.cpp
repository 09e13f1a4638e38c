#include <fast/solve.hpp>

namespace copse::fast {

template void solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint32_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                          const solve_request&, const fast_options&);
template void solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint64_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                          const solve_request&, const fast_options&);
template void solve_fast<backend::serial>(csr_view<std::uint64_t, std::uint64_t>, std::span<std::uint64_t>, std::span<std::uint64_t>,
                                          const solve_request&, const fast_options&);
template void solve_fast<backend::threads>(csr_view<std::uint32_t, std::uint32_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                           const solve_request&, const fast_options&);
template void solve_fast<backend::threads>(csr_view<std::uint32_t, std::uint64_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                           const solve_request&, const fast_options&);
template void solve_fast<backend::threads>(csr_view<std::uint64_t, std::uint64_t>, std::span<std::uint64_t>, std::span<std::uint64_t>,
                                           const solve_request&, const fast_options&);

}  // namespace copse::fast
