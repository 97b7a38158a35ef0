// The data that a search does not change: words, their index, slots, the cells where they cross, and the other rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "domains.hpp"

namespace cpfill::mac {

using Letters = std::uint64_t;  // a set of letter codes
constexpr int kMaxLetters = 64;

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
          stride((length + kRowGroup - 1) / kRowGroup * kRowGroup),
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

// Lists of values, one after another: vectors in a vector would take 50 bytes more for each.
template <typename Value>
class Lists {
  public:
    // `walk(visit)` calls `visit(list, value)` for each value, twice alike.
    template <typename Walk>
    Lists(std::size_t lists, const Walk& walk) : ends_(lists) {
        walk([this](std::size_t list, const Value&) { ++ends_[list]; });
        values_.resize(std::reduce(ends_.begin(), ends_.end()));
        std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), 0U);  // where each starts, and then ends
        walk([this](std::size_t list, const Value& value) { values_[ends_[list]++] = value; });
    }
    std::span<const Value> operator[](std::size_t at) const {
        const std::size_t start = at ? ends_[at - 1] : 0;
        return std::span(values_).subspan(start, ends_[at] - start);
    }

  private:
    std::vector<std::uint32_t> ends_;
    std::vector<Value> values_;
};

// The words of all lengths; several searches share it.
class Index {
  public:
    // `marks` has for each table the words and their marks, in pairs; it is empty if any two words go together.
    Index(int letters, std::vector<Table> tables, const std::vector<std::vector<std::uint32_t>>& marks)
        : letters(letters),
          tables(std::move(tables)),
          sharers_(list_sharers(marks)) {
        for (std::size_t table = 0; table < marks.size(); ++table)
            marks_.emplace_back(static_cast<std::size_t>(this->tables[table].words), [&](const auto& visit) {
                for (std::size_t i = 0; i < marks[table].size(); i += 2) visit(marks[table][i], marks[table][i + 1]);
            });
    }

    // Calls `visit(table, word)` for every word that shares a mark with this one, itself included if it has one.
    template <typename Visit>
    void for_sharers(int table, int word, Visit visit) const {
        if (marks_.empty()) return;
        for (const std::uint32_t mark : marks_[table][word])
            for (const auto& [other, sharer] : sharers_[mark]) visit(other, sharer);
    }
    bool separates() const { return !marks_.empty(); }

    const int letters;
    const std::vector<Table> tables;

  private:
    static Lists<std::pair<int, int>> list_sharers(const std::vector<std::vector<std::uint32_t>>& marks) {
        std::size_t most = 0;
        for (const std::vector<std::uint32_t>& pairs : marks)
            for (std::size_t i = 1; i < pairs.size(); i += 2) most = std::max(most, std::size_t{pairs[i]} + 1);
        return {most, [&](const auto& visit) {
                    for (std::size_t table = 0; table < marks.size(); ++table)
                        for (std::size_t i = 0; i < marks[table].size(); i += 2)
                            visit(marks[table][i + 1], {static_cast<int>(table), static_cast<int>(marks[table][i])});
                }};
    }

    std::vector<Lists<std::uint32_t>> marks_;  // by table
    Lists<std::pair<int, int>> sharers_;       // by mark
};

// The costs of words by kind of slot, and the words of a kind in the order of their costs.
struct Costs {
    std::vector<std::vector<std::int64_t>> of;
    std::vector<std::vector<std::uint32_t>> order;

    explicit Costs(std::vector<std::vector<std::int64_t>> costs) : of(std::move(costs)), order(of.size()) {
        for (std::size_t kind = 0; kind < of.size(); ++kind) {
            order[kind].resize(of[kind].size());
            std::iota(order[kind].begin(), order[kind].end(), 0U);
            std::stable_sort(order[kind].begin(), order[kind].end(),
                             [&](std::uint32_t one, std::uint32_t other) { return of[kind][one] < of[kind][other]; });
        }
    }
};

// Σ cost(w) ≤ limit over the words of a fill.
struct Budget {
    std::shared_ptr<const Costs> costs;
    std::int64_t limit;
};
constexpr int kBudgets = 12;
constexpr std::int64_t kNoCap = std::numeric_limits<std::int64_t>::max();

using Words = std::vector<Block>;

// Words by kind of slot, one of which some slot must hold; empty for a kind that has none.
using Required = std::vector<Words>;

// Words of two slots, of which a solution has at most one: for each slot its number, and its words.
struct Apart {
    int slot[2];
    std::shared_ptr<const Words> words[2];  // many have the same
};

// A crossing, or a tie of two cells to the same letter, as one of its slots sees it. Several may have one position.
struct Crossing {
    int pos;
    int cell;
    int other;     // the crossing slot
    int other_at;  // the index of this crossing in the other slot's list
};

struct Slot {
    int table;
    int kind;  // of one table: costs and required words differ from kind to kind
    std::vector<Crossing> crossings;
    std::vector<int> peers;   // slots that may not hold the same word
    std::vector<int> priced;  // positions where costs may be shifted, each once
};

// A cell where two slots cross, or the letter of two tied cells: for each of them the slot and the index in its list of
// crossings.
struct Cell {
    int slot[2];
    int at[2];
};

struct Model {
    std::shared_ptr<const Index> index;
    int letters;
    const Table* tables;
    std::vector<Slot> slots;
    std::vector<Cell> cells;
    std::vector<std::vector<Block>> singles;  // by table, the words that stand in one slot at most
    std::vector<Budget> budgets;
    std::vector<Required> required;
    std::vector<Apart> aparts;
    std::vector<int>
        used;  // by table, the blocks up to the last word that any slot may hold: all that need be looked at

    explicit Model(std::shared_ptr<const Index> words)
        : index(std::move(words)),
          letters(index->letters),
          tables(index->tables.data()),
          used(index->tables.size(), 0) {}

    void cross(int first, int pos, int second, int second_pos) {
        const auto cell = static_cast<int>(cells.size());
        const auto at = static_cast<int>(slots[first].crossings.size());
        const auto second_at = static_cast<int>(slots[second].crossings.size());
        slots[first].crossings.push_back({pos, cell, second, second_at});
        slots[second].crossings.push_back({second_pos, cell, first, at});
        price(slots[first].priced, pos);
        price(slots[second].priced, second_pos);
        cells.push_back({{first, second}, {at, second_at}});
    }
    static void price(std::vector<int>& priced, int pos) {
        if (std::find(priced.begin(), priced.end(), pos) == priced.end()) priced.push_back(pos);
    }

    // Some of the slots as if there were no others, within the last budget alone.
    Model part(const std::vector<int>& chosen) const {
        Model model(index);
        std::vector<int> number(slots.size(), -1);
        for (std::size_t i = 0; i < chosen.size(); ++i) number[chosen[i]] = static_cast<int>(i);
        for (const int slot : chosen) {
            model.slots.push_back({slots[slot].table, slots[slot].kind, {}, {}, {}});
            for (const int peer : slots[slot].peers)
                if (number[peer] >= 0) model.slots.back().peers.push_back(number[peer]);
        }
        for (const Cell& cell : cells) {
            const int first = number[cell.slot[0]];
            const int second = number[cell.slot[1]];
            if (first < 0 || second < 0) continue;
            const int pos = slots[cell.slot[0]].crossings[cell.at[0]].pos;
            model.cross(first, pos, second, slots[cell.slot[1]].crossings[cell.at[1]].pos);
        }
        for (std::size_t i = 0; i < chosen.size(); ++i) model.slots[i].priced = slots[chosen[i]].priced;
        for (const Apart& apart : aparts) {
            const int one = number[apart.slot[0]];
            const int other = number[apart.slot[1]];
            if (one >= 0 && other >= 0) model.aparts.push_back({{one, other}, {apart.words[0], apart.words[1]}});
        }
        model.singles = singles;
        model.budgets = {budgets.back()};
        model.used = used;
        return model;
    }

    const Table& table(int slot) const { return tables[slots[slot].table]; }
    int blocks(int slot) const { return used[slots[slot].table]; }
    Letters full() const { return letters == kMaxLetters ? ~Letters{0} : (Letters{1} << letters) - 1; }
};

}  // namespace cpfill::mac
