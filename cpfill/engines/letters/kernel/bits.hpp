// Bitsets that have little in them: a mark for each block says whether there is anything in it, so that one goes from a
// block that has something to the next, and most blocks are never read.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

// One wheel runs on any x86-64 machine and counts bits by an instruction where there is one: the loader picks the clone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define CPFILL_LETTERS_CLONES __attribute__((target_clones("popcnt", "default")))
#else
#define CPFILL_LETTERS_CLONES
#endif

// What a clone calls is compiled for its machine only where it is part of it.
#if defined(__GNUC__)
#define CPFILL_LETTERS_INLINE __attribute__((always_inline)) inline
#else
#define CPFILL_LETTERS_INLINE inline
#endif

namespace cpfill::letters {

using Block = std::uint64_t;
constexpr std::size_t kBlockBits = 64;

// Sets of one size, one after another. Each has its marks first, 64 in a block, and then the blocks with what is in it.
// Those without a mark are empty, whatever stands there; in a set that was made bit by bit, nothing does.
class Bitsets {
  public:
    Bitsets() = default;
    Bitsets(std::size_t count, std::size_t bits)
        : marks_(count_blocks(count_blocks(bits))), blocks_a_set_(marks_ + count_blocks(bits)),
          blocks_(count * blocks_a_set_) {}

    std::size_t marks() const { return marks_; }          // how many blocks of a set they take
    std::size_t blocks() const { return blocks_a_set_; }  // of a set, those included
    Block* operator[](std::size_t set) { return blocks_.data() + set * blocks_a_set_; }
    const Block* operator[](std::size_t set) const { return blocks_.data() + set * blocks_a_set_; }

    void add(std::size_t set, std::size_t bit) {
        const std::size_t at = bit / kBlockBits;
        (*this)[set][at / kBlockBits] |= Block{1} << at % kBlockBits;
        (*this)[set][marks_ + at] |= Block{1} << bit % kBlockBits;
    }

  private:
    static std::size_t count_blocks(std::size_t bits) { return (bits + kBlockBits - 1) / kBlockBits; }

    std::size_t marks_ = 0;
    std::size_t blocks_a_set_ = 0;
    std::vector<Block> blocks_;
};

// The first bit of a set from `from` on, or `end` if there is none before it.
CPFILL_LETTERS_INLINE std::uint32_t find_bit(const Block* set, std::size_t marks, std::uint32_t from,
                                             std::uint32_t end) {
    if (from >= end) return end;
    std::size_t at = from / kBlockBits;  // a block, and then of the blocks that have a mark the first from there on
    Block cut = ~Block{0} << from % kBlockBits;
    for (std::size_t i = at / kBlockBits; i < marks; ++i) {
        Block marked = set[i];
        if (i == at / kBlockBits) marked &= ~Block{0} << at % kBlockBits;
        for (; marked; marked &= marked - 1) {
            const std::size_t next = i * kBlockBits + static_cast<std::size_t>(std::countr_zero(marked));
            const Block block = next == at ? set[marks + next] & cut : set[marks + next];
            if (!block) continue;
            const auto bit = next * kBlockBits + static_cast<std::size_t>(std::countr_zero(block));
            return bit < end ? static_cast<std::uint32_t>(bit) : end;
        }
    }
    return end;
}

template <std::size_t kSets>
CPFILL_LETTERS_INLINE bool intersect(Block* out, const Block* const* sets, std::size_t marks) {
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

constexpr std::size_t kMostSets = 6;

// out = the intersection of 1 to `kMostSets` sets; return whether there is anything in it.
CPFILL_LETTERS_INLINE bool intersect(Block* out, const Block* const* sets, std::size_t count, std::size_t marks) {
    switch (count) {
        case 1: return intersect<1>(out, sets, marks);
        case 2: return intersect<2>(out, sets, marks);
        case 3: return intersect<3>(out, sets, marks);
        case 4: return intersect<4>(out, sets, marks);
        case 5: return intersect<5>(out, sets, marks);
        default: return intersect<6>(out, sets, marks);
    }
}

}  // namespace cpfill::letters
