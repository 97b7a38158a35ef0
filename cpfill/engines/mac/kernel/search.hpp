// Maintained arc consistency (Sabin and Freuder, CP 1994): two-way branching, restarts, and every solution on demand.
#pragma once

#include <chrono>
#include <tuple>
#include <utility>

#include "brancher.hpp"

namespace cpfill {

constexpr double kRestartGrowth = 1.3;
constexpr double kShrinks = 0.9;  // shifting again pays where it left at most this share of the words

constexpr std::int32_t kRefuted = -1;    // in a log: the last decision is refuted
constexpr std::int32_t kTakenBack = -2;  // all decisions that are left are taken back

enum class Answer { kRunning, kFound, kExhausted };

class Search {
  public:
    // Restarts after `first_limit` wipeouts, then `kRestartGrowth` times as many; never if it is 0. With `by_cell` it
    // branches on letters, which is faster for finding every solution. With `improving` the owner lowers the limit of a
    // budget after each solution, so that restarts cannot lead to the same ones again. With `shifts` costs of the last
    // budget are shifted before the search, and with `by_cell` at its nodes. With `logged` it keeps a log.
    Search(Model model, std::uint64_t seed, int first_limit, bool by_cell, bool improving, double dear,
           bool shifts, bool logged)
        : model_(std::move(model)), state_(model_), limits_(limits_of(model_)), propagator_(model_, state_, limits_),
          brancher_(model_, state_, propagator_, seed, dear), first_limit_(first_limit), limit_(first_limit), by_cell_(by_cell),
          improving_(improving),
          shifting_(shifts && !propagator_.prices.empty() && propagator_.prices.back().can_shift()), logged_(logged) {
        propagator_.shifts_at_nodes = by_cell;
    }

    Search(const Search&) = delete;  // its parts refer to one another
    Search& operator=(const Search&) = delete;

    // Some slots as if there were no others, with the words and the costs that they have in another search before its
    // first decision; what they cost may exceed the cost of their cheapest words by `regret`, in units of the budget.
    Search(Search& whole, const std::vector<int>& slots, std::int64_t regret)
        : Search(whole.model_.part(slots), 0, 0, true, false, 0, false, false) {
        for (std::size_t slot = 0; slot < slots.size(); ++slot) start(static_cast<int>(slot), whole.domain(slots[slot]).data());
        Prices& prices = propagator_.prices.back();
        prices.take_over(whole.propagator_.prices.back(), slots);
        if (prices.shifted()) prices.gather(state_);
        limits_.back() = regret * prices.scale() + propagator_.add_least(0);
    }

    // Set the domain of a slot.
    void start(int slot, const Block* bits) { state_.start(slot, bits); }

    // Search for `seconds` at most, until there were `nodes` nodes in all, or to the next solution.
    Answer step(double seconds, std::uint64_t nodes) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        if (!started_) {
            propagate();
        } else if (at_solution_) {
            at_solution_ = false;
            if (!refute()) exhausted_ = true;
        }
        while (shifting_ && !exhausted_) {
            shift();
            if (std::chrono::steady_clock::now() >= end) return Answer::kRunning;
        }
        const bool slow = propagator_.shifts_at_nodes && !propagator_.prices.empty();  // milliseconds in a large grid
        const unsigned nodes_between_looks = slow ? 1 : kNodesBetweenLooks;
        for (unsigned turn = 1; !exhausted_; ++turn) {
            if (nodes_ >= nodes) return Answer::kRunning;
            if (turn % nodes_between_looks == 0 && std::chrono::steady_clock::now() >= end) return Answer::kRunning;
            if (!descend()) {
                at_solution_ = true;
                if (!improving_) limit_ = 0;  // a restart would lead to the same solutions again
                return Answer::kFound;
            }
            if (propagator_.run()) continue;
            ++fails_;
            if (!refute())
                exhausted_ = true;
            else if (limit_ && ++since_restart_ >= limit_)
                restart();
        }
        return Answer::kExhausted;
    }

    // Propagate from the first domains, once; false on a wipeout.
    bool propagate() {
        if (!started_) {
            started_ = true;
            propagator_.wake_all();
            if (!propagator_.run()) {
                exhausted_ = true;
                wipeout_ = propagator_.wiped_out;
            } else if (!propagator_.prices.empty()) {
                note_least_cost();
            }
        }
        return wipeout_ < 0 && !exhausted_;
    }

    // Forget the decisions; false if there are no solutions.
    bool propagate_anew() {
        forget_decisions();
        return propagate();
    }

    // Search anew for solutions in which, beside what is assumed already, a slot has one of these words; false if
    // propagation shows that there is none. Weights are kept from one assumption to the next.
    bool assume(int slot, const Block* words) {
        if (!propagate()) return false;
        forget_decisions();
        state_.push();
        ++assumed_;
        since_restart_ = 0;
        limit_ = first_limit_;
        exhausted_ = at_solution_ = false;
        exhausted_ = !propagator_.keep_words(slot, words) || !propagator_.run();
        if (exhausted_) propagator_.clear();
        return !exhausted_;
    }

    // Keep only these words in a slot, for good; false if propagation shows that there is no solution left.
    bool narrow(int slot, const Block* words) {
        while (assumed_) release();
        if (!propagate()) return false;
        exhausted_ = !propagator_.keep_words(slot, words) || !propagator_.run();
        if (exhausted_) propagator_.clear();
        return !exhausted_;
    }

    // Forget the last assumption, and whatever followed from it.
    void release() {
        if (!assumed_) return;
        forget_decisions();
        take_back();
        propagator_.clear();
        --assumed_;
        exhausted_ = at_solution_ = false;
    }

    // What the words of any solution cost together at least in the last budget, by what was propagated at first.
    std::int64_t least_cost() const { return least_cost_; }

    // The words that a slot may still hold, as a bitset.
    std::vector<Block> domain(int slot) const {
        std::vector<Block> bits(model_.table(slot).blocks, 0);
        const Domain& domain = state_.domain(slot);
        if (domain.is_list())
            for (int i = 0; i < domain.size; ++i) set_bit(bits.data(), static_cast<int>(domain.ids[i]));
        else
            std::copy(domain.bits, domain.bits + model_.blocks(slot), bits.begin());
        return bits;
    }

    // The letters that a crossed cell may still have.
    Letters letters(int cell) const { return state_.letters(cell); }
    int cells() const { return static_cast<int>(model_.cells.size()); }

    // The logarithm of the solutions to expect by the state.
    double promise() { return brancher_.promise(); }

    const Table& table(int slot) const { return model_.table(slot); }

    void lower_limit(int budget, std::int64_t limit) { limits_[budget] = limit * propagator_.prices[budget].scale(); }
    std::vector<double>& weights() { return propagator_.weight; }

    bool assuming() const { return assumed_ > 0; }
    bool at_solution() const { return at_solution_; }
    int word(int slot) const { return state_.word(slot); }
    int wipeout() const { return wipeout_; }  // the slot that arc consistency alone left without a word, or -1
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t fails() const { return fails_; }
    std::uint64_t restarts() const { return restarts_; }

    // What was decided and refuted since this was asked last, in the numbers that spec.py says.
    std::vector<std::int32_t> take_log() { return std::exchange(log_, {}); }

  private:
    static constexpr unsigned kNodesBetweenLooks = 32;

    struct Decision {
        int slot;  // -1 for a decision on a cell
        int cell;
        int value;  // word or letter
    };

    // Shift costs of the last budget before the search: one sweep, or the end of it, after which fewer words are left.
    void shift() {
        Prices& prices = propagator_.prices.back();
        if (!prices.shifted()) {
            prices.refine();
            limits_.back() *= prices.scale();
        }
        if (!gathered_) {
            prices.gather(state_);
            gathered_ = true;
            shifted_words_ = propagator_.count_words();
        }
        if (prices.sweep(state_)) return;
        prices.settle();
        propagator_.reprice();
        gathered_ = false;
        exhausted_ = !propagator_.run();
        if (!exhausted_) note_least_cost();
        shifting_ = !exhausted_ && propagator_.count_words() < kShrinks * shifted_words_;
    }

    void note_least_cost() {
        const std::int64_t scale = propagator_.prices.back().scale();
        const std::int64_t least = propagator_.add_least(propagator_.prices.size() - 1);
        least_cost_ = least / scale + (least % scale > 0);
    }

    void take_back() {
        state_.pop();
        propagator_.take_back();
    }

    // Take the next decision; false if there is none to take.
    bool descend() {
        Decision decision{-1, -1, -1};
        std::tie(decision.slot, decision.value) = propagator_.unplaced();
        if (decision.slot < 0 && by_cell_) decision.cell = brancher_.cell();
        if (decision.slot >= 0) {
            // a required word goes first
        } else if (decision.cell >= 0) {
            decision.value = brancher_.letter(decision.cell);
        } else {
            decision.slot = brancher_.slot();
            if (decision.slot < 0) return false;
            decision.value = brancher_.word(decision.slot);
        }
        ++nodes_;
        state_.push();
        decisions_.push_back(decision);
        if (logged_) note(decision);
        if (decision.slot >= 0) {
            state_.assign(decision.slot, decision.value);
            propagator_.assigned(decision.slot);
        } else {
            propagator_.restrict_cell(decision.cell, Letters{1} << decision.value);
        }
        return true;
    }

    // Take back the last decision and exclude it, again and again while that fails; false if nothing is left.
    bool refute() {
        while (!decisions_.empty()) {
            const Decision decision = decisions_.back();
            decisions_.pop_back();
            if (logged_) log_.push_back(kRefuted);
            take_back();
            bool left;
            if (decision.slot >= 0) {
                left = propagator_.remove_word(decision.slot, decision.value);
            } else {
                const Letters letters = state_.letters(decision.cell) & ~(Letters{1} << decision.value);
                left = letters != 0;
                if (left) propagator_.restrict_cell(decision.cell, letters);
            }
            if (left && propagator_.run()) return true;
            propagator_.clear();
        }
        return false;
    }

    static std::vector<std::int64_t> limits_of(const Model& model) {
        std::vector<std::int64_t> limits;
        for (const Budget& budget : model.budgets) limits.push_back(budget.limit);
        return limits;
    }

    void note(const Decision& decision) {
        if (decision.slot >= 0) {
            log_.insert(log_.end(), {decision.slot, -1, decision.value});
            return;
        }
        const Cell& cell = model_.cells[decision.cell];
        const int pos = model_.slots[cell.slot[0]].crossings[cell.at[0]].pos;
        log_.insert(log_.end(), {cell.slot[0], pos, decision.value});
    }

    void forget_decisions() {
        for (; !decisions_.empty(); decisions_.pop_back()) take_back();
    }

    void restart() {
        if (logged_) log_.push_back(kTakenBack);
        forget_decisions();
        propagator_.clear();
        since_restart_ = 0;
        limit_ = std::max(limit_ + 1, static_cast<int>(limit_ * kRestartGrowth));
        ++restarts_;
    }

    Model model_;
    State state_;
    std::vector<std::int64_t> limits_;
    Propagator propagator_;
    Brancher brancher_;
    std::vector<Decision> decisions_;
    int first_limit_;
    int limit_;
    int since_restart_ = 0;
    bool by_cell_;
    bool improving_;
    bool shifting_;
    bool logged_;
    std::vector<std::int32_t> log_;
    bool gathered_ = false;
    double shifted_words_ = -1;
    std::int64_t least_cost_ = 0;
    int wipeout_ = -1;
    bool started_ = false;
    int assumed_ = 0;
    bool at_solution_ = false;
    bool exhausted_ = false;
    std::uint64_t nodes_ = 0;
    std::uint64_t fails_ = 0;
    std::uint64_t restarts_ = 0;
};

}  // namespace cpfill
