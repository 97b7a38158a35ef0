// Arc consistency through the cells, all-different and excluded pairs; failures add to the weights of cells.
//
// Revising a slot removes the words whose letter at a changed cell is gone, then from each undecided cell the letters
// that no word of the slot supports any more. A cell that loses letters wakes its other slot with those letters. The
// queue yields the smallest domain first, or the smallest for the weight of its cells.
#pragma once

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>
#include <vector>

#include "state.hpp"

namespace cpfill::mac {

// What a wipeout adds to the weight of the cells whose change emptied the slot, and of its other cells.
constexpr double kBlame = 1.0;
constexpr double kSideBlame = 0.2;

// Above this size, letters are looked up again only once the domain has shrunk by a fifth since the last look-up. That
// is sound, because the look-up is only delayed, and it halves the work.
constexpr int kLargeDomain = 1000;
constexpr double kBarelyShrunk = 0.8;

class Consistency {
  public:
    Consistency(const Model& model, State& state)
        : model_(model),
          state_(state),
          slots_(model.slots.size()),
          weights_(model.cells.size(), 1.0),
          lightness_(model.slots.size(), 1.0) {
        for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
            const Slot& s = model.slots[slot];
            slots_[slot].gone.assign(s.crossings.size(), 0);
            slots_[slot].residue.assign(s.crossings.size() * model.letters, -1);
        }
    }

    std::vector<double>& weights() { return weights_; }  // by cell
    const std::vector<double>& weights() const { return weights_; }
    // Start with known weights. With `heavy_first`, slots with heavy cells are revised sooner, by these weights alone:
    // to follow the weights of this search as well would shift more and more blame to the same slots.
    void set_weights(const std::vector<double>& weights, bool heavy_first) {
        weights_ = weights;
        if (!heavy_first) return;
        for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
            const std::vector<Crossing>& crossings = model_.slots[slot].crossings;
            double sum = 0;
            for (const Crossing& crossing : crossings) sum += weights_[crossing.cell];
            if (sum > 0) lightness_[slot] = static_cast<double>(crossings.size()) / sum;
        }
    }
    int wiped_out() const { return wiped_out_; }  // the slot of the last wipeout
    bool settled() const { return queue_.empty(); }

    // Have `hear` called with each slot that was revised.
    void on_revised(std::function<void(int)> hear) { hear_ = std::move(hear); }

    // Wake every slot, before the first propagation.
    void wake_all() {
        for (std::size_t slot = 0; slot < slots_.size(); ++slot) wake(static_cast<int>(slot), true);
    }

    // The slot was given one word.
    void assigned(int slot) { wake(slot, true); }

    // Keep only these letters in a cell and wake both its slots.
    void restrict_cell(int cell, Letters kept) {
        const Letters gone = state_.letters(cell) & ~kept;
        state_.restrict_cell(cell, kept);
        for (int side = 0; side < 2; ++side) lose(model_.cells[cell].slot[side], model_.cells[cell].at[side], gone);
    }

    // Remove a word from a slot; false if it was the last one.
    bool remove_word(int slot, int word) {
        state_.remove_word(slot, word);
        wake(slot, true);
        return state_.domain(slot).size > 0;
    }

    // Keep only these words in a slot; false if that leaves none.
    bool keep_words(int slot, const Block* kept) {
        std::vector<Block> gone(model_.table(slot).blocks);
        for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = ~kept[i];
        return lose_words(slot, gone.data());
    }

    // Remove words from a slot; false if that leaves none.
    bool lose_words(int slot, const Block* gone) {
        if (!state_.remove_words(slot, gone)) return true;
        wake(slot, true);
        if (state_.domain(slot).size > 0) return true;
        wiped_out_ = slot;
        return false;
    }

    // Look at a slot again, and with `look` at its letters even if no cell has changed.
    void wake(int slot, bool look) {
        SlotState& s = slots_[slot];
        s.look |= look;
        if (!s.queued) {
            s.queued = true;
            queue_.push_back(slot);
        }
    }
    // Revise slots until the queue is empty; false on a wipeout, which empties the queue.
    bool revise_all() {
        while (!queue_.empty()) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < queue_.size(); ++i)
                if (urgency(queue_[i]) < urgency(queue_[best])) best = i;
            const int slot = queue_[best];
            queue_[best] = queue_.back();
            queue_.pop_back();
            slots_[slot].queued = false;
            const bool left = revise(slot);
            if (hear_) hear_(slot);
            if (!left) {
                blame(slot);
                clear();
                return false;
            }
        }
        return true;
    }

    void clear() {
        for (const int slot : queue_) {
            slots_[slot].queued = slots_[slot].look = false;
            std::fill(slots_[slot].gone.begin(), slots_[slot].gone.end(), 0);
        }
        queue_.clear();
    }

  private:
    struct SlotState {
        std::vector<Letters> gone;  // letters lost by each crossed cell since the slot was last revised
        std::vector<int> residue;   // for each (crossing, letter) the word last seen to support it, or -1
        int looked_at = 0;          // the domain's size when its letters were last looked up
        bool queued = false;
        bool look = false;  // the letters are to be looked up even if no cell has changed
    };
    void lose(int slot, int at, Letters gone) {
        slots_[slot].gone[at] |= gone;
        wake(slot, false);
    }

    double urgency(int slot) const { return state_.domain(slot).size * lightness_[slot]; }

    bool revise(int slot) {
        SlotState& s = slots_[slot];
        const int before = state_.domain(slot).size;
        const bool look = s.look;
        s.look = false;
        if (!filter(slot)) {
            wiped_out_ = slot;
            return false;
        }
        const int size = state_.domain(slot).size;
        std::fill(s.gone.begin(), s.gone.end(), 0);
        if (size == before && !look) return true;
        if (size == 1 && !(distinct(slot) && separate(slot))) return false;
        if (size > kLargeDomain && !look && size >= kBarelyShrunk * s.looked_at && size <= s.looked_at) return true;
        s.looked_at = size;
        if (state_.domain(slot).is_list())
            look_up_list(slot);
        else
            look_up_bits(slot);
        return true;
    }

    // Remove the words that need a lost letter; false if no word is left.
    bool filter(int slot) {
        const Slot& fixed = model_.slots[slot];
        const SlotState& s = slots_[slot];
        bool any = false;
        for (const Letters gone : s.gone) any |= gone != 0;
        if (!any) return state_.domain(slot).size > 0;
        if (state_.domain(slot).is_list()) {
            for (std::size_t at = 0; at < fixed.crossings.size(); ++at) {
                if (!s.gone[at]) continue;
                const auto fits = [gone = s.gone[at], pos = fixed.crossings[at].pos](std::uint32_t,
                                                                                     const std::uint8_t* letters) {
                    return !(gone >> letters[pos] & 1);
                };
                state_.keep_if(slot, fits);
            }
            return state_.domain(slot).size > 0;
        }
        sets_.clear();
        sets_.reserve(fixed.crossings.size() * model_.letters);  // so that what points into it stays where it is
        sieves_.clear();
        for (std::size_t at = 0; at < fixed.crossings.size(); ++at) {
            if (!s.gone[at]) continue;
            const Crossing& crossing = fixed.crossings[at];
            const Letters left = state_.letters(crossing.cell);
            const bool keeps = std::popcount(left) < std::popcount(s.gone[at]);
            const Block* const* begin = sets_.data() + sets_.size();
            for (Letters letters = keeps ? left : s.gone[at]; letters; letters &= letters - 1)
                sets_.push_back(model_.table(slot).mask(crossing.pos, std::countr_zero(letters)));
            sieves_.push_back({begin, sets_.data() + sets_.size(), keeps});
        }
        state_.sift(slot, sieves_.data(), sieves_.data() + sieves_.size());
        return state_.domain(slot).size > 0;
    }

    void look_up_list(int slot) {
        const Table& table = model_.table(slot);
        const Domain& d = state_.domain(slot);
        columns_.resize(table.stride);
        unite_rows(d.rows, d.size, table.stride, model_.letters, columns_.data());
        for (const Crossing& crossing : model_.slots[slot].crossings) {
            const Letters had = state_.letters(crossing.cell);
            if (had & (had - 1)) keep(crossing, had, had & columns_[crossing.pos]);
        }
    }

    CPFILL_AVX2_CLONES void look_up_bits(int slot) {
        const Slot& fixed = model_.slots[slot];
        const Table& table = model_.table(slot);
        const Domain& d = state_.domain(slot);
        const int blocks = model_.blocks(slot);
        SlotState& s = slots_[slot];
        for (std::size_t at = 0; at < fixed.crossings.size(); ++at) {
            const Crossing& crossing = fixed.crossings[at];
            const Letters had = state_.letters(crossing.cell);
            if ((had & (had - 1)) == 0) continue;
            Letters has = 0;
            for (Letters left = had; left; left &= left - 1) {
                const int letter = std::countr_zero(left);
                int& residue = s.residue[at * model_.letters + letter];
                if (residue < 0 || !test(d.bits, residue)) {
                    const Block* mask = table.mask(crossing.pos, letter);
                    const int found = common_block(d.bits, mask, blocks, std::max(residue, 0) / kBlockBits);
                    if (found < 0) continue;
                    residue = found * kBlockBits + std::countr_zero(d.bits[found] & mask[found]);
                }
                has |= Letters{1} << letter;
            }
            keep(crossing, had, has);
        }
    }

    void keep(const Crossing& crossing, Letters had, Letters has) {
        if (has == had) return;
        state_.restrict_cell(crossing.cell, has);
        lose(crossing.other, crossing.other_at, had & ~has);
    }

    // Remove the only word left from every slot that may not share it.
    bool distinct(int slot) {
        const int word = state_.word(slot);
        if (!test(model_.singles[model_.slots[slot].table].data(), word)) return true;
        for (const int peer : model_.slots[slot].peers)
            if (!lose_word(peer, word)) return false;
        return true;
    }

    // Remove the words that share a mark with the only word left from every other slot.
    bool separate(int slot) {
        if (!model_.index->separates()) return true;
        sharers_.resize(model_.index->tables.size());
        model_.index->for_sharers(model_.slots[slot].table, state_.word(slot), [&](int table, int word) {
            if (sharers_[table].empty()) sharers_[table].assign(model_.tables[table].blocks, 0);
            set_bit(sharers_[table].data(), word);
        });
        bool left = true;
        for (int other = 0; left && other < static_cast<int>(slots_.size()); ++other)
            if (other != slot && !sharers_[model_.slots[other].table].empty())
                left = lose_words(other, sharers_[model_.slots[other].table].data());
        sharers_.clear();
        return left;
    }

    bool lose_word(int slot, int word) {
        if (!state_.contains(slot, word) || remove_word(slot, word)) return true;
        wiped_out_ = slot;
        return false;
    }

    void blame(int slot) {
        const std::vector<Crossing>& crossings = model_.slots[slot].crossings;
        for (std::size_t at = 0; at < crossings.size(); ++at)
            weights_[crossings[at].cell] += slots_[slot].gone[at] ? kBlame : kSideBlame;
        std::fill(slots_[slot].gone.begin(), slots_[slot].gone.end(), 0);
    }

    const Model& model_;
    State& state_;
    std::function<void(int)> hear_;
    std::vector<SlotState> slots_;
    std::vector<int> queue_;
    std::vector<const Block*> sets_;
    std::vector<Sieve> sieves_;  // made of `sets_`
    std::vector<Letters> columns_;
    std::vector<std::vector<Block>> sharers_;  // by table
    std::vector<double> weights_;
    std::vector<double> lightness_;  // by slot: a factor on its size in the queue
    int wiped_out_ = -1;
};

}  // namespace cpfill::mac
