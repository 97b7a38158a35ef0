// Apart: some words of one slot, and some of another, do not stand together.
#pragma once

#include <algorithm>
#include <vector>

#include "consistency.hpp"

namespace cpfill::mac {

class Parting {
  public:
    Parting(const Model& model, State& state, Consistency& consistency)
        : state_(state),
          consistency_(consistency),
          sides_(model.aparts.empty() ? 0 : model.slots.size()) {
        for (const Apart& apart : model.aparts)
            for (int side = 0; side < 2; ++side) {
                const Words& words = *apart.words[side];
                const int size = count(words.data(), static_cast<int>(words.size()));
                sides_[apart.slot[side]].push_back(
                    {size, words.data(), apart.slot[1 - side], apart.words[1 - side]->data()});
            }
        for (std::vector<Side>& sides : sides_)
            std::sort(sides.begin(), sides.end(), [](const Side& one, const Side& two) { return one.size > two.size; });
    }

    // Where all that a changed slot may have is kept apart from words of another slot, remove those; false if that
    // leaves none. Domains that backtracking restored have been looked at before.
    bool part() {
        const std::uint64_t now = state_.versions();
        for (int slot = 0; slot < static_cast<int>(sides_.size()); ++slot) {
            const Domain& d = state_.domain(slot);
            if (d.version <= parted_) continue;
            for (const Side& side : sides_[slot]) {
                if (side.size < d.size) break;  // the others are smaller still
                if (!state_.is_within(slot, side.words) || !state_.remove_words(side.other, side.gone)) continue;
                consistency_.wake(side.other, true);
                if (!state_.domain(side.other).size) return false;
            }
        }
        parted_ = now;
        return true;
    }

  private:
    struct Side {
        int size;  // of `words`
        const Block* words;
        int other;
        const Block* gone;
    };

    State& state_;
    Consistency& consistency_;
    std::vector<std::vector<Side>> sides_;  // by slot, the largest sets of words first
    std::uint64_t parted_ = 0;              // the last version that was looked at
};

}  // namespace cpfill::mac
