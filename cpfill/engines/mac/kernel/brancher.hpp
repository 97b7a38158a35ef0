// Chooses what to try next: the slot of least domain size per weight, and its most promising word.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "beliefs.hpp"
#include "propagator.hpp"

namespace cpfill::mac {

constexpr double kUncrossed = 1e-3;  // what a slot without undecided crossings weighs: it can wait
constexpr double kNoWord = 0.01;     // stands for no word at all under the logarithm
constexpr double kNoise = 0.5;       // scale of the Gumbel noise: breaks ties, and another seed gives another fill
constexpr double kUnsure = 1e-9;     // the chance of the likeliest word is not less
constexpr int kNoises = 4093;
constexpr std::int64_t kDear = std::int64_t{1} << 60;  // more than any word costs

// dom/wdeg (Boussemart, Hemery, Lecoutre and Sais, ECAI 2004) with the weights on cells; the word is the one that
// leaves most to its crossings: the greatest sum of log(words of the crossing slot that have its letter there), after
// the promise of Geelen (ECAI 1992).
class Brancher {
  public:
    // `dear` is the amount by which a unit of a word's cost in the last budget lowers its promise.
    Brancher(const Model& model, const State& state, const Propagator& propagator, std::uint64_t seed, double dear)
        : model_(model),
          state_(state),
          propagator_(propagator),
          random_(seed),
          dear_(dear),
          tallies_(model.slots.size()),
          agreements_(model.cells.size()) {
        for (std::size_t slot = 0; slot < tallies_.size(); ++slot)
            tallies_[slot].assign(model.slots[slot].crossings.size(), Tally{});
        for (auto& noise : noise_) noise = kNoise * gumbel(random_);
    }

    // The slot to branch on; -1 if every slot has one word. With beliefs, the size of a domain is that of a domain with
    // as sure a word and all words alike.
    int slot(const Beliefs* beliefs) const {
        int best = -1;
        double least = 0;
        for (std::size_t slot = 0; slot < model_.slots.size(); ++slot) {
            double size = state_.domain(static_cast<int>(slot)).size;
            if (size <= 1) continue;
            if (beliefs) size = 1 / (beliefs->sure(static_cast<int>(slot)) + kUnsure);
            double weight = kUncrossed;
            for (const Crossing& crossing : model_.slots[slot].crossings)
                if (!state_.decided(crossing.cell)) weight += propagator_.consistency().weights()[crossing.cell];
            const double ratio = size / weight;
            if (best < 0 || ratio < least) {
                best = static_cast<int>(slot);
                least = ratio;
            }
        }
        return best;
    }

    // The undecided cell with the fewest letters for its weight; -1 if all are decided.
    int cell() const {
        int best = -1;
        double least = 0;
        for (std::size_t cell = 0; cell < model_.cells.size(); ++cell) {
            const int letters = std::popcount(state_.letters(static_cast<int>(cell)));
            if (letters <= 1) continue;
            const double ratio = letters / propagator_.consistency().weights()[cell];
            if (best < 0 || ratio < least) {
                best = static_cast<int>(cell);
                least = ratio;
            }
        }
        return best;
    }

    // The letter of a cell to try first: if costs are shifted, the letter that is cheapest in its two slots together.
    int letter(int cell) const {
        const Letters open = state_.letters(cell);
        const Spending& spending = propagator_.spending();
        if (!spending.any() || !spending.prices().shifted()) return std::countr_zero(open);
        const Prices& prices = spending.prices();
        std::int64_t costs[kMaxLetters] = {};
        for (int side = 0; side < 2; ++side) {
            const int slot = model_.cells[cell].slot[side];
            const int pos = model_.slots[slot].crossings[model_.cells[cell].at[side]].pos;
            std::int64_t least[kMaxLetters];
            std::fill(least, least + model_.letters, kDear);
            prices.for_words(state_, slot, [&](int word, std::int64_t cost) {
                std::int64_t& of_letter = least[model_.table(slot).spelled(word)[pos]];
                of_letter = std::min(of_letter, cost);
            });
            for (int letter = 0; letter < model_.letters; ++letter) costs[letter] += least[letter];
        }
        int best = std::countr_zero(open);
        for (Letters left = open; left; left &= left - 1)
            if (const int other = std::countr_zero(left); costs[other] < costs[best]) best = other;
        return best;
    }

    // The word of a slot to try first, of those that `among` has if it is not null. With beliefs, its crossing slots
    // count as far as the rest of the grid is likely to let them have the letter.
    int word(int slot, const Beliefs* beliefs, const Block* among) {
        const Slot& fixed = model_.slots[slot];
        open_.clear();
        believed_.resize(std::max(believed_.size(), fixed.crossings.size()));
        for (std::size_t at = 0; at < fixed.crossings.size(); ++at) {
            const Crossing& crossing = fixed.crossings[at];
            if (state_.decided(crossing.cell)) continue;
            if (beliefs) {
                beliefs->take_logs(slot, static_cast<int>(at), believed_[at]);
                open_.push_back({crossing.pos, believed_[at].data()});
            } else {
                open_.push_back({crossing.pos, tally(crossing.other, crossing.other_at)});
            }
        }
        const Prices* prices = dear_ > 0 ? &propagator_.spending().prices() : nullptr;
        const double dear = prices ? dear_ / static_cast<double>(prices->scale()) : 0;
        int best = -1;
        double most = 0;
        const auto consider = [&](int word, const std::uint8_t* letters) {
            double promise = noise_[turn_++ % kNoises];
            if (prices) promise -= dear * static_cast<double>(prices->cost(slot, static_cast<std::uint32_t>(word)));
            for (const Open& open : open_) promise += open.logs[letters[open.pos]];
            if (best < 0 || promise > most) {
                best = word;
                most = promise;
            }
        };
        turn_ = static_cast<unsigned>(random_());
        if (!among) {
            state_.for_words(slot, consider);
            return best;
        }
        state_.for_words(slot, [&](int word, const std::uint8_t* letters) {
            if (test(among, word)) consider(word, letters);
        });
        return best;
    }

    // The logarithm of the expected number of solutions if letters were independent: the product of the domain sizes
    // and of the probabilities that the slots agree at each cell.
    double promise() {
        double log = 0;
        for (std::size_t slot = 0; slot < model_.slots.size(); ++slot)
            log += std::log(state_.domain(static_cast<int>(slot)).size);
        for (std::size_t cell = 0; cell < model_.cells.size(); ++cell)
            if (!state_.decided(static_cast<int>(cell))) log += agreement(static_cast<int>(cell));
        return log;
    }

  private:
    struct Tally {
        std::uint64_t version = 0;
        std::vector<float> logs;
    };
    struct Agreement {
        std::uint64_t versions[2] = {0, 0};
        double log = 0;
    };
    struct Open {
        int pos;
        const float* logs;
    };

    // For each letter, the logarithm of the number of words of a slot with it at a crossing.
    const float* tally(int slot, int at) {
        Tally& known = tallies_[slot][at];
        const Domain& d = state_.domain(slot);
        if (known.version == d.version) return known.logs.data();
        known.version = d.version;
        count_letters(slot, at, known.logs);
        for (float& count : known.logs) count = static_cast<float>(std::log(count + kNoWord));
        return known.logs.data();
    }

    // For each letter, the number of words of a slot with it at a crossing.
    void count_letters(int slot, int at, std::vector<float>& counts) const {
        const Domain& d = state_.domain(slot);
        const Table& table = model_.table(slot);
        const Crossing& crossing = model_.slots[slot].crossings[at];
        counts.assign(model_.letters, 0.0F);
        if (d.is_list()) {
            for (int i = 0; i < d.size; ++i) ++counts[d.row(i, table.stride)[crossing.pos]];
        } else {
            for (Letters left = state_.letters(crossing.cell); left; left &= left - 1) {
                const int letter = std::countr_zero(left);
                counts[letter] =
                    static_cast<float>(count_common(d.bits, table.mask(crossing.pos, letter), model_.blocks(slot)));
            }
        }
    }

    // The logarithm of the probability that random words of the two slots through a cell have the same letter there.
    double agreement(int cell) {
        Agreement& known = agreements_[cell];
        const Cell& crossed = model_.cells[cell];
        const Domain& one = state_.domain(crossed.slot[0]);
        const Domain& other = state_.domain(crossed.slot[1]);
        if (known.versions[0] == one.version && known.versions[1] == other.version) return known.log;
        known.versions[0] = one.version;
        known.versions[1] = other.version;
        count_letters(crossed.slot[0], crossed.at[0], counts_[0]);
        count_letters(crossed.slot[1], crossed.at[1], counts_[1]);
        double agree = 0;
        for (int letter = 0; letter < model_.letters; ++letter)
            agree += static_cast<double>(counts_[0][letter]) * counts_[1][letter];
        return known.log = std::log(agree / one.size / other.size);
    }

    const Model& model_;
    const State& state_;
    const Propagator& propagator_;
    std::mt19937_64 random_;
    const double dear_;
    std::vector<std::vector<Tally>> tallies_;
    std::vector<Open> open_;
    std::vector<std::vector<float>> believed_;  // by crossing of a slot
    std::vector<Agreement> agreements_;
    std::vector<float> counts_[2];
    double noise_[kNoises];
    unsigned turn_ = 0;
};

}  // namespace cpfill::mac
