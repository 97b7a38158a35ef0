// The costs of words in a budget, slot by slot, and the shifting of costs between slots that cross.
//
// Σ over the slots of the cheapest cost is a weak bound on the cost of a fill: the cheapest words do not cross. The
// cost of a letter in one slot can be shifted to the slot that crosses it there without changing the cost of any fill.
// Shifting until every letter costs the same on both sides raises the bound nearly to that of the linear relaxation:
// max-sum diffusion (Werner, A linear programming approach to max-sum problem: a review, IEEE PAMI 29, 2007). Costs are
// shifted before a search, and again at its nodes, because the remaining words allow a better bound there (Cooper et
// al., Soft arc consistency revisited, AI 174, 2010).
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "state.hpp"

namespace cpfill::mac {

constexpr std::int64_t kFinest = 1 << 10;              // shifted costs are counted in up to this many parts of a unit,
constexpr std::int64_t kRoom = std::int64_t{1} << 55;  // as long as their total does not exceed this
constexpr int kSweeps = 60;
constexpr int kLeastGain = 500;  // stop after a sweep that raises the bound by less than 1/this of the rise so far
constexpr int kStir = 8;         // shifts of less than 1/this of a unit are skipped
constexpr int kNodeSweeps = 4;
constexpr int kNodeLeastGain = 20;  // the same at a node, as 1/this of the possible rise of the bound

class Prices {
  public:
    Prices(const Model& model, const Costs& costs) : model_(model), costs_(costs) {}

    // Units of `cost` in one of the budget's.
    std::int64_t scale() const { return scale_; }

    std::int64_t cost(int slot, std::uint32_t word) const {
        const Slot& fixed = model_.slots[slot];
        std::int64_t cost = costs_.of[fixed.kind][word] * scale_;
        if (!depth_) return cost;
        const std::uint8_t* letters = model_.tables[fixed.table].spelled(static_cast<int>(word));
        const std::int64_t* shifts = &top().shifts[starts_[slot]];
        for (const int pos : fixed.priced) cost += shifts[pos * model_.letters + letters[pos]];
        return cost;
    }

    // The words that a slot may have, cheapest first by the costs of before the search; more, where its table has more.
    const std::vector<std::uint32_t>& order(int slot) const {
        return depth_ ? order_[slot] : costs_.order[model_.slots[slot].kind];
    }

    bool shifted() const { return depth_ > 0; }
    bool shifted_at_node() const { return depth_ > 1; }

    // The version of the current costs: results computed from a different version are invalid.
    std::uint64_t version() const { return depth_ ? top().version : 0; }

    // The number of words when costs were last shifted.
    double words() const { return top().words; }

    // Whether there is room for shifted costs.
    bool can_shift() const { return find_most() <= kRoom / count_slots(); }

    // Prepare for shifting: from now on, `cost` is in finer units.
    void refine() {
        scale_ = std::clamp<std::int64_t>(kRoom / count_slots() / find_most(), 1, kFinest);
        make_room();
    }

    // What is added to the costs of words, by slot, position and letter, before the search.
    const std::vector<std::int64_t>& shifts() const { return frames_.front().shifts; }
    const std::int64_t* shifts(int slot, int pos) const { return &frames_.front().shifts[place(slot, pos)]; }
    // Where the shifts of the first letter stand among them.
    std::size_t place(int slot, int pos) const { return starts_[slot] + pos * model_.letters; }

    // Start from the shifted costs of some slots of a larger search, and shift them on within these slots.
    void take_over(const Prices& whole, const std::vector<std::int64_t>& shifts, const std::vector<int>& slots,
                   const State& state) {
        scale_ = whole.scale_;
        make_room();
        for (std::size_t slot = 0; slot < slots.size(); ++slot) {
            const auto first = shifts.begin() + static_cast<std::ptrdiff_t>(whole.starts_[slots[slot]]);
            std::copy_n(first, starts_[slot + 1] - starts_[slot], &top().shifts[starts_[slot]]);
        }
        gather(state);
        while (sweep(state)) continue;
        settle();
    }

    // Look up what the words of the domains cost, before the first decision: nodes have some of these words.
    void gather(const State& state) {
        for (std::size_t slot = 0; slot < top().columns.size(); ++slot) {
            Column& column = top().columns[slot];
            const Table& table = model_.table(static_cast<int>(slot));
            column = Column{};
            state.for_words(static_cast<int>(slot), [&](int word, const std::uint8_t*) {
                column.words.push_back(word);
                column.costs.push_back(cost(static_cast<int>(slot), static_cast<std::uint32_t>(word)));
            });
            for (const Crossing& crossing : model_.slots[slot].crossings)
                for (const int word : column.words) column.letters.push_back(table.spelled(word)[crossing.pos]);
        }
        begin();
    }

    // Shift once over all crossings before the search; false if a further sweep is unnecessary.
    bool sweep(const State& state) {
        const std::int64_t before = bound_;
        shift_all(state);
        return ++sweeps_ < kSweeps && (bound_ - before) * kLeastGain > bound_ - first_bound_;
    }

    // Order the words that were looked up.
    void settle() {
        for (std::size_t slot = 0; slot < order_.size(); ++slot) {
            const Column& column = top().columns[slot];
            std::vector<std::pair<std::int64_t, int>> priced;
            for (std::size_t i = 0; i < column.words.size(); ++i) priced.push_back({column.costs[i], column.words[i]});
            std::sort(priced.begin(), priced.end());
            order_[slot].clear();
            for (const auto& [cost, word] : priced) order_[slot].push_back(static_cast<std::uint32_t>(word));
        }
    }

    // Shift at a node, while that may raise the bound by more than `slack`; return the rise.
    std::int64_t shift_at_node(const State& state, std::int64_t slack) {
        push(state.level());
        const Frame& before = frames_[depth_ - 2];
        top().shifts = before.shifts;
        for (std::size_t slot = 0; slot < before.columns.size(); ++slot)
            filter(state, static_cast<int>(slot), before.columns[slot], top().columns[slot]);
        begin();
        for (std::size_t slot = 0; slot < before.columns.size(); ++slot)
            top().columns[slot].stirred = top().columns[slot].words.size() != before.columns[slot].words.size();
        for (int sweep = 0; sweep < kNodeSweeps; ++sweep) {
            const std::int64_t last = bound_;
            shift_all(state);
            const std::int64_t left = slack - (bound_ - first_bound_);
            if (left < 0 || (bound_ - last) * kNodeLeastGain < left) break;
        }
        return bound_ - first_bound_;
    }

    // Restore the costs from before the shifts at deeper levels.
    void take_back(int level) {
        while (depth_ && top().level > level) --depth_;
    }

    // Calls `visit(word)` for every word of those last looked up that costs over `slack` more than the slot's cheapest.
    template <typename Visit>
    void for_dear(int slot, std::int64_t slack, Visit visit) const {
        const Column& column = top().columns[slot];
        if (column.words.size() < 2) return;
        const std::int64_t cap = *std::min_element(column.costs.begin(), column.costs.end()) + slack;
        for (std::size_t i = 0; i < column.words.size(); ++i)
            if (column.costs[i] > cap) visit(column.words[i]);
    }

    // Calls `visit(word, cost)` for every word of a slot.
    template <typename Visit>
    void for_words(const State& state, int slot, Visit visit) const {
        if (!shifted_at_node() || state.domain(slot).is_list()) {
            const auto priced = [&](int word, const std::uint8_t*) {
                visit(word, cost(slot, static_cast<std::uint32_t>(word)));
            };
            state.for_words(slot, priced);
            return;
        }
        const Column& column = top().columns[slot];
        for (std::size_t i = 0; i < column.words.size(); ++i)
            if (test(state.domain(slot).bits, column.words[i])) visit(column.words[i], column.costs[i]);
    }

  private:
    // The words of a slot, what they cost, and their letters at one crossing after another.
    struct Column {
        std::vector<int> words;
        std::vector<std::int64_t> costs;
        std::vector<std::uint8_t> letters;
        bool stirred = true;  // words or costs have changed: shifting may change more
    };
    // The costs from a node on: what was added to those of the words, by slot, position and letter, and what that comes
    // to for the words that there were.
    struct Frame {
        int level = 0;
        std::uint64_t version = 0;
        double words = 0;
        std::vector<std::int64_t> shifts;
        std::vector<Column> columns;
    };
    using ByLetter = std::array<std::int64_t, kMaxLetters>;

    std::int64_t count_slots() const { return std::max(std::int64_t{1}, std::int64_t(model_.slots.size())); }

    std::int64_t find_most() const {
        std::int64_t most = 1;
        for (const auto& of : costs_.of)
            for (const std::int64_t cost : of) most = std::max(most, cost);
        return most;
    }

    Frame& top() { return frames_[depth_ - 1]; }
    const Frame& top() const { return frames_[depth_ - 1]; }

    void push(int level) {
        if (depth_ == frames_.size()) frames_.emplace_back();
        ++depth_;
        top().level = level;
        top().version = ++versions_;
        top().columns.resize(model_.slots.size());
    }

    void make_room() {
        starts_.assign(1, 0);
        for (const Slot& slot : model_.slots)
            starts_.push_back(starts_.back() + model_.tables[slot.table].length * model_.letters);
        order_.resize(model_.slots.size());
        push(0);
        top().shifts.assign(starts_.back() + 1, 0);
    }

    // Copy of a column the words that are left.
    void filter(const State& state, int slot, const Column& from, Column& to) const {
        const Domain& domain = state.domain(slot);
        const std::size_t size = from.words.size();
        const std::size_t crossings = model_.slots[slot].crossings.size();
        kept_.clear();
        if (domain.is_list()) {
            marks_.resize(std::max(marks_.size(), static_cast<std::size_t>(model_.table(slot).blocks)));
            for (int i = 0; i < domain.size; ++i) set_bit(marks_.data(), static_cast<int>(domain.ids[i]));
        }
        const Block* bits = domain.is_list() ? marks_.data() : domain.bits;
        for (std::size_t i = 0; i < size; ++i)
            if (test(bits, from.words[i])) kept_.push_back(i);
        if (domain.is_list())
            for (int i = 0; i < domain.size; ++i) clear_bit(marks_.data(), static_cast<int>(domain.ids[i]));
        if (kept_.size() == size) {
            to = from;
            return;
        }
        to.words.resize(kept_.size());
        to.costs.resize(kept_.size());
        to.letters.resize(kept_.size() * crossings);
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            to.words[i] = from.words[kept_[i]];
            to.costs[i] = from.costs[kept_[i]];
        }
        for (std::size_t at = 0; at < crossings; ++at) {
            const std::uint8_t* letters = from.letters.data() + at * size;
            std::uint8_t* left = to.letters.data() + at * kept_.size();
            for (const std::size_t kept : kept_) *left++ = letters[kept];
        }
    }

    void begin() {
        top().words = 0;
        for (const Column& column : top().columns) top().words += static_cast<double>(column.words.size());
        bound_ = first_bound_ = add_least();
        sweeps_ = 0;
    }

    // Shift cell by cell, so that every letter costs the same in both slots.
    void shift_all(const State& state) {
        Frame& frame = top();
        stirred_.assign(frame.columns.size(), 0);
        for (std::size_t cell = 0; cell < model_.cells.size(); ++cell) {
            const Cell& crossed = model_.cells[cell];
            const bool stirred = frame.columns[crossed.slot[0]].stirred || frame.columns[crossed.slot[1]].stirred;
            if (!stirred || state.decided(static_cast<int>(cell))) continue;
            ByLetter least[2];
            for (int side = 0; side < 2; ++side)
                find_least(frame.columns[crossed.slot[side]], crossed.at[side], least[side]);
            ByLetter shift{};
            for (int letter = 0; letter < model_.letters; ++letter)
                if (least[0][letter] != kNoCap && least[1][letter] != kNoCap)
                    shift[letter] = (least[1][letter] - least[0][letter]) >> 1;
            std::int64_t most = 0;
            for (int letter = 0; letter < model_.letters; ++letter) most = std::max(most, std::abs(shift[letter]));
            if (most * kStir < scale_) continue;
            stirred_[crossed.slot[0]] = stirred_[crossed.slot[1]] = 1;
            for (int side = 0; side < 2; ++side) {
                const int pos = model_.slots[crossed.slot[side]].crossings[crossed.at[side]].pos;
                add(frame.columns[crossed.slot[side]], crossed.at[side], shift);
                std::int64_t* shifts = &frame.shifts[place(crossed.slot[side], pos)];
                for (int letter = 0; letter < model_.letters; ++letter) {
                    shifts[letter] += shift[letter];
                    shift[letter] = -shift[letter];
                }
            }
        }
        for (std::size_t slot = 0; slot < frame.columns.size(); ++slot) frame.columns[slot].stirred = stirred_[slot];
        bound_ = add_least();
    }

    // By letter at a crossing, the cost of the cheapest word that has it; `kNoCap` where none has.
    void find_least(const Column& column, int at, ByLetter& least) const {
        std::fill_n(least.begin(), model_.letters, kNoCap);
        const std::size_t size = column.words.size();
        const std::uint8_t* letters = column.letters.data() + at * size;
        for (std::size_t i = 0; i < size; ++i) least[letters[i]] = std::min(least[letters[i]], column.costs[i]);
    }

    static void add(Column& column, int at, const ByLetter& shift) {
        const std::size_t size = column.words.size();
        const std::uint8_t* letters = column.letters.data() + at * size;
        for (std::size_t i = 0; i < size; ++i) column.costs[i] += shift[letters[i]];
    }

    std::int64_t add_least() const {
        std::int64_t total = 0;
        for (const Column& column : top().columns)
            total += column.costs.empty() ? 0 : *std::min_element(column.costs.begin(), column.costs.end());
        return total;
    }

    const Model& model_;
    const Costs& costs_;
    std::int64_t scale_ = 1;
    std::vector<std::size_t> starts_;  // of the slots in the shifts of a frame
    std::vector<std::vector<std::uint32_t>> order_;
    std::vector<Frame> frames_;  // the first `depth_` of them hold, the last one now
    std::size_t depth_ = 0;
    std::uint64_t versions_ = 0;
    std::int64_t bound_ = 0;
    std::int64_t first_bound_ = 0;
    int sweeps_ = 0;
    std::vector<char> stirred_;  // by slot
    mutable std::vector<std::size_t> kept_;
    mutable std::vector<Block> marks_;
};

}  // namespace cpfill::mac
