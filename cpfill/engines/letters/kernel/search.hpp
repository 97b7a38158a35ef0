// Letter by letter (Rémy): the letters of a cell are those that follow in the tries of both its words.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ledger.hpp"
#include "trie.hpp"

// One wheel runs on any x86-64 machine and counts bits in hardware where it can: the loader picks the clone.
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

// A slot: its table, the root of its trie, and its cells in rising order.
struct Slot {
    std::size_t table;
    NodeId root;
    std::vector<int> cells;
};

class Search {
  public:
    // Cells are numbered as they are visited. `singles` has, a table, the bitset of the words that stand in one slot
    // at most. Each cell is in one slot or two.
    Search(int cells, const std::vector<Slot>& slots, Forest forest, Ledger ledger, std::vector<std::string> singles)
        : forest_(std::move(forest)), ledger_(std::move(ledger)), singles_(std::move(singles)), cells_(cells),
          nodes_at_(2 * cells + 1, Forest::kAny), left_(cells), text_(cells, '\0'), words_(slots.size()) {
        const auto spare = static_cast<std::uint32_t>(2 * cells);  // where nobody looks
        for (Cell& cell : cells_) cell.next[0] = cell.next[1] = spare;
        std::vector<int> lanes(cells, 0);  // how many slots a cell was found to be in
        for (std::size_t slot = 0; slot < slots.size(); ++slot) {
            tables_.push_back(slots[slot].table);
            int before = -1, before_lane = 0;
            for (const int cell : slots[slot].cells) {
                const int lane = lanes[cell]++;
                const auto index = static_cast<std::uint32_t>(2 * cell + lane);
                if (before < 0)
                    nodes_at_[index] = slots[slot].root;
                else
                    cells_[before].next[before_lane] = index;
                before = cell;
                before_lane = lane;
            }
            cells_[before].ends[before_lane] = static_cast<int>(slot);
        }
        list_earlier(slots);
        ruled_ = ledger_.active();
    }

    // Begin below a beginning of the text, and report texts of `depth` letters. The counters begin anew. False if the
    // beginning breaks a rule.
    bool start(std::string_view prefix, int depth, bool keep) {
        clear();
        depth_ = depth;
        keep_ = keep;
        exhausted_ = true;
        if (!ledger_.feasible()) return false;
        for (const char letter : prefix) {
            if (!(open() >> letter & 1) || !put(Letters{1} << letter)) return false;
            ++at_;
        }
        base_ = at_;
        if (base_ == depth_) return false;  // there is nothing below
        left_[at_] = open();
        exhausted_ = false;
        return true;
    }

    // Search for `seconds` at most, until `nodes` letters were put or `fills` texts found since the start. Return
    // whether all was searched.
    bool step(double seconds, std::uint64_t nodes, std::uint64_t fills) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (!exhausted_ && nodes_ < nodes && fills_ < fills) {
            const std::uint64_t turn = std::min(nodes, nodes_ + kNodesBetweenLooks);
            if (ruled_)
                run_ruled(turn, fills);
            else
                run_plain(turn, fills);
            if (std::chrono::steady_clock::now() >= end) break;
        }
        return exhausted_;
    }

    std::string take() { return std::exchange(found_, {}); }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t fills() const { return fills_; }
    int cells() const { return static_cast<int>(cells_.size()); }

  private:
    static constexpr std::uint64_t kNodesBetweenLooks = 4096;

    struct Cell {
        std::uint32_t next[2];    // where the node below goes, in each direction
        int ends[2] = {-1, -1};   // the slots whose last cell this is
        bool ends_any() const { return (ends[0] & ends[1]) >= 0; }
    };

    // For each slot, the slots of its length whose words are complete when its own is.
    void list_earlier(const std::vector<Slot>& slots) {
        std::vector<std::size_t> complete;
        earlier_.resize(slots.size());
        for (const Cell& cell : cells_) {
            for (const int slot : cell.ends) {
                if (slot < 0) continue;
                for (const std::size_t other : complete) {
                    const bool any = singles_[tables_[slot]].find_first_not_of('\0') != std::string::npos;
                    if (any && tables_[other] == tables_[slot]) earlier_[slot].push_back(other);
                }
                complete.push_back(static_cast<std::size_t>(slot));
            }
        }
    }

    void clear() {
        for (; at_ > 0; --at_) release(at_ - 1);
        base_ = 0;
        nodes_ = fills_ = 0;
        found_.clear();
    }

    Letters open() const {
        const Node* const trie = forest_.nodes();
        return trie[nodes_at_[2 * at_]].letters & trie[nodes_at_[2 * at_ + 1]].letters;
    }

    // Put a letter into the cell; false if a word that it completes breaks a rule.
    bool put(Letters letter) { return ruled_ ? put<true>(letter) : put<false>(letter); }

    template <bool kRuled>
    CPFILL_LETTERS_INLINE bool put(Letters letter) {
        const Node* const trie = forest_.nodes();
        const Cell& cell = cells_[at_];
        const NodeId below[2] = {trie[nodes_at_[2 * at_]].child(letter), trie[nodes_at_[2 * at_ + 1]].child(letter)};
        if (cell.ends_any() && !complete<kRuled>(cell, below)) return false;
        nodes_at_[cell.next[0]] = below[0];
        nodes_at_[cell.next[1]] = below[1];
        text_[at_] = static_cast<char>(std::countr_zero(letter));
        return true;
    }

    template <bool kRuled>
    bool complete(const Cell& cell, const NodeId (&leaves)[2]) {
        for (int lane = 0; lane < 2; ++lane) {
            const int slot = cell.ends[lane];
            if (slot < 0) continue;
            const std::uint32_t word = forest_.word(leaves[lane]);
            bool fits = true;
            for (const std::size_t other : earlier_[slot]) {
                fits = fits && (words_[other] != word || !has_bit(singles_[tables_[slot]], word));
            }
            if constexpr (kRuled) fits = fits && ledger_.enter(tables_[slot], word);
            if (!fits) {
                if constexpr (kRuled) {
                    if (lane && cell.ends[0] >= 0) ledger_.leave(tables_[cell.ends[0]], words_[cell.ends[0]]);
                }
                return false;
            }
            words_[slot] = word;
        }
        return true;
    }

    // Take back the words that a letter completed.
    void release(int at) {
        if (!ruled_) return;
        for (const int slot : cells_[at].ends) {
            if (slot >= 0) ledger_.leave(tables_[slot], words_[slot]);
        }
    }

    CPFILL_LETTERS_CLONES void run_plain(std::uint64_t nodes, std::uint64_t fills) { run<false>(nodes, fills); }
    CPFILL_LETTERS_CLONES void run_ruled(std::uint64_t nodes, std::uint64_t fills) { run<true>(nodes, fills); }

    template <bool kRuled>
    CPFILL_LETTERS_INLINE void run(std::uint64_t nodes, std::uint64_t fills) {
        for (;;) {
            while (!left_[at_]) {
                if (at_ == base_) {
                    exhausted_ = true;
                    return;
                }
                --at_;
                if constexpr (kRuled) release(at_);
            }
            if (nodes_ == nodes) return;
            ++nodes_;
            const Letters letter = left_[at_] & -left_[at_];
            left_[at_] ^= letter;
            if (!put<kRuled>(letter)) continue;
            if (at_ + 1 < depth_) {
                ++at_;
                left_[at_] = open();
                continue;
            }
            if (keep_) found_.append(text_, 0, static_cast<std::size_t>(depth_));
            if constexpr (kRuled) release(at_);
            if (++fills_ == fills) return;
        }
    }

    Forest forest_;
    Ledger ledger_;
    std::vector<std::string> singles_;
    std::vector<Cell> cells_;
    std::vector<NodeId> nodes_at_;  // for each cell and direction, the node that its letters come from
    std::vector<Letters> left_;     // for each cell, the letters not tried yet
    std::string text_;              // the letter codes of the cells
    std::vector<std::uint32_t> words_;
    std::vector<std::size_t> tables_;  // of the slots
    std::vector<std::vector<std::size_t>> earlier_;
    std::string found_;
    bool ruled_ = false;
    bool keep_ = true;
    bool exhausted_ = true;
    int base_ = 0;
    int depth_ = 0;
    int at_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t fills_ = 0;
};

}  // namespace cpfill::letters
