// The grid in the order of the search: rows of cells, and the columns that lead from each row to those below.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "choices.hpp"
#include "marked.hpp"
#include "trie.hpp"

namespace cpfill::letters {

constexpr int kNone = -1;

// A slot: the numbers of its table and its trie, and its cells in rising order.
struct Slot {
    std::size_t table;
    std::size_t trie;
    std::vector<int> cells;
};

// A cell of a row that is in a column.
struct Step {
    int pos;
    int cell;
    int next = kNone;   // the next cell of the column
    int ends = kNone;   // the slot that ends here
    int below = kNone;  // the row of the next cell, unless it is this one
    std::size_t pos_below = 0;
    const Block* const* made = nullptr;  // by number of a set of letters, the words of that row with one there
};

// Steps whose columns continue in one row below, which they narrow.
struct Stage {
    std::vector<Step> steps;
    int end = 0;                    // the position after the last of them
    std::size_t leads = 0;          // how many go on
    int below = kNone;              // where
    const Block* before = nullptr;  // the words of that row before these steps; null for all words
    Bitsets after;
};

// Words of a row that are sifted at once.
constexpr std::size_t kBatch = 64;

// The cells of one word: a slot across, or a single cell that is in no slot across.
struct Row {
    int cell;  // the first
    int slot;  // or kNone
    Choices* choices;
    Bitsets all;        // the words for this row, ignoring the rows above
    const Block* open;  // the words left once the rows above are placed
    bool narrow;        // whether `open` excludes any word
    std::vector<Stage> stages;
    bool sifts;                        // whether the first stage sifts words before they are placed
    Rank from = 0, to = 0;             // the ranks to try
    Rank looked = 0;                   // how far that was listed
    std::array<Rank, kBatch> words{};  // the words listed and sifted
    std::size_t count = 0, next = 0;   // their number, and the next one to try
    Bitsets leaves;                    // the words that each leaves the row below
    int tie = 0;                       // how far the text above agrees with its reflection
    std::size_t words_before = 0;      // the number of complete words above

    std::size_t length() const { return choices->length(); }
    int end() const { return cell + static_cast<int>(length()); }
};

// The number of columns that a stage follows at once.
constexpr std::size_t kMostLeads = 8;

class Layout {
  public:
    // The first `across` slots are rows. `choices` has the words of each trie, and last the words of single cells that
    // are in no such slot. `roots` are the nodes in which columns begin.
    Layout(int cells, const std::vector<Slot>& slots, std::size_t across, std::vector<Choices>& choices,
           const Forest& forest, const std::vector<NodeId>& roots)
        : nodes(static_cast<std::size_t>(cells)),
          row_of_(static_cast<std::size_t>(cells)) {
        lay_rows(cells, slots, across, choices);
        std::vector<std::vector<Step>> steps(rows.size());
        for (std::size_t slot = across; slot < slots.size(); ++slot) {
            const int top = slots[slot].cells.front();
            nodes[top] = roots[slots[slot].trie];
            Row& row = rows[row_of_[top]];
            const Bitsets having = row.choices->having(position(top), forest.nodes()[nodes[top]].letters);
            const Block* const sets[] = {row.all[0], having[0]};
            intersect(row.all[0], sets, 2, having.marks());
            row.narrow = true;
            lay_steps(slots[slot], static_cast<int>(slot), steps);
        }
        for (std::size_t row = 0; row < rows.size(); ++row) lay_stages(rows[row], steps[row]);
    }

    std::vector<Row> rows;
    std::vector<NodeId> nodes;  // of the columns, by their first cells

  private:
    void lay_rows(int cells, const std::vector<Slot>& slots, std::size_t across, std::vector<Choices>& choices) {
        std::vector<int> slot_at(static_cast<std::size_t>(cells), kNone);
        for (std::size_t slot = 0; slot < across; ++slot) slot_at[slots[slot].cells.front()] = static_cast<int>(slot);
        for (int cell = 0; cell < cells; cell = rows.back().end()) {
            const int slot = slot_at[cell];
            Choices& has = slot == kNone ? choices.back() : choices[slots[slot].trie];
            Bitsets all(1, has.size());
            for (Rank rank = 0; rank < has.size(); ++rank) all.add(0, rank);
            const Block* const open = all[0];
            rows.push_back({cell, slot, &has, std::move(all), open, false, {}, false});
            for (int at = cell; at < rows.back().end(); ++at) row_of_[at] = static_cast<int>(rows.size()) - 1;
        }
    }

    void lay_steps(const Slot& column, int slot, std::vector<std::vector<Step>>& steps) const {
        for (std::size_t i = 0; i < column.cells.size(); ++i) {
            const int cell = column.cells[i];
            Step step{static_cast<int>(position(cell)), cell};
            if (i + 1 == column.cells.size()) {
                step.ends = slot;
            } else {
                step.next = column.cells[i + 1];
                step.pos_below = position(step.next);
                const int below = row_of_[step.next];
                if (below != row_of_[cell]) {
                    step.below = below;
                    step.made = rows[below].choices->made(step.pos_below);
                }
            }
            steps[row_of_[cell]].push_back(step);
        }
    }

    // Rows are placed from the first on, so before these steps a row below has what the rows above left it.
    void lay_stages(Row& row, std::vector<Step>& steps) {
        std::sort(steps.begin(), steps.end(), [](auto& one, auto& other) { return one.pos < other.pos; });
        std::vector<Stage>& stages = row.stages;
        for (const Step& step : steps) {
            const bool other = step.below != kNone && !stages.empty() && stages.back().below != kNone &&
                               (stages.back().below != step.below || stages.back().leads == kMostLeads);
            if (stages.empty() || other) stages.emplace_back();
            Stage& stage = stages.back();
            stage.steps.push_back(step);
            stage.end = step.pos + 1;
            if (step.below == kNone) continue;
            stage.below = step.below;
            ++stage.leads;
        }
        const auto stays = [](auto& step) { return step.next != kNone && step.below == kNone; };
        row.sifts = !stages.empty() && stages[0].below != kNone && std::none_of(steps.begin(), steps.end(), stays);
        if (row.sifts) row.leaves = Bitsets(kBatch, rows[stages[0].below].choices->size());
        for (Stage& stage : stages) {
            if (stage.below == kNone) continue;
            Row& below = rows[stage.below];
            if (below.narrow) stage.before = below.open;
            stage.after = Bitsets(1, below.choices->size());
            below.open = stage.after[0];
            below.narrow = true;
        }
    }

    std::size_t position(int cell) const { return static_cast<std::size_t>(cell - rows[row_of_[cell]].cell); }

    std::vector<int> row_of_;
};

}  // namespace cpfill::letters
