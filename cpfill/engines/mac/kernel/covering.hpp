// Cover: sets of words, of each of which some slot holds one.
#pragma once

#include <vector>

#include "consistency.hpp"

namespace cpfill::mac {

constexpr double kLikely = 3.0;  // a cover can wait if so many of its words were expected in a random choice of words

// What to try first: a word of a slot, or if `among` is not null any word of the slot that it has.
struct Choice {
    int slot = -1;
    int word = -1;
    const Block* among = nullptr;
};

class Covering {
  public:
    Covering(const Model& model, State& state, Consistency& consistency) : state_(state), consistency_(consistency) {
        for (const Required& required : model.required) {
            covers_.emplace_back();
            for (int slot = 0; slot < static_cast<int>(model.slots.size()); ++slot) {
                const Words& words = required[model.slots[slot].kind];
                if (!words.empty()) covers_.back().places.push_back({slot, words.data()});
            }
        }
    }

    // What to try for the cover that fewest slots may meet, of those that several may, and that are not met by chance:
    // words of the slot that has most of them. A slot of -1 if there is no such cover.
    Choice unplaced() {
        Choice best;
        int fewest = 0;
        for (Cover& cover : covers_) {
            if (is_met(cover.watched[0])) continue;
            Choice choice;
            int holders = 0;
            int most = 0;
            double expected = 0;
            for (const Place& place : cover.places) {
                const int size = state_.domain(place.slot).size;
                const int common = state_.count_in(place.slot, place.words);
                if (!common) continue;
                if (common == size) {
                    if (size == 1) cover.watch({place.slot, state_.word(place.slot)}, {});
                    holders = 0;
                    break;
                }
                ++holders;
                expected += static_cast<double>(common) / size;
                if (common < most) continue;
                most = common;
                choice = {place.slot, -1, place.words};
            }
            if (holders < 2 || expected > kLikely || (best.slot >= 0 && holders >= fewest)) continue;
            best = choice;
            fewest = holders;
            if (most > 1) continue;
            best.word = state_.find_in(best.slot, best.among);
            best.among = nullptr;
        }
        return best;
    }

    // Narrow the only slot that may meet a cover to the words that do; false if no slot may.
    bool place() {
        for (Cover& cover : covers_) {
            if (is_met(cover.watched[0]) || (may_meet(cover.watched[0]) && may_meet(cover.watched[1]))) continue;
            Watched found[2];
            int holders = 0;
            const Place* holder = nullptr;
            for (std::size_t i = 0; i < cover.places.size() && holders < 2; ++i) {
                const int word = state_.find_in(cover.places[i].slot, cover.places[i].words);
                if (word < 0) continue;
                holder = &cover.places[i];
                found[holders++] = {holder->slot, word};
            }
            if (!holders) return false;
            cover.watch(found[0], found[1]);
            if (holders == 1 && !state_.is_within(holder->slot, holder->words))
                consistency_.keep_words(holder->slot, holder->words);
        }
        return true;
    }

  private:
    // A slot that may have some of a cover's words, and those.
    struct Place {
        int slot;
        const Block* words;
    };
    struct Watched {
        int slot = -1;
        int word = -1;
    };
    // While the two watched slots may have the watched words, or the first must, nothing needs to be done.
    struct Cover {
        std::vector<Place> places;
        Watched watched[2];

        void watch(const Watched& one, const Watched& other) {
            watched[0] = one;
            watched[1] = other;
        }
    };

    bool may_meet(const Watched& watched) const {
        return watched.slot >= 0 && state_.contains(watched.slot, watched.word);
    }
    bool is_met(const Watched& watched) const {
        return watched.slot >= 0 && state_.domain(watched.slot).size == 1 && may_meet(watched);
    }

    State& state_;
    Consistency& consistency_;
    std::vector<Cover> covers_;
};

}  // namespace cpfill::mac
