// The data that a search changes and restores: the domains of the slots and the letters of the cells, with one trail.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "model.hpp"

namespace cpfill::mac {

// Stack-like memory: allocated from the front, and released back to a mark.
class Arena {
  public:
    struct Mark {
        std::size_t chunk = 0;
        std::size_t used = 0;
    };

    void* take(std::size_t bytes) {
        bytes = (bytes + 31) / 32 * 32;
        while (true) {
            if (mark_.chunk == chunks_.size()) {
                const std::size_t size = std::max(bytes, kChunk);
                chunks_.push_back({std::make_unique<std::byte[]>(size), size});
            }
            Chunk& chunk = chunks_[mark_.chunk];
            if (mark_.used + bytes <= chunk.size) {
                void* given = chunk.memory.get() + mark_.used;
                mark_.used += bytes;
                return given;
            }
            ++mark_.chunk;
            mark_.used = 0;
        }
    }
    Mark mark() const { return mark_; }
    void release(Mark mark) { mark_ = mark; }

  private:
    static constexpr std::size_t kChunk = std::size_t{1} << 20;
    struct Chunk {
        std::unique_ptr<std::byte[]> memory;
        std::size_t size;
    };
    std::vector<Chunk> chunks_;
    Mark mark_;
};

constexpr std::array<std::int64_t, kBudgets> kUncapped = [] {
    std::array<std::int64_t, kBudgets> caps{};
    caps.fill(kNoCap);
    return caps;
}();

// The words that a slot may still have: a bitset while there are many, then a list. The letters of listed words are
// copied together, because in the index they are scattered over more memory than the caches hold. Each change gives a
// new `version`; backtracking restores it with the domain, so that results computed from the domain can be reused.
struct Domain {
    Block* bits = nullptr;
    std::uint32_t* ids = nullptr;
    std::uint8_t* rows = nullptr;  // of a list: the letters of its words
    int size = 0;
    int level = 0;  // the level at which this copy was made
    std::uint64_t version = 0;
    std::array<std::int64_t, kBudgets> cap = kUncapped;  // words that cost more are gone

    bool is_list() const { return bits == nullptr; }
    std::uint8_t* row(int place, int stride) const { return rows + static_cast<std::size_t>(place) * stride; }
};

// The greatest size of a list, given the number of blocks that the bitset would have.
constexpr int list_limit(int blocks) { return std::min(512, std::max(48, 2 * blocks)); }

class State {
  public:
    explicit State(const Model& model)
        : model_(model),
          domains_(model.slots.size()),
          cells_(model.cells.size(), model.full()),
          cell_level_(model.cells.size(), 0) {}

    const Domain& domain(int slot) const { return domains_[slot]; }
    Letters letters(int cell) const { return cells_[cell]; }
    bool decided(int cell) const { return (cells_[cell] & (cells_[cell] - 1)) == 0; }
    int level() const { return static_cast<int>(marks_.size()); }

    bool contains(int slot, int word) const {
        const Domain& d = domains_[slot];
        if (!d.is_list()) return word < model_.blocks(slot) * kBlockBits && test(d.bits, word);
        return std::find(d.ids, d.ids + d.size, static_cast<std::uint32_t>(word)) != d.ids + d.size;
    }
    // The only word of a domain of size 1.
    int word(int slot) const {
        const Domain& d = domains_[slot];
        assert(d.size == 1);
        if (d.is_list()) return static_cast<int>(d.ids[0]);
        int i = 0;
        while (!d.bits[i]) ++i;
        return i * kBlockBits + std::countr_zero(d.bits[i]);
    }

    // The number of the words of a domain that a set has.
    int count_in(int slot, const Block* set) const {
        const Domain& d = domains_[slot];
        if (!d.is_list()) return count_common(d.bits, set, model_.blocks(slot));
        return static_cast<int>(std::count_if(d.ids, d.ids + d.size, has(set)));
    }
    // A word of a domain that a set has, or -1.
    int find_in(int slot, const Block* set) const {
        const Domain& d = domains_[slot];
        if (d.is_list()) {
            const std::uint32_t* found = std::find_if(d.ids, d.ids + d.size, has(set));
            return found == d.ids + d.size ? -1 : static_cast<int>(*found);
        }
        const int block = model_.blocks(slot) ? common_block(d.bits, set, model_.blocks(slot), 0) : -1;
        return block < 0 ? -1 : block * kBlockBits + std::countr_zero(d.bits[block] & set[block]);
    }
    // Whether a set has all words of a domain.
    bool is_within(int slot, const Block* set) const {
        const Domain& d = domains_[slot];
        if (d.is_list()) return std::all_of(d.ids, d.ids + d.size, has(set));
        for (int i = 0; i < model_.blocks(slot); ++i)
            if (d.bits[i] & ~set[i]) return false;
        return true;
    }
    // The version of the last change of a domain.
    std::uint64_t versions() const { return versions_; }

    // Calls `visit(word, letters)` for every word of a domain.
    template <typename Visit>
    void for_words(int slot, Visit visit) const {
        const Domain& d = domains_[slot];
        const Table& table = model_.table(slot);
        if (d.is_list()) {
            for (int i = 0; i < d.size; ++i) visit(static_cast<int>(d.ids[i]), d.row(i, table.stride));
            return;
        }
        for_bits(d.bits, model_.blocks(slot), [&](int word) { visit(word, table.spelled(word)); });
    }

    // Set a domain at level 0, before the search.
    void start(int slot, const Block* bits) {
        const int blocks = model_.blocks(slot);
        Domain& d = domains_[slot];
        d.bits = static_cast<Block*>(arena_.take(sizeof(Block) * blocks));
        std::copy(bits, bits + blocks, d.bits);
        d.size = count(d.bits, blocks);
        d.version = ++versions_;
    }

    // Keep the words of a list for which `fits(word, letters)` holds.
    template <typename Fits>
    void keep_if(int slot, Fits fits) {
        const Domain old = domains_[slot];
        const int stride = model_.table(slot).stride;
        Domain& d = renew(slot);
        if (!d.ids) take_list(slot, old.size);
        assert(old.ids && d.ids && d.rows);
        int kept = 0;
        for (int i = 0; i < old.size; ++i) {
            const bool fit = fits(old.ids[i], old.row(i, stride));
            d.ids[kept] = old.ids[i];
            copy_row(d.row(kept, stride), old.row(i, stride), stride);
            kept += fit;
        }
        if (kept != old.size) resized(slot, kept);
    }
    // Keep the words of a bitset that pass all sieves.
    void sift(int slot, const Sieve* begin, const Sieve* end) {
        const Domain old = domains_[slot];
        Domain& d = renew(slot);
        if (!d.bits) take_bits(slot);
        const int kept = mac::sift(d.bits, old.bits, begin, end, model_.blocks(slot));
        if (kept != old.size) resized(slot, kept);
    }
    void assign(int slot, int word) {
        renew(slot).bits = nullptr;
        take_list(slot, 1);
        append(slot, 0, word);
        resized(slot, 1);
    }
    // Keep the words that cost at most `cap`; words that cost more than the last cap are already gone.
    template <typename Prices>
    void cap(int slot, int budget, const Prices& prices, std::int64_t cap) {
        if (domains_[slot].is_list()) {
            keep_if(slot, [&](std::uint32_t word, const std::uint8_t*) { return prices.cost(slot, word) <= cap; });
            domains_[slot].cap[budget] = cap;
            return;
        }
        Domain& d = copy_bits(slot);
        const std::vector<std::uint32_t>& order = prices.order(slot);
        const auto dearer = [&](std::int64_t limit, std::uint32_t word) { return limit < prices.cost(slot, word); };
        const auto first = std::upper_bound(order.begin(), order.end(), cap, dearer);
        const auto last = std::upper_bound(first, order.end(), d.cap[budget], dearer);
        int size = d.size;
        for (auto word = first; word != last; ++word) {
            if (!contains(slot, static_cast<int>(*word))) continue;
            --size;
            clear_bit(d.bits, static_cast<int>(*word));
        }
        d.cap[budget] = cap;
        if (size != d.size) resized(slot, size);
    }
    // What words cost has changed, before the search.
    void uncap(int budget) {
        for (Domain& d : domains_) d.cap[budget] = kNoCap;
    }
    // What the words of a slot cost has changed, at this level.
    void uncap(int slot, int budget) {
        if (domains_[slot].cap[budget] == kNoCap) return;
        if (domains_[slot].level < level()) {
            if (domains_[slot].is_list())
                keep_if(slot, [](std::uint32_t, const std::uint8_t*) { return true; });
            else
                copy_bits(slot);
        }
        domains_[slot].cap[budget] = kNoCap;
    }
    // Take words away; false if the slot has none of them.
    bool remove_words(int slot, const Block* gone) {
        const Domain& d = domains_[slot];
        if (d.is_list()) {
            if (std::none_of(d.ids, d.ids + d.size, has(gone))) return false;
            keep_if(slot,
                    [gone](std::uint32_t word, const std::uint8_t*) { return !test(gone, static_cast<int>(word)); });
        } else {
            if (!count_common(d.bits, gone, model_.blocks(slot))) return false;
            const Sieve sieve{&gone, &gone + 1, false};
            sift(slot, &sieve, &sieve + 1);
        }
        return true;
    }
    void remove_word(int slot, int word) {
        if (domains_[slot].is_list()) {
            keep_if(slot, [word](std::uint32_t other, const std::uint8_t*) { return static_cast<int>(other) != word; });
            return;
        }
        Domain& d = copy_bits(slot);
        clear_bit(d.bits, word);
        resized(slot, d.size - 1);
    }
    void restrict_cell(int cell, Letters letters) {
        if (cell_level_[cell] < level()) {
            cell_trail_.push_back({cell, cell_level_[cell], cells_[cell]});
            cell_level_[cell] = level();
        }
        cells_[cell] = letters;
    }

    void push() { marks_.push_back({slot_trail_.size(), cell_trail_.size(), arena_.mark()}); }
    void pop() {
        const Level mark = marks_.back();
        for (; slot_trail_.size() > mark.slots; slot_trail_.pop_back())
            domains_[slot_trail_.back().slot] = slot_trail_.back().before;
        for (; cell_trail_.size() > mark.cells; cell_trail_.pop_back()) {
            cells_[cell_trail_.back().cell] = cell_trail_.back().before;
            cell_level_[cell_trail_.back().cell] = cell_trail_.back().level;
        }
        arena_.release(mark.arena);
        marks_.pop_back();
    }

  private:
    template <typename Visit>
    static void for_bits(const Block* bits, int blocks, Visit visit) {
        for (int i = 0; i < blocks; ++i)
            for (Block b = bits[i]; b; b &= b - 1) visit(i * kBlockBits + std::countr_zero(b));
    }

    // A domain to change. If it belongs to an earlier level, save it on the trail and give up the memory of its words,
    // which the saved copy keeps.
    Domain& renew(int slot) {
        Domain& d = domains_[slot];
        if (d.level < level()) {
            slot_trail_.push_back({slot, d});
            d.bits = nullptr;
            d.ids = nullptr;
            d.level = level();
        }
        return d;
    }
    // A bitset to change.
    Domain& copy_bits(int slot) {
        const Block* old = domains_[slot].bits;
        Domain& d = renew(slot);
        if (!d.bits) {
            take_bits(slot);
            std::copy(old, old + model_.blocks(slot), d.bits);
        }
        assert(d.bits);
        return d;
    }
    void take_bits(int slot) {
        domains_[slot].bits = static_cast<Block*>(arena_.take(sizeof(Block) * model_.blocks(slot)));
    }
    void take_list(int slot, int size) {
        Domain& d = domains_[slot];
        d.ids = static_cast<std::uint32_t*>(arena_.take(sizeof(std::uint32_t) * size));
        d.rows = static_cast<std::uint8_t*>(arena_.take(static_cast<std::size_t>(model_.table(slot).stride) * size));
    }
    void append(int slot, int place, int word) {
        const Table& table = model_.table(slot);
        domains_[slot].ids[place] = static_cast<std::uint32_t>(word);
        copy_row(domains_[slot].row(place, table.stride), table.spelled(word), table.stride);
    }
    // Record the new size of a changed domain; a small enough one becomes a list.
    void resized(int slot, int size) {
        Domain& d = domains_[slot];
        d.size = size;
        d.version = ++versions_;
        const int blocks = model_.blocks(slot);
        if (d.is_list() || size > list_limit(blocks)) return;
        const Block* bits = std::exchange(d.bits, nullptr);
        take_list(slot, size);
        int place = 0;
        for_bits(bits, blocks, [&](int word) { append(slot, place++, word); });
    }

    struct SlotChange {
        int slot;
        Domain before;
    };
    struct CellChange {
        int cell;
        int level;
        Letters before;
    };
    struct Level {
        std::size_t slots;
        std::size_t cells;
        Arena::Mark arena;
    };
    const Model& model_;
    std::vector<Domain> domains_;
    std::vector<Letters> cells_;
    std::vector<int> cell_level_;
    std::vector<SlotChange> slot_trail_;
    std::vector<CellChange> cell_trail_;
    std::vector<Level> marks_;
    Arena arena_;
    std::uint64_t versions_ = 0;
};

}  // namespace cpfill::mac
