// Bitset parts that all kernels share: blocks, and functions that are compiled for several machines.
#pragma once

#include <cstdint>

// One wheel runs on any x86-64 machine and uses its instructions: the loader picks the clone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define CPFILL_AVX2_CLONES __attribute__((target_clones("avx2,popcnt", "default")))
#define CPFILL_POPCNT_CLONES __attribute__((target_clones("popcnt", "default")))
#else
#define CPFILL_AVX2_CLONES
#define CPFILL_POPCNT_CLONES
#endif

// What a clone calls is compiled for its machine only where it is part of it.
#if defined(__GNUC__)
#define CPFILL_INLINE __attribute__((always_inline)) inline
#else
#define CPFILL_INLINE inline
#endif

namespace cpfill {

using Block = std::uint64_t;
constexpr int kBlockBits = 64;

}  // namespace cpfill
