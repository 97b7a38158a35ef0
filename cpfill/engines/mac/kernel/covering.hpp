// Cover: required words that stand in some slot.
#pragma once

#include <utility>

#include "consistency.hpp"

namespace cpfill::mac {

class Covering {
  public:
    Covering(const Model& model, State& state, Consistency& consistency)
        : model_(model),
          state_(state),
          consistency_(consistency) {}

    // The required word that fewest slots may still hold, if more than one may, and one of them; else a slot of -1.
    std::pair<int, int> unplaced() const {
        std::pair<int, int> best{-1, -1};
        int fewest = 0;
        for (const Required& word : model_.required) {
            const auto [holder, holders] = holders_of(word);
            if (holders > 1 && state_.domain(holder).size > 1 && (best.first < 0 || holders < fewest)) {
                best = {holder, word.word};
                fewest = holders;
            }
        }
        return best;
    }

    // Place each required word that only one slot may hold; false if no slot may hold one.
    bool place() {
        for (const Required& word : model_.required) {
            const auto [holder, holders] = holders_of(word);
            if (!holders) return false;
            if (holders > 1 || state_.domain(holder).size == 1) continue;
            state_.assign(holder, word.word);
            consistency_.assigned(holder);
        }
        return true;
    }

  private:
    // A slot that may hold a word, or -1, and the number of such slots; if the word already stands in one, only that.
    std::pair<int, int> holders_of(const Required& word) const {
        std::pair<int, int> found{-1, 0};
        for (int slot = 0; slot < static_cast<int>(model_.slots.size()); ++slot) {
            if (model_.slots[slot].table != word.table || !state_.contains(slot, word.word)) continue;
            if (state_.domain(slot).size == 1) return {slot, 1};
            found = {slot, found.second + 1};
        }
        return found;
    }

    const Model& model_;
    State& state_;
    Consistency& consistency_;
};

}  // namespace cpfill::mac
