// Chance in what is tried first.
#pragma once

#include <cmath>
#include <random>

namespace cpfill::mac {

// A number drawn from the standard Gumbel distribution: added to the logarithms of weights, it has the greatest sum be
// each in proportion to its weight.
inline double gumbel(std::mt19937_64& random) {
    const double uniform = (static_cast<double>(random() >> 11) + 0.5) * 0x1.0p-53;
    return -std::log(-std::log(uniform));
}

}  // namespace cpfill::mac
