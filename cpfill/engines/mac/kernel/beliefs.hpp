// Finds the surest word: loopy belief propagation between slots that cross.
//
// A slot sends each crossing slot a message: the probability of each letter at the crossing, given its own words and
// the messages of its other crossing slots (sum-product: Pearl, Probabilistic Reasoning in Intelligent Systems, 1988).
// The prior of a word is proportional to exp(-dear · cost). Deciding on the surest word and propagating again is
// decimation (Mézard, Parisi and Zecchina, Analytic and algorithmic solution of random satisfiability problems, Science
// 297, 2002).
#pragma once

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "noise.hpp"
#include "state.hpp"

namespace cpfill::mac {

constexpr int kFirstRounds = 12;  // rounds of messages before the first decision
constexpr int kRounds = 4;        // before each later decision
constexpr int kLastRounds = 100;  // for the number of solutions
constexpr float kDamping = 0.3F;  // the share of the old message in the new one
constexpr float kMean = 8.0F;  // the sum of a message over the letters, so that products of many messages stay in range
constexpr float kFaintest = 1e-9F;
constexpr float kStale = 0.02F;  // a message that changes by less wakes no slot
constexpr float kNone = 1e-35F;
constexpr int kRootRounds = 6;          // after a restart, when all domains have changed
constexpr double kUrgent = 0.3;         // a slot tells again once it has heard, or lost, this much
constexpr std::int64_t kTellCost = 50;  // of a slot without words, in words
constexpr std::int64_t kTold = 20'000;  // the words that may be told before a decision: a fifth of a millisecond
constexpr float kSureNoise = 0.5F;      // scale of the Gumbel noise that is added to the logarithm of a word's chance

class Beliefs {
  public:
    // `costs` may be null: then all words are alike.
    Beliefs(const Model& model, const State& state, const Costs* costs, double dear, std::uint64_t seed)
        : model_(model),
          state_(state),
          random_(seed),
          slots_(model.slots.size()) {
        for (std::size_t slot = 0; slot < slots_.size(); ++slot)
            slots_[slot].told.resize(model.slots[slot].crossings.size() * model.letters);
        if (!costs) return;
        for (const auto& of : costs->of) {
            chances_.emplace_back();
            for (const std::int64_t cost : of)
                chances_.back().push_back(static_cast<float>(std::exp(-dear * static_cast<double>(cost))));
        }
    }

    // Forget all messages: start again from uniform ones.
    void forget() { fresh_ = true; }

    // The logarithm of the expected number of solutions: the Bethe entropy (Yedidia, Freeman and Weiss, Constructing
    // free-energy approximations and generalized belief propagation algorithms, IEEE IT 51, 2005), the sum of the
    // entropies of the slots minus those of the cells where two slots cross.
    double expect() {
        begin();
        exchange(kLastRounds);
        double log = 0;
        for (int slot = 0; slot < static_cast<int>(slots_.size()); ++slot)
            if (state_.domain(slot).size > 1) log += slots_[slot].log;
        for (std::size_t cell = 0; cell < model_.cells.size(); ++cell) {
            if (state_.decided(static_cast<int>(cell))) continue;
            const Cell& crossed = model_.cells[cell];
            const float* told[2];
            for (int side = 0; side < 2; ++side)
                told[side] = &slots_[crossed.slot[side]].told[crossed.at[side] * model_.letters];
            double agree = 0;
            for (int letter = 0; letter < model_.letters; ++letter)
                agree += static_cast<double>(told[0][letter]) * told[1][letter];
            log -= std::log(agree);
        }
        return log;
    }

    // The slot whose likeliest word is surest, and that word; a slot of -1 if every slot has one word.
    std::pair<int, int> surest() {
        const int rounds = fresh_ ? kFirstRounds : kRounds;
        if (fresh_) begin();
        exchange(rounds);
        std::pair<int, int> best{-1, -1};
        float most = 0;
        for (int slot = 0; slot < static_cast<int>(slots_.size()); ++slot) {
            if (state_.domain(slot).size < 2) continue;
            const float sure =
                std::log(slots_[slot].sure + kFaintest) + kSureNoise * static_cast<float>(gumbel(random_));
            if (best.first >= 0 && sure <= most) continue;
            best = {slot, slots_[slot].word};
            most = sure;
        }
        return best;
    }

    // Bring all messages up to date, after a restart.
    void refresh() {
        if (fresh_) begin();
        exchange(kRootRounds);
    }

    // Bring the messages up to date after a decision, the most urgent first (residual belief propagation: Elidan,
    // McGraw and Koller, UAI 2006).
    void update() {
        for (std::int64_t told = 0; told < kTold;) {
            const int slot = most_urgent();
            if (slot < 0) return;
            told += state_.domain(slot).size + kTellCost;
            tell(slot);
        }
    }

    // The chance of the likeliest word of a slot, and for each letter at a crossing the logarithm of its chance, both
    // as of the last update.
    float sure(int slot) const { return slots_[slot].sure; }
    void take_logs(int slot, int at, std::vector<float>& logs) const {
        const float* told = &slots_[slot].told[static_cast<std::size_t>(at) * model_.letters];
        logs.assign(told, told + model_.letters);
        for (float& chance : logs) chance = static_cast<float>(std::log(static_cast<double>(chance)));
    }

  private:
    struct Slot {
        std::vector<float> told;    // by crossing and letter, what the crossing slot tells
        std::uint64_t version = 0;  // of the domain that was last looked at
        bool stirred = false;       // a slot that crosses tells something else since
        int size = 0;               // of that domain
        double urgency = 0;         // the change in messages to it since then
        float sure = 0;             // the chance of the likeliest word
        double log = 0;             // of the sum over its words of the products of messages
        int word = -1;
    };
    struct Open {
        int pos;
        int at;
        const float* told;
        float marginal[kMaxLetters];
    };

    // Set all messages to uniform.
    void begin() {
        for (Slot& slot : slots_) {
            std::fill(slot.told.begin(), slot.told.end(), 1.0F);
            slot.version = 0;
        }
        fresh_ = false;
    }

    // The slot that has changed most since it last told: the messages to it, and the logarithm of its size; -1 if no
    // slot has changed much.
    int most_urgent() const {
        int best = -1;
        double most = kUrgent;
        for (int slot = 0; slot < static_cast<int>(slots_.size()); ++slot) {
            const Domain& d = state_.domain(slot);
            if (d.size < 2) continue;
            double urgency = slots_[slot].urgency;
            if (slots_[slot].version != d.version)
                urgency += std::abs(std::log(static_cast<double>(d.size) / slots_[slot].size));
            if (urgency > most) {
                most = urgency;
                best = slot;
            }
        }
        return best;
    }

    // Let every slot send its messages, for at most `rounds` rounds, until they stop changing.
    void exchange(int rounds) {
        for (bool stirred = true; stirred && rounds > 0; --rounds) {
            stirred = false;
            for (int slot = 0; slot < static_cast<int>(slots_.size()); ++slot) {
                const Domain& d = state_.domain(slot);
                if (d.size < 2 || (slots_[slot].version == d.version && !slots_[slot].stirred)) continue;
                tell(slot);
                stirred = true;
            }
        }
    }

    // Send the messages of one slot.
    void tell(int number) {
        Slot& slot = slots_[number];
        const mac::Slot& fixed = model_.slots[number];
        slot.version = state_.domain(number).version;
        slot.size = state_.domain(number).size;
        slot.stirred = false;
        slot.urgency = 0;
        open_.clear();
        for (std::size_t at = 0; at < fixed.crossings.size(); ++at)
            if (!state_.decided(fixed.crossings[at].cell))
                open_.push_back({fixed.crossings[at].pos, static_cast<int>(at), &slot.told[at * model_.letters], {}});
        const float* chances = chances_.empty() ? nullptr : chances_[fixed.kind].data();
        float total = 0;
        float most = -1;
        state_.for_words(number, [&](int word, const std::uint8_t* letters) {
            float chance = chances ? chances[word] : 1.0F;
            for (const Open& open : open_) chance *= open.told[letters[open.pos]];
            total += chance;
            if (chance > most) {
                most = chance;
                slot.word = word;
            }
            for (Open& open : open_) open.marginal[letters[open.pos]] += chance;
        });
        if (!(total > kNone)) {  // the messages rule out all its words: reset them
            for (const Open& open : open_) std::fill_n(&slot.told[open.at * model_.letters], model_.letters, 1.0F);
            slot.sure = 0;
            slot.log = 0;
            return;
        }
        slot.sure = most / total;
        slot.log = std::log(static_cast<double>(total));
        for (const Open& open : open_) {
            const Crossing& crossing = fixed.crossings[open.at];
            Slot& other = slots_[crossing.other];
            float* told = &other.told[crossing.other_at * model_.letters];
            float sum = 0;
            float message[kMaxLetters];
            for (int letter = 0; letter < model_.letters; ++letter) {
                message[letter] = open.marginal[letter] / std::max(open.told[letter], kFaintest);
                sum += message[letter];
            }
            if (!(sum > 0)) continue;
            for (int letter = 0; letter < model_.letters; ++letter) {
                const float now =
                    std::max(kFaintest, kDamping * told[letter] + (1 - kDamping) * kMean * message[letter] / sum);
                const float change = std::abs(now - told[letter]);
                if (change > kStale) other.stirred = true;
                other.urgency += change / kMean;
                told[letter] = now;
            }
        }
    }

    const Model& model_;
    const State& state_;
    std::mt19937_64 random_;
    std::vector<Slot> slots_;
    std::vector<std::vector<float>> chances_;  // by kind and word
    std::vector<Open> open_;
    bool fresh_ = true;
};

}  // namespace cpfill::mac
