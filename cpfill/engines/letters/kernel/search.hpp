// Row by row (after Rémy, who goes letter by letter): a word may stand in a row if each column remains the beginning of
// a word, and each row below that the columns reach still has a word that agrees with them.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "choices.hpp"
#include "ledger.hpp"
#include "marked.hpp"
#include "mirror.hpp"
#include "rows.hpp"
#include "trie.hpp"

namespace cpfill::letters {

class Search {
  public:
    // Cells are numbered in the order of visit. The first `across` slots have consecutive cells; no two of them share a
    // cell, nor do two of the other slots. `choices` has the words of each trie, and last those of a single cell in no
    // row; `roots` has the nodes where columns begin. `singles` has, per table, the bitset of the words that may occur
    // only once.
    Search(int cells, const std::vector<Slot>& slots, std::size_t across, Forest forest, std::vector<Choices> choices,
           const std::vector<NodeId>& roots, Ledger ledger, std::vector<std::string> singles, Mirror mirror)
        : forest_(std::move(forest)),
          choices_(std::move(choices)),
          ledger_(std::move(ledger)),
          singles_(std::move(singles)),
          mirror_(std::move(mirror)),
          ruled_(ledger_.active()),
          cells_(cells),
          text_(static_cast<std::size_t>(cells) + kTextStride, '\0'),
          words_(slots.size()) {
        forget_choices();
        Layout layout(cells, slots, across, choices_, forest_, roots);
        rows_ = std::move(layout.rows);
        nodes_at_ = std::move(layout.nodes);
        for (const Slot& slot : slots) tables_.push_back(slot.table);
        list_earlier();
    }

    // Begin below a prefix of the text, and report texts of `depth` letters. Resets the counters. False if no words
    // have this prefix.
    bool start(std::string_view prefix, int depth, bool keep) {
        take_back(0);
        nodes_ = fills_ = 0;
        found_.clear();
        keep_ = keep;
        depth_ = static_cast<std::size_t>(depth);
        exhausted_ = true;
        if (!ledger_.feasible()) return false;
        for (at_ = 0, tie_ = 0;; ++at_) {
            Row& row = enter(at_);
            const std::size_t given = std::min(prefix.size(), row.length());
            const Rank least = row.from;
            std::tie(row.from, row.to) = row.choices->find(prefix.substr(0, given));
            row.from = std::max(row.from, least);
            if (find(row) == row.to) return false;
            if (given < row.length()) break;
            if (!put(row, row.from)) return false;
            prefix.remove_prefix(given);
        }
        base_ = at_;
        exhausted_ = false;
        return true;
    }

    // Search for at most `seconds`, or until `nodes` words were placed or `fills` texts found since the start. Return
    // whether the search is exhausted.
    bool step(double seconds, std::uint64_t nodes, std::uint64_t fills) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (!exhausted_ && nodes_ < nodes && fills_ < fills) {
            if (ruled_)
                run_ruled(nodes, fills);
            else
                run_plain(nodes, fills);
            if (std::chrono::steady_clock::now() >= end) break;
        }
        return exhausted_;
    }

    std::string take() { return std::exchange(found_, {}); }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t fills() const { return fills_; }
    int cells() const { return cells_; }

  private:
    static constexpr int kTriesBetweenLooks = 4096;
    static constexpr std::size_t kMany = 16;  // words for which each letter is looked up beforehand
    static constexpr std::size_t kMadeBytes = std::size_t{1} << 27;  // of sets; then they are made anew

    // For each slot, list the slots of its length whose words are complete no later than its own.
    void list_earlier() {
        std::vector<std::size_t> complete;
        earlier_.resize(tables_.size());
        const auto add = [&](int number) {
            if (number == kNone) return;
            const auto slot = static_cast<std::size_t>(number);
            const bool any = singles_[tables_[slot]].find_first_not_of('\0') != std::string::npos;
            for (const std::size_t other : complete) {
                if (any && tables_[other] == tables_[slot]) earlier_[slot].push_back(other);
            }
            complete.push_back(slot);
        };
        for (const Row& row : rows_) {
            for (const Stage& stage : row.stages) {
                for (const Step& step : stage.steps) add(step.ends);
            }
            add(row.slot);
        }
    }

    void forget_choices() {
        for (Choices& choices : choices_) choices.forget(forest_.sets().size());
        made_bytes_ = 0;
    }

    Row& enter(std::size_t at) {
        Row& row = rows_[at];
        row.from = row.looked = 0;
        row.to = row.choices->size();
        row.count = row.next = 0;
        row.tie = tie_;
        row.words_before = complete_.size();
        if (const int cell = mirror_.find_least(row.cell, tie_); cell != kNone && reaches_past(row)) {
            row.from = row.choices->find_letter(text_[cell]);
        }
        return row;
    }

    bool reaches_past(const Row& row) const { return depth_ >= static_cast<std::size_t>(row.end()); }

    // The next word of a row to try, or `to`.
    CPFILL_INLINE Rank find(Row& row) {
        while (true) {
            for (; row.next < row.count; ++row.next) {
                if (row.words[row.next] >= row.from) return row.words[row.next];
            }
            row.looked = std::max(row.looked, row.from);
            if (row.looked >= row.to) return row.to;
            std::tie(row.count, row.looked) =
                list_bits(row.open, row.choices->marks(), row.looked, row.to, row.words.data(), kBatch);
            row.next = 0;
            if (row.sifts && reaches_past(row)) sift(row);
        }
    }

    // Keep the listed words of a row that leave the row below a word. Words are sifted in batches, so that the memory
    // accesses for one word need not wait for those of another.
    CPFILL_INLINE void sift(Row& row) {
        const Stage& stage = row.stages.front();
        Choices& below = *rows_[stage.below].choices;
        if (made_bytes_ + kBatch * kMostLeads * stage.after.blocks() * sizeof(Block) > kMadeBytes) forget_choices();
        const std::uint32_t* const set_of = forest_.set_of();
        const Block* sets[kBatch][kMostSets];
        std::size_t count = stage.before ? 1 : 0;
        for (std::size_t i = 0; i < row.count; ++i) sets[i][0] = stage.before;
        for (const Step& step : stage.steps) {
            if (step.below == kNone) continue;
            const Node node = forest_.nodes()[nodes_at_[step.cell]];
            const bool many = row.count > kMany;
            const Block* having[kMaxLetters];  // by the letter here
            if (many) {
                NodeId child = node.first;
                for (Letters left = node.letters; left; left &= left - 1)
                    having[std::countr_zero(left)] = step.made[set_of[child++]];
            }
            for (std::size_t i = 0; i < row.count; ++i) {
                const auto letter = static_cast<unsigned char>(row.choices->text(row.words[i])[step.pos]);
                const auto number = [&] { return set_of[node.child(Letters{1} << letter)]; };
                const Block* const set = many ? having[letter] : step.made[number()];
                sets[i][count] = set ? set : make_set(below, step, number());
            }
            ++count;
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < row.count; ++i) {
            row.words[kept] = row.words[i];
            kept += intersect(row.leaves[kept], sets[i], count, stage.after.marks());
        }
        row.count = kept;
    }

    const Block* make_set(Choices& below, const Step& step, std::uint32_t set) {
        if (!step.made[set]) made_bytes_ += below.make(step.pos_below, set, forest_.sets()[set]);
        return step.made[set];
    }

    // Take back words until only `words` are complete.
    void take_back(std::size_t words) {
        for (; complete_.size() > words; complete_.pop_back()) {
            const int slot = complete_.back();
            ledger_.leave(tables_[slot], words_[slot]);
        }
    }

    // Place a word in a row. If a letter fails, skip all words that agree up to that letter.
    bool put(Row& row, Rank rank) { return ruled_ ? put<true>(row, rank) : put<false>(row, rank); }

    template <bool kRuled>
    CPFILL_INLINE bool put(Row& row, Rank rank) {
        const char* const text = row.choices->text(rank);
        copy_text(text, text_.data() + row.cell, row.length());
        tie_ = row.tie;
        int wrong = kNone;  // where
        for (Stage& stage : row.stages) {
            wrong = reach<kRuled>(row, stage, text);
            if (wrong != kNone) break;
        }
        const int last = static_cast<int>(row.length()) - 1;
        if (wrong == kNone) wrong = compare(row, last + 1);
        if (wrong == kNone && row.slot != kNone && !complete<kRuled>(row.slot, row.choices->word(rank))) wrong = last;
        row.from = row.choices->end_alike(static_cast<std::size_t>(wrong == kNone ? last : wrong), rank);
        if (wrong == kNone) return true;
        if constexpr (kRuled) take_back(row.words_before);
        return false;
    }

    // Return the position that makes the reflection come before the text, or kNone.
    CPFILL_INLINE int compare(const Row& row, int letters) {
        const int cell = mirror_.compare(text_, row.cell + letters, tie_);
        return cell == kNone ? kNone : cell - row.cell;
    }

    // Follow the columns of a stage, and check that the row below still has a word; return the position of a letter
    // that fails, or kNone.
    template <bool kRuled>
    CPFILL_INLINE int reach(const Row& row, Stage& stage, const char* text) {
        if (const int wrong = compare(row, stage.end); wrong != kNone) return wrong;
        const Node* const trie = forest_.nodes();
        const std::uint32_t* const set_of = forest_.set_of();
        const bool sifted = row.sifts && &stage == row.stages.data();
        const Block* sets[kMostSets];
        sets[0] = stage.before;
        std::size_t count = stage.before ? 1 : 0;
        bool made = true;
        for (const Step& step : stage.steps) {
            const Node& node = trie[nodes_at_[step.cell]];
            const Letters letter = Letters{1} << text[step.pos];
            if (!(node.letters & letter)) return step.pos;
            const NodeId child = node.child(letter);
            if (step.ends != kNone) {
                if (!complete<kRuled>(step.ends, forest_.word(child))) return step.pos;
                continue;
            }
            nodes_at_[step.next] = child;
            if (step.below == kNone || sifted) continue;
            const Block* const set = step.made[set_of[child]];
            made = made && set;
            sets[count++] = set;
        }
        if (stage.below == kNone) return kNone;
        if (sifted) {
            stage.after.copy(0, row.leaves[row.next]);
            return kNone;
        }
        if (!made) make_choices(stage, sets);
        return intersect(stage.after[0], sets, count, stage.after.marks()) ? kNone : stage.end - 1;
    }

    // Make the missing sets of a stage.
    void make_choices(const Stage& stage, const Block** sets) {
        Choices& below = *rows_[stage.below].choices;
        if (made_bytes_ + kMostLeads * stage.after.blocks() * sizeof(Block) > kMadeBytes) forget_choices();
        std::size_t count = stage.before ? 1 : 0;
        for (const Step& step : stage.steps) {
            if (step.below == kNone) continue;
            const std::uint32_t set = forest_.set_of()[nodes_at_[step.next]];
            sets[count++] = make_set(below, step, set);
        }
    }

    // Complete a word; false if it breaks a rule.
    template <bool kRuled>
    CPFILL_INLINE bool complete(int slot, WordId word) {
        const std::size_t table = tables_[slot];
        for (const std::size_t other : earlier_[slot]) {
            if (words_[other] == word && has_bit(singles_[table], word)) return false;
        }
        words_[slot] = word;
        if constexpr (kRuled) {
            if (!ledger_.enter(table, word)) return false;
            complete_.push_back(slot);
        }
        return true;
    }

    CPFILL_POPCNT_CLONES void run_plain(std::uint64_t nodes, std::uint64_t fills) { run<false>(nodes, fills); }
    CPFILL_POPCNT_CLONES void run_ruled(std::uint64_t nodes, std::uint64_t fills) { run<true>(nodes, fills); }

    template <bool kRuled>
    CPFILL_INLINE void run(std::uint64_t nodes, std::uint64_t fills) {
        for (int tries = 0; tries < kTriesBetweenLooks; ++tries) {
            Row& row = rows_[at_];
            const Rank rank = find(row);
            if (rank == row.to) {
                if (at_ == base_) {
                    exhausted_ = true;
                    return;
                }
                --at_;
                if constexpr (kRuled) take_back(rows_[at_].words_before);
                continue;
            }
            const std::size_t wanted = depth_ - static_cast<std::size_t>(row.cell);
            if (wanted < row.length()) {
                copy_text(row.choices->text(rank), text_.data() + row.cell, wanted);
                row.from = row.choices->end_alike(wanted - 1, rank);
            } else {
                if (!put<kRuled>(row, rank)) continue;
                if (nodes_ == nodes) {  // only now: without a next word, the search is exhausted
                    row.from = rank;
                    if constexpr (kRuled) take_back(row.words_before);
                    return;
                }
                ++nodes_;
                if (wanted > row.length()) {
                    enter(++at_);
                    continue;
                }
            }
            if (keep_) found_.append(text_, 0, depth_);
            if constexpr (kRuled) take_back(row.words_before);
            fills_ += depth_ == static_cast<std::size_t>(cells_) ? mirror_.weigh(tie_) : 1;
            if (fills_ >= fills) return;
        }
    }

    Forest forest_;
    std::vector<Choices> choices_;
    Ledger ledger_;
    std::vector<std::string> singles_;
    Mirror mirror_;
    std::vector<Row> rows_;
    std::vector<NodeId> nodes_at_;     // for each cell, the node of its column
    std::vector<std::size_t> tables_;  // of the slots
    std::vector<std::vector<std::size_t>> earlier_;
    bool ruled_;
    std::size_t made_bytes_ = 0;

    int cells_;
    std::string text_;  // the letter codes of the cells
    std::vector<WordId> words_;
    std::vector<int> complete_;  // the slots whose words the ledger has
    std::string found_;
    bool keep_ = true;
    bool exhausted_ = true;
    std::size_t base_ = 0;
    std::size_t depth_ = 0;
    std::size_t at_ = 0;  // the row where a word is to be put
    int tie_ = 0;         // how far the text agrees with its reflection
    std::uint64_t nodes_ = 0;
    std::uint64_t fills_ = 0;
};

}  // namespace cpfill::letters
