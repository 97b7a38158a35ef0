// Bitsets as arrays of blocks, padded to whole vectors so that loops run without a tail; words as rows of letters.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "../../toolkit/kernel/bits.hpp"

namespace cpfill::mac {

constexpr int kVectorBlocks = 4;
#if defined(__GNUC__)
typedef Block Vector __attribute__((vector_size(kVectorBlocks * sizeof(Block))));  // as GCC and Clang know them
#else
struct Vector {
    Block blocks[kVectorBlocks];
    Block operator[](int i) const { return blocks[i]; }
    Vector& operator|=(const Vector& other) {
        for (int i = 0; i < kVectorBlocks; ++i) blocks[i] |= other.blocks[i];
        return *this;
    }
    Vector& operator&=(const Vector& other) {
        for (int i = 0; i < kVectorBlocks; ++i) blocks[i] &= other.blocks[i];
        return *this;
    }
    Vector operator~() const {
        Vector not_in = *this;
        for (Block& block : not_in.blocks) block = ~block;
        return not_in;
    }
};
#endif

constexpr int blocks_for(int bits) {
    const int blocks = (bits + kBlockBits - 1) / kBlockBits;
    return (blocks + kVectorBlocks - 1) / kVectorBlocks * kVectorBlocks;
}

inline void load(Vector& vector, const Block* from) { std::memcpy(&vector, from, sizeof vector); }
inline bool any(const Vector& vector) { return (vector[0] | vector[1] | vector[2] | vector[3]) != 0; }

inline bool test(const Block* set, int bit) { return set[bit / kBlockBits] >> (bit % kBlockBits) & 1; }
inline void set_bit(Block* set, int bit) { set[bit / kBlockBits] |= Block{1} << (bit % kBlockBits); }
inline void clear_bit(Block* set, int bit) { set[bit / kBlockBits] &= ~(Block{1} << (bit % kBlockBits)); }

// Whether a set has the word that the result is called with.
inline auto has(const Block* set) {
    return [set](std::uint32_t word) { return test(set, static_cast<int>(word)); };
}

// A word passes if at least one of the sets contains it (`keeps`), or else if none does.
struct Sieve {
    const Block* const* begin;
    const Block* const* end;
    bool keeps;  // one of them is
};

// Write to `out`, which may be `in`, the words of `in` that pass all sieves, and return their number. It takes one pass
// over all sets and skips empty blocks, because memory access dominates.
CPFILL_AVX2_CLONES inline int sift(Block* out, const Block* in, const Sieve* begin, const Sieve* end, int blocks) {
    int total = 0;
    for (int i = 0; i < blocks; i += kVectorBlocks) {
        Vector left;
        load(left, in + i);
        if (any(left)) {
            for (const Sieve* sieve = begin; sieve != end; ++sieve) {
                Vector in_one = {};
                for (const Block* const* set = sieve->begin; set != sieve->end; ++set) {
                    Vector more;
                    load(more, *set + i);
                    in_one |= more;
                }
                left &= sieve->keeps ? in_one : ~in_one;
            }
            for (int j = 0; j < kVectorBlocks; ++j) total += std::popcount(left[j]);
        }
        std::memcpy(out + i, &left, sizeof left);
    }
    return total;
}

CPFILL_AVX2_CLONES inline int count(const Block* set, int blocks) {
    int total = 0;
    for (int i = 0; i < blocks; ++i) total += std::popcount(set[i]);
    return total;
}

CPFILL_AVX2_CLONES inline int count_common(const Block* one, const Block* other, int blocks) {
    int total = 0;
    for (int i = 0; i < blocks; ++i) total += std::popcount(one[i] & other[i]);
    return total;
}

// The first block, looking from `start` and round, in which the two have a bit in common; -1 if they are disjoint.
inline int common_block(const Block* one, const Block* other, int blocks, int start) {
    if (one[start] & other[start]) return start;
    for (int i = 0; i < blocks; i += kVectorBlocks) {
        Vector common, more;
        load(common, one + i);
        load(more, other + i);
        common &= more;
        if (!any(common)) continue;
        for (int j = i;; ++j)
            if (one[j] & other[j]) return j;
    }
    return -1;
}

// Words copied together are rows of letter codes, whose stride is a multiple of this.
constexpr int kRowGroup = 8;

// A row may be copied onto itself.
inline void copy_row(std::uint8_t* to, const std::uint8_t* from, int stride) {
    for (int i = 0; i < stride; i += kRowGroup) std::memmove(to + i, from + i, kRowGroup);
}

template <typename Set>
inline void unite_columns(const std::uint8_t* rows, int count, int stride, std::uint64_t* found) {
    for (int group = 0; group < stride; group += kRowGroup) {
        Set sets[kRowGroup] = {};
        const std::uint8_t* row = rows + group;
        for (int i = 0; i < count; ++i, row += stride)
            for (int j = 0; j < kRowGroup; ++j) sets[j] |= Set{1} << row[j];
        std::copy(sets, sets + kRowGroup, found + group);
    }
}

// For each column of some rows, the set of the letters there. Sets of few letters take half as long.
CPFILL_AVX2_CLONES inline void unite_rows(const std::uint8_t* rows, int count, int stride, int letters,
                                          std::uint64_t* found) {
    if (letters <= 32)
        unite_columns<std::uint32_t>(rows, count, stride, found);
    else
        unite_columns<std::uint64_t>(rows, count, stride, found);
}

}  // namespace cpfill::mac
