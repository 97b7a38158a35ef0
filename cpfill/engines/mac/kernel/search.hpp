// Maintained arc consistency (Sabin and Freuder, CP 1994): two-way branching, restarts, and every solution on demand.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "beliefs.hpp"
#include "brancher.hpp"
#include "survey.hpp"

namespace cpfill::mac {

constexpr double kRestartGrowth = 1.3;
constexpr int kGuidedCost = 6;    // what a wipeout of a guided search takes, in those of a plain one
constexpr int kGuidedFirst = 30;  // wipeouts before the first restart of guided searches
constexpr double kShrinks = 0.9;  // shifting again pays where it left at most this share of the words

constexpr std::int32_t kRefuted = -1;    // in a log: the last decision is refuted
constexpr std::int32_t kTakenBack = -2;  // all decisions that are left are taken back
constexpr std::int32_t kSizes = -3;      // the sizes of all domains follow, after what was propagated
constexpr std::int32_t kRevised = -4;    // before the first decision a slot was revised, which follows

enum class Answer { kRunning, kFound, kExhausted };

// How to search.
struct Options {
    std::uint64_t seed = 0;  // breaks ties
    int first_limit = 0;   // wipeouts before the first restart, then `kRestartGrowth` times as many; 0 for no restarts
    int patience = 0;      // wipeouts before beliefs guide about half of the searches between restarts
    double promising = 0;  // they guide only where they expect solutions whose number has at least this logarithm
    bool by_cell = false;  // branch on letters, which is faster for finding every solution
    bool improving = false;  // the owner lowers a limit after each solution, so that restarts lead to no old one
    bool believing = false;  // decide on the word that is surest by belief propagation
    double dear = 0;         // what a unit of a word's cost in the last budget takes from its promise
    bool shifts = false;     // shift costs of the last budget before the search, and with `by_cell` at its nodes
    bool logged = false;     // keep a log
    bool sized = false;      // with sizes
};

class Search {
  public:
    Search(Model model, const Options& options)
        : model_(std::move(model)),
          state_(model_),
          propagator_(model_, state_, options.by_cell),
          brancher_(model_, state_, propagator_, options.seed, options.dear),
          guidable_(!options.by_cell && !options.believing && model_.budgets.empty()),
          other_weights_(model_.cells.size(), 1.0),
          options_(options),
          limit_(options.first_limit),
          shifting_(options.shifts && spending().any() && spending().prices().can_shift()) {
        if (!options.believing) return;
        const Costs* costs = model_.budgets.empty() ? nullptr : model_.budgets.back().costs.get();
        beliefs_.emplace(model_, state_, costs, options.dear, options.seed);
    }

    Search(const Search&) = delete;  // its parts refer to one another
    Search& operator=(const Search&) = delete;

    // A survey of some slots alone, with the words that they have in the search `whole` before its first decision. Of
    // the fills of these slots, the survey sees those that cost less than `rise` units above `least`, or above their
    // cheapest words if these cost more.
    Search(Search& whole, const std::vector<int>& slots, std::int64_t least, std::int64_t rise)
        : Search(whole.model_.part(slots), Options{.by_cell = true}) {
        for (std::size_t slot = 0; slot < slots.size(); ++slot)
            start(static_cast<int>(slot), whole.domain(slots[slot]).data());
        const Prices& prices = whole.spending().prices();
        if (!whole.ledger_) {
            whole.ledger_ = std::make_shared<Ledger>(Ledger{prices.shifts(), {}});
            whole.ledger_->slack.resize(prices.shifts().size());
        }
        spending().prices().take_over(prices, whole.ledger_->shifts, slots, state_);
        spending().reprice();
        const std::int64_t limit = std::max(least, spending().add_least(0)) + rise * prices.scale();
        survey_.emplace(whole.model_, prices, slots, model_, state_, spending(), whole.ledger_, limit);
        spending().limit() = limit - 1;
    }

    Survey& survey() {
        assert(survey_);
        return *survey_;
    }
    bool surveys() const { return survey_.has_value(); }
    bool shifted() { return spending().any() && spending().prices().shifted(); }
    std::int64_t scale() { return spending().prices().scale(); }

    // Set the domain of a slot.
    void start(int slot, const Block* bits) { state_.start(slot, bits); }

    // Search for at most `seconds`, until `nodes` nodes in total, or to the next solution.
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
        const bool slow = spending().shifts_at_nodes() && spending().any();  // milliseconds in a large grid
        const unsigned nodes_between_looks = slow ? 1 : kNodesBetweenLooks;
        for (unsigned turn = 1; !exhausted_; ++turn) {
            if (nodes_ >= nodes) return Answer::kRunning;
            if (turn % nodes_between_looks == 0 && std::chrono::steady_clock::now() >= end) return Answer::kRunning;
            if (!descend()) {
                if (survey_) {
                    survey_->note();
                    exhausted_ = !refute();
                    continue;
                }
                at_solution_ = true;
                if (!options_.improving) {  // a restart would lead to the same solutions again
                    guide(false);
                    limit_ = 0;
                }
                return Answer::kFound;
            }
            lower_limit();
            const bool stands = propagator_.run();
            if (options_.sized) note_sizes();
            if (stands) continue;
            ++fails_;
            if (!refute())
                exhausted_ = true;
            else if (limit_ && ++since_restart_ >= limit_)
                restart();
        }
        return Answer::kExhausted;
    }

    // Propagate the initial domains, only once; false on a wipeout.
    bool propagate() {
        if (!started_) {
            started_ = true;
            if (options_.sized)
                consistency().on_revised([this](int slot) {
                    log_.insert(log_.end(), {kRevised, slot});
                    note_sizes();
                });
            consistency().wake_all();
            const bool stands = propagator_.run();
            consistency().on_revised({});
            if (!stands) {
                exhausted_ = true;
                wipeout_ = consistency().wiped_out();
            } else if (spending().any()) {
                note_least_cost();
            }
            if (options_.sized) note_sizes();
        }
        return wipeout_ < 0 && !exhausted_;
    }

    // Forget the decisions; false if there are no solutions.
    bool propagate_anew() {
        forget_decisions();
        return propagate();
    }

    // Restart the search with the further assumption that a slot has one of these words; false if propagation shows
    // that no solution is left. Weights are kept from one assumption to the next.
    bool assume(int slot, const Block* words) {
        if (!propagate()) return false;
        open_assumption();
        exhausted_ = !consistency().keep_words(slot, words) || !propagator_.run();
        if (exhausted_) consistency().clear();
        return !exhausted_;
    }

    // Restart the search with all but the freed slots fixed to `words`; false if propagation shows that no solution is
    // left.
    bool relax(const std::vector<int>& words, const std::vector<char>& freed) {
        while (assumed_) release();
        if (!propagate_anew()) return false;
        while (shifting_ && !exhausted_) shift();
        if (exhausted_) return false;
        open_assumption();
        if (beliefs_) beliefs_->forget();
        for (int slot = 0; slot < static_cast<int>(words.size()) && !exhausted_; ++slot) {
            if (freed[slot] || (state_.domain(slot).size == 1 && state_.word(slot) == words[slot])) continue;
            exhausted_ = !state_.contains(slot, words[slot]);
            if (exhausted_) break;
            state_.assign(slot, words[slot]);
            consistency().assigned(slot);
        }
        exhausted_ = exhausted_ || !propagator_.run();
        if (exhausted_) consistency().clear();
        return !exhausted_;
    }

    // Restrict a slot permanently to these words; false if propagation shows that no solution is left.
    bool narrow(int slot, const Block* words) {
        while (assumed_) release();
        if (!propagate()) return false;
        exhausted_ = !consistency().keep_words(slot, words) || !propagator_.run();
        if (exhausted_) consistency().clear();
        return !exhausted_;
    }

    // Retract the last assumption and its consequences.
    void release() {
        if (!assumed_) return;
        forget_decisions();
        take_back();
        consistency().clear();
        --assumed_;
        exhausted_ = at_solution_ = false;
    }

    // A lower bound on the cost of any solution in the last budget, from the first propagation.
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

    // The logarithm of the expected number of solutions in the current state.
    double promise() { return brancher_.promise(); }

    // The same by belief propagation, which does not assume independent letters.
    double expect() const { return Beliefs(model_, state_, nullptr, 0, 0).expect(); }

    const Table& table(int slot) const { return model_.table(slot); }

    void set_limit(int budget, std::int64_t limit) { spending().set_limit(static_cast<std::size_t>(budget), limit); }
    void set_weights(const std::vector<double>& weights, bool heavy_first) {
        consistency().set_weights(weights, heavy_first);
    }
    const std::vector<double>& weights() const {
        return guided_ ? other_weights_ : propagator_.consistency().weights();
    }

    bool assuming() const { return assumed_ > 0; }
    bool at_solution() const { return at_solution_; }
    int word(int slot) const {
        assert(at_solution_);
        return state_.word(slot);
    }
    int wipeout() const { return wipeout_; }  // the slot that arc consistency alone left without a word, or -1
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t fails() const { return fails_; }
    std::uint64_t restarts() const { return restarts_; }

    // The decisions and refutations since the last call, encoded as kernels.py describes.
    std::vector<std::int32_t> take_log() { return std::exchange(log_, {}); }

  private:
    Consistency& consistency() { return propagator_.consistency(); }
    Spending& spending() { return propagator_.spending(); }

    static constexpr unsigned kNodesBetweenLooks = 32;

    struct Decision {
        int slot;  // -1 for a decision on a cell
        int cell;
        int value;  // word or letter
    };

    // Shift costs of the last budget before the search: one sweep, or the end of it, after which fewer words are left.
    void shift() {
        Prices& prices = spending().prices();
        if (!prices.shifted()) {
            prices.refine();
            spending().limit() *= prices.scale();
        }
        if (!gathered_) {
            prices.gather(state_);
            gathered_ = true;
            shifted_words_ = spending().count_words();
        }
        if (prices.sweep(state_)) return;
        prices.settle();
        spending().reprice();
        gathered_ = false;
        exhausted_ = !propagator_.run();
        if (!exhausted_) note_least_cost();
        shifting_ = !exhausted_ && spending().count_words() < kShrinks * shifted_words_;
    }

    // At each node a survey asks only for fills that are news there.
    void lower_limit() {
        if (survey_) spending().limit() = survey_->find_limit();
    }

    void note_least_cost() {
        const std::int64_t scale = spending().prices().scale();
        const std::int64_t least = spending().add_least(spending().budgets() - 1);
        least_cost_ = least / scale + (least % scale > 0);
    }

    void take_back() {
        state_.pop();
        spending().take_back();
    }

    // Make the next decision; false if everything is decided.
    bool descend() {
        Decision decision{-1, -1, -1};
        const Choice cover = propagator_.covering().unplaced();
        decision.slot = cover.slot;
        decision.value = cover.word;
        if (decision.slot < 0 && options_.by_cell) decision.cell = brancher_.cell();
        if (decision.slot >= 0) {
            if (cover.among) decision.value = brancher_.word(cover.slot, nullptr, cover.among);
        } else if (beliefs_) {
            std::tie(decision.slot, decision.value) = beliefs_->surest();
            if (decision.slot < 0) return false;
        } else if (decision.cell >= 0) {
            decision.value = brancher_.letter(decision.cell);
        } else if (survey_) {
            std::tie(decision.slot, decision.value) = survey_->find_repeated();
            if (decision.slot < 0) return false;
        } else {
            if (guided_) guide_->update();
            const Beliefs* guide = guided_ ? guide_.get() : nullptr;
            decision.slot = brancher_.slot(guide);
            if (decision.slot < 0) return false;
            decision.value = brancher_.word(decision.slot, guide, nullptr);
        }
        ++nodes_;
        state_.push();
        decisions_.push_back(decision);
        if (options_.logged) note(decision);
        if (decision.slot >= 0) {
            state_.assign(decision.slot, decision.value);
            consistency().assigned(decision.slot);
        } else {
            consistency().restrict_cell(decision.cell, Letters{1} << decision.value);
        }
        return true;
    }

    // Refute the last decision, repeatedly while that fails; false if no decision is left.
    bool refute() {
        while (!decisions_.empty()) {
            const Decision decision = decisions_.back();
            decisions_.pop_back();
            if (options_.logged) log_.push_back(kRefuted);
            take_back();
            bool left;
            if (decision.slot >= 0) {
                left = consistency().remove_word(decision.slot, decision.value);
            } else {
                const Letters letters = state_.letters(decision.cell) & ~(Letters{1} << decision.value);
                left = letters != 0;
                if (left) consistency().restrict_cell(decision.cell, letters);
            }
            lower_limit();
            left = left && propagator_.run();
            if (options_.sized) note_sizes();
            if (left) return true;
            consistency().clear();
        }
        return false;
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

    void note_sizes() {
        log_.push_back(kSizes);
        for (std::size_t slot = 0; slot < model_.slots.size(); ++slot)
            log_.push_back(state_.domain(static_cast<int>(slot)).size);
    }

    void open_assumption() {
        forget_decisions();
        state_.push();
        ++assumed_;
        guide(false);
        limit_ = options_.first_limit;
        other_limit_ = kGuidedFirst;
        since_restart_ = 0;
        spent_ = 0;
        at_solution_ = false;
    }

    void forget_decisions() {
        for (; !decisions_.empty(); decisions_.pop_back()) take_back();
    }

    void restart() {
        if (options_.logged) log_.push_back(kTakenBack);
        forget_decisions();
        consistency().clear();
        limit_ = std::max(limit_ + 1, static_cast<int>(limit_ * kRestartGrowth));
        spent_ += guided_ ? -kGuidedCost * since_restart_ : since_restart_;
        since_restart_ = 0;
        ++restarts_;
        guide(guidable_ && spent_ > options_.patience && promising());
        if (guided_) guide_->refresh();
    }

    // Whether beliefs expect enough solutions; if not, a plain search refutes sooner.
    bool promising() {
        if (!guide_) {
            guide_ = std::make_unique<Beliefs>(model_, state_, nullptr, 0, options_.seed);
            promising_ = guide_->expect() >= options_.promising;
        }
        return promising_;
    }

    // Choose between guided searches and plain ones. Each kind has its own limit, and weights of its own failures.
    void guide(bool guided) {
        if (guided == guided_) return;
        std::swap(limit_, other_limit_);
        std::swap(consistency().weights(), other_weights_);
        guided_ = guided;
    }

    Model model_;
    State state_;
    Propagator propagator_;
    Brancher brancher_;
    std::optional<Beliefs> beliefs_;
    std::shared_ptr<Ledger> ledger_;  // of the parts
    std::optional<Survey> survey_;    // if this is a part
    std::unique_ptr<Beliefs> guide_;  // made when it is first needed
    bool promising_ = false;
    bool guided_ = false;     // until the next restart
    const bool guidable_;     // the beliefs know nothing of budgets
    std::int64_t spent_ = 0;  // on plain searches more than on guided ones
    int other_limit_ = kGuidedFirst;
    std::vector<double> other_weights_;  // of guided searches, and during one of the plain ones
    std::vector<Decision> decisions_;
    Options options_;
    int limit_;
    int since_restart_ = 0;
    bool shifting_;
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

}  // namespace cpfill::mac
