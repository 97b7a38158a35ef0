// Sparse bitsets: a mark per block says whether the block is not empty. Loops go from one such block to the next, so
// most blocks are never read.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../toolkit/kernel/bits.hpp"

namespace cpfill::letters {

// Sets of one size, one after another. Each has first its marks, 64 per block, and then its blocks. A block without a
// mark counts as empty, whatever it contains; in a set that was made bit by bit, it is zero.
class Bitsets {
  public:
    Bitsets() = default;
    Bitsets(std::size_t count, std::size_t bits)
        : marks_(count_blocks(count_blocks(bits))),
          blocks_a_set_(marks_ + count_blocks(bits)),
          blocks_(count * blocks_a_set_) {}

    std::size_t marks() const { return marks_; }          // the number of blocks for the marks of a set
    std::size_t blocks() const { return blocks_a_set_; }  // of a set, including its marks
    Block* operator[](std::size_t set) { return blocks_.data() + set * blocks_a_set_; }
    const Block* operator[](std::size_t set) const { return blocks_.data() + set * blocks_a_set_; }

    void add(std::size_t set, std::size_t bit) {
        const std::size_t at = bit / kBlockBits;
        (*this)[set][at / kBlockBits] |= Block{1} << at % kBlockBits;
        (*this)[set][marks_ + at] |= Block{1} << bit % kBlockBits;
    }

    // Copy a set of equal size from elsewhere into one of these.
    void copy(std::size_t to, const Block* from) {
        Block* const set = (*this)[to];
        for (std::size_t i = 0; i < marks_; ++i) {
            set[i] = from[i];
            for (Block marked = from[i]; marked; marked &= marked - 1) {
                const std::size_t at = marks_ + i * kBlockBits + static_cast<std::size_t>(std::countr_zero(marked));
                set[at] = from[at];
            }
        }
    }

  private:
    static std::size_t count_blocks(std::size_t bits) { return (bits + kBlockBits - 1) / kBlockBits; }

    std::size_t marks_ = 0;
    std::size_t blocks_a_set_ = 0;
    std::vector<Block> blocks_;
};

// List at most `most` bits of a set in [from, end); return their number, and where to continue.
CPFILL_INLINE std::pair<std::size_t, std::uint32_t> list_bits(const Block* set, std::size_t marks, std::uint32_t from,
                                                              std::uint32_t end, std::uint32_t* bits,
                                                              std::size_t most) {
    std::size_t count = 0;
    if (from >= end) return {count, end};
    const std::size_t first = from / kBlockBits;
    for (std::size_t i = first / kBlockBits; i < marks; ++i) {
        Block marked = set[i];
        if (i == first / kBlockBits) marked &= ~Block{0} << first % kBlockBits;
        for (; marked; marked &= marked - 1) {
            const std::size_t at = i * kBlockBits + static_cast<std::size_t>(std::countr_zero(marked));
            Block block = set[marks + at];
            if (at == first) block &= ~Block{0} << from % kBlockBits;
            for (; block; block &= block - 1) {
                const std::size_t found = at * kBlockBits + static_cast<std::size_t>(std::countr_zero(block));
                const auto bit = static_cast<std::uint32_t>(found);
                if (bit >= end) return {count, end};
                if (count == most) return {count, bit};
                bits[count++] = bit;
            }
        }
    }
    return {count, end};
}

template <std::size_t kSets>
CPFILL_INLINE bool intersect(Block* out, const Block* const* sets, std::size_t marks) {
    Block any = 0;
    for (std::size_t i = 0; i < marks; ++i) {
        Block marked = sets[0][i];
        for (std::size_t set = 1; set < kSets; ++set) marked &= sets[set][i];
        Block kept = 0;
        for (; marked; marked &= marked - 1) {
            const std::size_t at = marks + i * kBlockBits + static_cast<std::size_t>(std::countr_zero(marked));
            Block common = sets[0][at];
            for (std::size_t set = 1; set < kSets; ++set) common &= sets[set][at];
            if (!common) continue;
            out[at] = common;
            kept |= marked & -marked;
        }
        out[i] = kept;
        any |= kept;
    }
    return any;
}

constexpr std::size_t kMostSets = 9;

// out = the intersection of 1 to `kMostSets` sets; return whether it is not empty.
template <std::size_t kSets = 1>
CPFILL_INLINE bool intersect(Block* out, const Block* const* sets, std::size_t count, std::size_t marks) {
    if constexpr (kSets < kMostSets) {
        if (kSets < count) return intersect<kSets + 1>(out, sets, count, marks);
    }
    return intersect<kSets>(out, sets, marks);
}

}  // namespace cpfill::letters
