// The rates of this machine that copse plan counts with: small runs of what is planned, a second or two in all.
#pragma once
#include "estimate.hpp"
#include "input.hpp"

namespace copse::cli {

machine_rates measure_rates(id_shape ids, resources& context);

}  // namespace copse::cli
