// What does not change during a search: words, their index, slots and the cells where they cross.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bits.hpp"

namespace cpfill {

using Letters = std::uint64_t;  // a set of letter codes

// The words of one length. Word w has its letters at codes[w * stride]; the mask of (position, letter) is the bitset of
// the words that have that letter there.
struct Table {
    int length;
    int words;
    int letters;
    int stride;
    int blocks;
    std::vector<std::uint8_t> codes;
    std::vector<Block> masks;

    Table(int length, int letters, std::string_view packed)
        : length(length),
          words(length ? static_cast<int>(packed.size()) / length : 0),
          letters(letters),
          stride((length + 7) / 8 * 8),
          blocks(blocks_for(words)),
          codes(static_cast<std::size_t>(words) * stride),
          masks(static_cast<std::size_t>(length) * letters * blocks) {
        for (int word = 0; word < words; ++word) {
            for (int pos = 0; pos < length; ++pos) {
                const auto code = static_cast<std::uint8_t>(packed[static_cast<std::size_t>(word) * length + pos]);
                codes[static_cast<std::size_t>(word) * stride + pos] = code;
                set_bit(&masks[offset(pos, code)], word);
            }
        }
    }

    std::size_t offset(int pos, int letter) const {
        return (static_cast<std::size_t>(pos) * letters + letter) * blocks;
    }
    const Block* mask(int pos, int letter) const { return &masks[offset(pos, letter)]; }
    const std::uint8_t* spelled(int word) const { return &codes[static_cast<std::size_t>(word) * stride]; }
};

// A crossing as one of its slots sees it.
struct Crossing {
    int pos;
    int cell;
    int other;      // the crossing slot
    int other_at;   // the place of this crossing in the other slot's list
};

struct Slot {
    int table;
    std::vector<Crossing> crossings;
    std::vector<int> peers;  // slots that may not hold the same word
};

// A cell where two slots cross: for each of them the slot and the place in its list of crossings.
struct Cell {
    int slot[2];
    int at[2];
};

struct Model {
    int letters;
    std::vector<Table> tables;
    std::vector<Slot> slots;
    std::vector<Cell> cells;

    const Table& table(int slot) const { return tables[slots[slot].table]; }
    Letters full() const { return letters == 64 ? ~Letters{0} : (Letters{1} << letters) - 1; }
};

}  // namespace cpfill
