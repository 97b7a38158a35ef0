// Budgets: the words of a solution cost at most the limits. Costs are shifted to detect violations earlier.
#pragma once

#include <algorithm>
#include <vector>

#include "consistency.hpp"
#include "prices.hpp"

namespace cpfill::mac {

// Costs are shifted again once at most this share of the words is left since the last time; shifting more often costs
// more than it saves.
constexpr double kFewer = 0.8;

class Spending {
  public:
    // With `shifts_at_nodes` costs of the last budget are shifted again as words go.
    Spending(const Model& model, State& state, Consistency& consistency, bool shifts_at_nodes)
        : model_(model),
          state_(state),
          consistency_(consistency),
          shifts_at_nodes_(shifts_at_nodes),
          least_(model.budgets.size(), std::vector<Least>(model.slots.size())) {
        for (const Budget& budget : model.budgets) {
            prices_.emplace_back(model, *budget.costs);
            limits_.push_back(budget.limit);
        }
    }

    bool any() const { return !prices_.empty(); }
    bool shifts_at_nodes() const { return shifts_at_nodes_; }
    std::size_t budgets() const { return prices_.size(); }

    // What the last budget pays.
    Prices& prices() {
        assert(any());
        return prices_.back();
    }
    const Prices& prices() const {
        assert(any());
        return prices_.back();
    }

    // The limit of the last budget, in units of its prices.
    std::int64_t& limit() {
        assert(any());
        return limits_.back();
    }

    // Set the limit of a budget, in units of its costs.
    void set_limit(std::size_t budget, std::int64_t limit) {
        assert(budget < prices_.size());
        limits_[budget] = limit * prices_[budget].scale();
    }

    // A lower bound on the cost of any solution, in the units of the prices.
    std::int64_t add_least(std::size_t budget) {
        std::int64_t total = 0;
        for (int slot = 0; slot < static_cast<int>(model_.slots.size()); ++slot) total += least(budget, slot);
        return total;
    }

    // The last budget has new prices.
    void reprice() {
        std::fill(least_.back().begin(), least_.back().end(), Least{});
        state_.uncap(static_cast<int>(prices_.size()) - 1);
    }

    // The state was taken back to a level.
    void take_back() {
        if (!prices_.empty()) prices_.back().take_back(state_.level());
    }

    // The words of all slots.
    double count_words() const {
        double words = 0;
        for (int slot = 0; slot < static_cast<int>(model_.slots.size()); ++slot) words += state_.domain(slot).size;
        return words;
    }

    // Keep of each slot the words with cost(w) ≤ least(slot) + limit - Σ least over all slots, where least is the cost
    // of a slot's cheapest word; false if Σ least > limit.
    bool spend() {
        for (std::size_t b = 0; b < prices_.size(); ++b) {
            const std::int64_t slack = limits_[b] - add_least(b);
            if (slack < 0) return false;
            for (int slot = 0; slot < static_cast<int>(model_.slots.size()); ++slot) {
                const std::int64_t cap = least(b, slot) + slack;
                const Domain& d = state_.domain(slot);
                if (d.size == 1 || cap >= d.cap[b]) continue;
                if (prices_[b].shifted_at_node() ? !d.is_list()
                                                 : cap >= prices_[b].cost(slot, prices_[b].order(slot).back()))
                    continue;  // examining all words is expensive, so it waits until costs are shifted again
                const int before = d.size;
                state_.cap(slot, static_cast<int>(b), prices_[b], cap);
                if (state_.domain(slot).size != before) consistency_.wake(slot, true);
            }
        }
        return true;
    }

    // Shift costs of the last budget again if enough words are gone since the last time, and remove words that have
    // become too expensive; false if every fill has.
    bool shift() {
        if (!shifts_at_nodes_ || !state_.level() || prices_.empty() || !prices_.back().shifted()) return true;
        const std::size_t last = prices_.size() - 1;
        if (prices_[last].words() > 0 && count_words() > kFewer * prices_[last].words()) return true;
        std::int64_t slack = limits_[last] - add_least(last);
        slack -= prices_[last].shift_at_node(state_, slack);
        if (slack < 0) return false;
        for (int slot = 0; slot < static_cast<int>(model_.slots.size()); ++slot) {
            dear_.assign(model_.table(slot).blocks, 0);
            bool any = false;
            prices_[last].for_dear(slot, slack, [&](int word) {
                set_bit(dear_.data(), word);
                any = true;
            });
            if (any) consistency_.lose_words(slot, dear_.data());
            state_.uncap(slot, static_cast<int>(last));
        }
        return true;
    }

  private:
    struct Least {
        std::uint64_t version = 0;  // of the domain it was computed from
        std::uint64_t prices = 0;   // the version of those
        std::int64_t cost = 0;
    };

    // The cost of the cheapest word of a slot.
    std::int64_t least(std::size_t budget, int slot) {
        const Domain& d = state_.domain(slot);
        const Prices& costs = prices_[budget];
        Least& known = least_[budget][slot];
        if (known.version == d.version && known.prices == costs.version()) return known.cost;
        std::int64_t best = kNoCap;
        if (d.is_list() || costs.shifted_at_node()) {
            costs.for_words(state_, slot, [&](int, std::int64_t cost) { best = std::min(best, cost); });
        } else {
            for (const std::uint32_t word : costs.order(slot)) {
                if (!state_.contains(slot, static_cast<int>(word))) continue;
                best = costs.cost(slot, word);
                break;
            }
        }
        known = {d.version, costs.version(), best};
        return best;
    }

    const Model& model_;
    State& state_;
    Consistency& consistency_;
    bool shifts_at_nodes_;
    std::vector<Prices> prices_;             // by budget
    std::vector<std::int64_t> limits_;       // in units of the prices
    std::vector<std::vector<Least>> least_;  // by budget and slot
    std::vector<Block> dear_;                // the words of a slot that cost too much
};

}  // namespace cpfill::mac
