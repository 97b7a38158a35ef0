// The least cost of a part of a grid, for each letter where it crosses other parts, and what parts give one another.
//
// A part is searched alone, so slots of other parts that cross it make it no dearer. Its least cost with a letter at a
// crossing, minus its least cost of all, is slack: the part can give this slack to the slot that crosses it there, and
// the sum of the least costs of all parts never falls. It rises where two parts prefer different letters. This is block
// coordinate ascent in the dual of the relaxation in which parts agree on letters (Globerson and Jaakkola, Fixing
// max-product: convergent message passing algorithms for MAP LP-relaxations, NIPS 2007; Sontag et al., Tightening LP
// relaxations for MAP using message passing, UAI 2008).
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "spending.hpp"

namespace cpfill::mac {

// The parts of a search share it. Both are by slot, position and letter, in finer units, at `Prices::place`.
struct Ledger {
    std::vector<std::int64_t> shifts;  // added to the costs of words
    std::vector<std::int64_t> slack;   // the last known cost of a letter above the cheapest letter
};

class Survey {
  public:
    // A survey of costs below `limit` of some slots of the search of `whole`, which has these prices.
    Survey(const Model& whole, const Prices& prices, const std::vector<int>& slots, const Model& model,
           const State& state, Spending& spending, std::shared_ptr<Ledger> ledger, std::int64_t limit)
        : model_(model),
          state_(state),
          spending_(spending),
          ledger_(std::move(ledger)),
          limit_(limit),
          least_(limit) {
        std::vector<int> number(whole.slots.size(), -1);
        for (std::size_t slot = 0; slot < slots.size(); ++slot) number[slots[slot]] = static_cast<int>(slot);
        for (const int slot : slots)
            for (const Crossing& crossing : whole.slots[slot].crossings) {
                const int there = whole.slots[crossing.other].crossings[crossing.other_at].pos;
                const Crossed crossed{number[slot], crossing.pos, crossing.other, prices.place(slot, crossing.pos),
                                      prices.place(crossing.other, there)};
                (number[crossing.other] < 0 ? borders_ : inner_).push_back(crossed);
            }
        least_by_letter_.assign(borders_.size() * model.letters, limit);
    }

    // No solution costs less than this.
    std::int64_t least() const { return least_; }
    // Whether a solution costs that.
    bool exact() const { return least_ < limit_; }

    // The greatest cost of a solution of the current state that is news.
    std::int64_t find_limit() const {
        std::int64_t most = least_;
        for (std::size_t border = 0; border < borders_.size() && most < limit_; ++border) {
            const int slot = borders_[border].slot;
            const int pos = borders_[border].pos;
            const std::int64_t* least = &least_by_letter_[border * model_.letters];
            const Domain& d = state_.domain(slot);
            const Table& table = model_.table(slot);
            if (d.is_list()) {
                for (int i = 0; i < d.size; ++i) most = std::max(most, least[d.row(i, table.stride)[pos]]);
                continue;
            }
            for (int letter = 0; letter < model_.letters; ++letter)
                if (least[letter] > most && common_block(d.bits, table.mask(pos, letter), model_.blocks(slot), 0) >= 0)
                    most = least[letter];
        }
        return most - 1;
    }

    // All crossings within the part are decided, so that each slot may have its cheapest word, unless two slots have
    // the same: return one of them that has other words, and the word; else a slot of -1.
    std::pair<int, int> find_repeated() {
        const int slots = static_cast<int>(model_.slots.size());
        cheapest_.assign(model_.slots.size(), {kNoCap, -1});
        for (int slot = 0; slot < slots; ++slot)
            spending_.prices().for_words(state_, slot, [&](int word, std::int64_t cost) {
                cheapest_[slot] = std::min(cheapest_[slot], {cost, word});
            });
        for (int slot = 0; slot < slots; ++slot) {
            const int word = cheapest_[slot].second;
            if (!test(model_.singles[model_.slots[slot].table].data(), word)) continue;
            for (const int peer : model_.slots[slot].peers)
                if (cheapest_[peer].second == word && state_.domain(slot).size > 1) return {slot, word};
        }
        return {-1, -1};
    }

    // Note the solutions of the current state, after `find_repeated` found nothing. Those with other words than the
    // cheapest may repeat one: their costs are too low at worst.
    void note() {
        std::int64_t total = 0;
        for (const auto& [cost, word] : cheapest_) total += cost;
        least_ = std::min(least_, total);
        for (std::size_t border = 0; border < borders_.size(); ++border) {
            const int slot = borders_[border].slot;
            const int pos = borders_[border].pos;
            std::int64_t* least = &least_by_letter_[border * model_.letters];
            spending_.prices().for_words(state_, slot, [&](int word, std::int64_t cost) {
                std::int64_t& known = least[model_.table(slot).spelled(word)[pos]];
                known = std::min(known, total - cheapest_[slot].first + cost);
            });
        }
    }

    // Give the slack to the slots of other parts, most of it where they prefer other letters. A solution has the slack
    // of its dearest letter at least, so the shares must not sum to more than 1. Return these slots and the most that a
    // letter there has received.
    std::vector<std::pair<int, std::int64_t>> give() {
        std::vector<std::int64_t>& shifts = ledger_->shifts;
        for (const Crossed& crossed : inner_)
            std::copy_n(spending_.prices().shifts(crossed.slot, crossed.pos), model_.letters, &shifts[crossed.mine]);
        std::vector<double> uses;
        double all = 0;
        for (std::size_t border = 0; border < borders_.size(); ++border) {
            uses.push_back(static_cast<double>(find_gain(border)) +
                           kLeastUse * static_cast<double>(spending_.prices().scale()));
            all += uses.back();
        }
        std::vector<std::pair<int, std::int64_t>> given;
        for (std::size_t border = 0; border < borders_.size(); ++border) {
            const Crossed& crossed = borders_[border];
            std::int64_t most = 0;
            for (int letter = 0; letter < model_.letters; ++letter) {
                const std::int64_t slack = least_by_letter_[border * model_.letters + letter] - least_;
                const auto amount = static_cast<std::int64_t>(uses[border] / all * static_cast<double>(slack));
                shifts[crossed.mine + letter] -= amount;
                shifts[crossed.theirs + letter] += amount;
                ledger_->slack[crossed.mine + letter] = slack - amount;
                ledger_->slack[crossed.theirs + letter] += amount;
                most = std::max(most, amount);
            }
            given.push_back({crossed.other, most});
        }
        return given;
    }

  private:
    static constexpr double kLeastUse = 0.1;  // a share of a unit, so that parts that agree get something too

    struct Crossed {
        int slot;  // of the part
        int pos;
        int other;  // the crossing slot, of the whole
        std::size_t mine;
        std::size_t theirs;
    };

    // The rise of the least cost if both parts had only this border, and all their slack there.
    std::int64_t find_gain(std::size_t border) const {
        const std::int64_t* theirs = &ledger_->slack[borders_[border].theirs];
        std::int64_t gain = kNoCap;
        for (int letter = 0; letter < model_.letters; ++letter)
            gain = std::min(gain, least_by_letter_[border * model_.letters + letter] - least_ + theirs[letter]);
        return gain - *std::min_element(theirs, theirs + model_.letters);
    }

    const Model& model_;
    const State& state_;
    Spending& spending_;
    std::shared_ptr<Ledger> ledger_;
    std::int64_t limit_;
    std::int64_t least_;
    std::vector<Crossed> borders_;
    std::vector<Crossed> inner_;
    std::vector<std::int64_t> least_by_letter_;           // by border and letter
    std::vector<std::pair<std::int64_t, int>> cheapest_;  // by slot, cost and word
};

}  // namespace cpfill::mac
