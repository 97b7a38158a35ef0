// Bitsets as arrays of blocks, padded to whole vectors so that loops run without a tail.
#pragma once

#include <bit>
#include <cstdint>

// One wheel runs on any x86-64 machine and uses AVX2 where there is any: the loader picks the clone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define CPFILL_CLONES __attribute__((target_clones("avx2,popcnt", "default")))
#else
#define CPFILL_CLONES
#endif

namespace cpfill {

using Block = std::uint64_t;
constexpr int kBlockBits = 64;
constexpr int kVectorBlocks = 4;

constexpr int blocks_for(int bits) {
    const int blocks = (bits + kBlockBits - 1) / kBlockBits;
    return (blocks + kVectorBlocks - 1) / kVectorBlocks * kVectorBlocks;
}

inline bool test(const Block* set, int bit) { return set[bit / kBlockBits] >> (bit % kBlockBits) & 1; }
inline void set_bit(Block* set, int bit) { set[bit / kBlockBits] |= Block{1} << (bit % kBlockBits); }
inline void clear_bit(Block* set, int bit) { set[bit / kBlockBits] &= ~(Block{1} << (bit % kBlockBits)); }

// set &= ~gone
CPFILL_CLONES inline void remove(Block* __restrict set, const Block* __restrict gone, int blocks) {
    for (int i = 0; i < blocks; ++i) set[i] &= ~gone[i];
}

// set &= ~(gone | also)
CPFILL_CLONES inline void remove2(Block* __restrict set, const Block* __restrict gone, const Block* __restrict also,
                                  int blocks) {
    for (int i = 0; i < blocks; ++i) set[i] &= ~(gone[i] | also[i]);
}

// set |= more
CPFILL_CLONES inline void unite(Block* __restrict set, const Block* __restrict more, int blocks) {
    for (int i = 0; i < blocks; ++i) set[i] |= more[i];
}

// set &= kept
CPFILL_CLONES inline void intersect(Block* __restrict set, const Block* __restrict kept, int blocks) {
    for (int i = 0; i < blocks; ++i) set[i] &= kept[i];
}

CPFILL_CLONES inline int count(const Block* set, int blocks) {
    int total = 0;
    for (int i = 0; i < blocks; ++i) total += std::popcount(set[i]);
    return total;
}

CPFILL_CLONES inline int count_common(const Block* one, const Block* other, int blocks) {
    int total = 0;
    for (int i = 0; i < blocks; ++i) total += std::popcount(one[i] & other[i]);
    return total;
}

// The first block, looking from `start` and round, in which the two have a bit in common; -1 if they are disjoint.
inline int common_block(const Block* one, const Block* other, int blocks, int start) {
    if (one[start] & other[start]) return start;
    for (int i = 0; i < blocks; i += kVectorBlocks) {
        const Block any = (one[i] & other[i]) | (one[i + 1] & other[i + 1]) | (one[i + 2] & other[i + 2]) |
                          (one[i + 3] & other[i + 3]);
        if (!any) continue;
        for (int j = i;; ++j)
            if (one[j] & other[j]) return j;
    }
    return -1;
}

}  // namespace cpfill
