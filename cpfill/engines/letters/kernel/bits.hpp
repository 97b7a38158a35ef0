// Bitsets as arrays of blocks, padded to whole lines of the cache, so that loops over them run without a tail.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

// One wheel runs on any x86-64 machine and uses AVX2 where there is any: the loader picks the clone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define CPFILL_LETTERS_CLONES __attribute__((target_clones("avx2,popcnt", "default")))
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
constexpr std::size_t kLineBlocks = 8;

struct alignas(kLineBlocks * sizeof(Block)) Line {
    Block blocks[kLineBlocks] = {};
};

// Bitsets of one size, one after another.
class Bitsets {
  public:
    Bitsets() = default;
    Bitsets(std::size_t count, std::size_t bits)
        : lines_a_set_((bits + kBlockBits * kLineBlocks - 1) / (kBlockBits * kLineBlocks)),
          lines_(count * lines_a_set_) {}

    std::size_t blocks() const { return lines_a_set_ * kLineBlocks; }  // of one set
    Block* operator[](std::size_t set) { return lines_[set * lines_a_set_].blocks; }
    const Block* operator[](std::size_t set) const { return lines_[set * lines_a_set_].blocks; }

  private:
    std::size_t lines_a_set_ = 0;
    std::vector<Line> lines_;
};

inline void set_bit(Block* set, std::size_t bit) { set[bit / kBlockBits] |= Block{1} << bit % kBlockBits; }

inline bool test_bit(const Block* set, std::size_t bit) { return set[bit / kBlockBits] >> bit % kBlockBits & 1; }

// The first bit of a set from `from` on, or `end` if there is none before it.
inline std::uint32_t find_bit(const Block* set, std::uint32_t from, std::uint32_t end) {
    if (from >= end) return end;
    std::size_t at = from / kBlockBits;
    Block block = set[at] & ~Block{0} << from % kBlockBits;
    const std::size_t last = (end - 1) / kBlockBits;
    while (!block) {
        if (at == last) return end;
        block = set[++at];
    }
    const auto bit = static_cast<std::uint32_t>(at * kBlockBits + static_cast<std::size_t>(std::countr_zero(block)));
    return bit < end ? bit : end;
}

template <std::size_t kSets, bool kKeep>
CPFILL_LETTERS_INLINE bool intersect(Block* __restrict out, const Block* const* sets, std::size_t blocks) {
    Block any = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        Block common = sets[0][i];
        for (std::size_t set = 1; set < kSets; ++set) common &= sets[set][i];
        if constexpr (kKeep) out[i] = common;
        any |= common;
    }
    return any;
}

constexpr std::size_t kMostSets = 6;

// out = the intersection of 1 to `kMostSets` sets, if there is anything in it; return whether there is. Most often there
// is not, so the first look writes nothing.
CPFILL_LETTERS_INLINE bool intersect(Block* out, const Block* const* sets, std::size_t count, std::size_t blocks) {
    switch (count) {
        case 1: return intersect<1, true>(out, sets, blocks);
        case 2: return intersect<2, false>(out, sets, blocks) && intersect<2, true>(out, sets, blocks);
        case 3: return intersect<3, false>(out, sets, blocks) && intersect<3, true>(out, sets, blocks);
        case 4: return intersect<4, false>(out, sets, blocks) && intersect<4, true>(out, sets, blocks);
        case 5: return intersect<5, false>(out, sets, blocks) && intersect<5, true>(out, sets, blocks);
        default: return intersect<6, false>(out, sets, blocks) && intersect<6, true>(out, sets, blocks);
    }
}

}  // namespace cpfill::letters
