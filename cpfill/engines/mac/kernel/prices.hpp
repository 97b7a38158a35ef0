// What the words of a budget cost, slot by slot, and how costs are shifted between slots that cross.
//
// Σ over the slots of the cheapest word is a weak bound on what a fill costs: the cheapest words do not cross. What a
// letter costs in one slot can be shifted to the slot that crosses it there without a change to the cost of any fill.
// Shifting until every letter costs the same on both sides raises the bound nearly to that of the linear relaxation:
// max-sum diffusion (Werner, A linear programming approach to max-sum problem: a review, IEEE PAMI 29, 2007).
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "state.hpp"

namespace cpfill {

constexpr std::int64_t kFinest = 1 << 10;               // shifted costs are counted in up to so many parts of a unit,
constexpr std::int64_t kRoom = std::int64_t{1} << 55;  // as long as all together come to no more than this
constexpr int kSweeps = 60;
constexpr int kLeastGain = 500;  // a sweep that raises the bound by less than this part of the rise so far is the last

class Prices {
  public:
    Prices(const Model& model, const Costs& costs) : model_(model), costs_(costs) {}

    // Units of `cost` in one of the budget's.
    std::int64_t scale() const { return scale_; }

    std::int64_t cost(int slot, std::uint32_t word) const {
        const Slot& fixed = model_.slots[slot];
        std::int64_t cost = costs_.of[fixed.table][word] * scale_;
        if (shifts_.empty()) return cost;
        const std::uint8_t* letters = model_.tables[fixed.table].spelled(static_cast<int>(word));
        const std::int64_t* shifts = shifts_of(slot);
        for (const Crossing& crossing : fixed.crossings) {
            cost += shifts[letters[crossing.pos]];
            shifts += model_.letters;
        }
        return cost;
    }

    // The words that a slot may have, cheapest first; more, where there are more in its table.
    const std::vector<std::uint32_t>& order(int slot) const {
        return shifts_.empty() ? costs_.order[model_.slots[slot].table] : order_[slot];
    }

    // Whether there is room for shifted costs.
    bool can_shift() const { return find_most() <= kRoom / count_slots(); }

    // Begin to shift: `cost` is in finer units from now on.
    void refine() {
        scale_ = std::clamp<std::int64_t>(kRoom / count_slots() / find_most(), 1, kFinest);
        starts_.push_back(0);
        for (const Slot& slot : model_.slots)
            starts_.push_back(starts_.back() + slot.crossings.size() * model_.letters);
        shifts_.assign(starts_.back() + 1, 0);
        order_.resize(model_.slots.size());
    }

    // Look up what the words of the domains cost.
    void gather(const State& state) {
        columns_.assign(model_.slots.size(), {});
        for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
            Column& column = columns_[slot];
            const Table& table = model_.table(static_cast<int>(slot));
            state.for_words(static_cast<int>(slot), [&](int word) {
                column.words.push_back(word);
                column.costs.push_back(cost(static_cast<int>(slot), static_cast<std::uint32_t>(word)));
            });
            for (const Crossing& crossing : model_.slots[slot].crossings)
                for (const int word : column.words) column.letters.push_back(table.spelled(word)[crossing.pos]);
        }
        bound_ = first_bound_ = add_least();
        sweeps_ = 0;
    }

    // Shift once over all crossings; false if there is no need to go on.
    bool sweep() {
        for (const Cell& cell : model_.cells) {
            std::array<std::int64_t, kMaxLetters> least[2];
            for (int side = 0; side < 2; ++side) {
                least[side].fill(kNoCap);
                const Column& column = columns_[cell.slot[side]];
                const std::size_t size = column.words.size();
                const std::uint8_t* letters = column.letters.data() + cell.at[side] * size;
                for (std::size_t i = 0; i < size; ++i)
                    least[side][letters[i]] = std::min(least[side][letters[i]], column.costs[i]);
            }
            std::array<std::int64_t, kMaxLetters> shift{};
            for (int letter = 0; letter < model_.letters; ++letter)
                if (least[0][letter] != kNoCap && least[1][letter] != kNoCap)
                    shift[letter] = (least[1][letter] - least[0][letter]) >> 1;
            for (int side = 0; side < 2; ++side) {
                Column& column = columns_[cell.slot[side]];
                const std::size_t size = column.words.size();
                const std::uint8_t* letters = column.letters.data() + cell.at[side] * size;
                for (std::size_t i = 0; i < size; ++i) column.costs[i] += shift[letters[i]];
                std::int64_t* shifts = &shifts_[starts_[cell.slot[side]] + cell.at[side] * model_.letters];
                for (int letter = 0; letter < model_.letters; ++letter) {
                    shifts[letter] += shift[letter];
                    shift[letter] = -shift[letter];
                }
            }
        }
        const std::int64_t before = bound_;
        bound_ = add_least();
        return ++sweeps_ < kSweeps && (bound_ - before) * kLeastGain > bound_ - first_bound_;
    }

    // Order the words that were looked up, and forget the rest.
    void settle() {
        for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
            const Column& column = columns_[slot];
            std::vector<std::pair<std::int64_t, int>> priced;
            for (std::size_t i = 0; i < column.words.size(); ++i) priced.push_back({column.costs[i], column.words[i]});
            std::sort(priced.begin(), priced.end());
            order_[slot].clear();
            for (const auto& [cost, word] : priced) order_[slot].push_back(static_cast<std::uint32_t>(word));
        }
        columns_.clear();
    }

  private:
    // The words of a slot, what they cost, and their letters at one crossing after another.
    struct Column {
        std::vector<int> words;
        std::vector<std::int64_t> costs;
        std::vector<std::uint8_t> letters;
    };

    std::int64_t count_slots() const { return std::max(std::int64_t{1}, std::int64_t(model_.slots.size())); }

    std::int64_t find_most() const {
        std::int64_t most = 1;
        for (const auto& of : costs_.of)
            for (const std::int64_t cost : of) most = std::max(most, cost);
        return most;
    }

    const std::int64_t* shifts_of(int slot) const { return &shifts_[starts_[slot]]; }

    std::int64_t add_least() const {
        std::int64_t total = 0;
        for (const Column& column : columns_)
            total += column.costs.empty() ? 0 : *std::min_element(column.costs.begin(), column.costs.end());
        return total;
    }

    const Model& model_;
    const Costs& costs_;
    std::int64_t scale_ = 1;
    std::vector<std::int64_t> shifts_;  // by slot, crossing and letter, what was added to the costs of the words
    std::vector<std::size_t> starts_;   // of the slots in `shifts_`
    std::vector<std::vector<std::uint32_t>> order_;
    std::vector<Column> columns_;
    std::int64_t bound_ = 0;
    std::int64_t first_bound_ = 0;
    int sweeps_ = 0;
};

}  // namespace cpfill
