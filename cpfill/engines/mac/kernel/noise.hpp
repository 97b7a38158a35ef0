// Randomness in the order of choices.
#pragma once

#include <cmath>
#include <random>

namespace cpfill::mac {

// A random number with the standard Gumbel distribution. If one is added to the logarithm of each weight, each sum is
// the greatest with a probability proportional to its weight.
inline double gumbel(std::mt19937_64& random) {
    const double uniform = (static_cast<double>(random() >> 11) + 0.5) * 0x1.0p-53;
    return -std::log(-std::log(uniform));
}

}  // namespace cpfill::mac
