// What excluded pairs, budgets and cover need to know of the words placed so far.
#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trie.hpp"

namespace cpfill::letters {

using RunNumbers = std::unordered_map<std::string_view, std::size_t>;

class Ledger {
  public:
    // `run` is the length of the runs that no two words may share, 0 for no such rule; `limits` has a limit per budget.
    Ledger(int run, std::vector<std::int64_t> limits)
        : run_length_(static_cast<std::size_t>(run)),
          left_(std::move(limits)) {}

    // Add a table: the costs of its words per budget; the bitset of its required words; the number of slots for its
    // words. `runs` numbers the runs of all tables.
    void add(const Table& table, const std::vector<const std::int64_t*>& costs, std::string_view required, int slots,
             RunNumbers& runs) {
        Counts counts;
        counts.open = slots;
        counts.required.resize(table.size());
        counts.copies.resize(table.size(), 0);
        counts.costs.reserve(table.size() * costs.size());
        for (std::size_t id = 0; id < table.size(); ++id) {
            counts.required[id] = has_bit(required, id);
            counts.missing += has_bit(required, id);
            for (const std::int64_t* of_words : costs) counts.costs.push_back(of_words[id]);
        }
        if (run_length_ && table.length >= run_length_) {
            counts.runs_a_word = table.length - run_length_ + 1;
            counts.runs.reserve(table.size() * counts.runs_a_word);
            for (std::size_t id = 0; id < table.size(); ++id) {
                for (std::size_t pos = 0; pos < counts.runs_a_word; ++pos) {
                    const std::string_view run = table.word(id).substr(pos, run_length_);
                    counts.runs.push_back(runs.try_emplace(run, runs.size()).first->second);
                }
            }
            holders_.resize(runs.size(), 0);
        }
        counts_.push_back(std::move(counts));
    }

    bool active() const {
        if (run_length_ || !left_.empty()) return true;
        for (const Counts& counts : counts_) {
            if (counts.missing) return true;
        }
        return false;
    }

    // Whether the open slots can still take the required words.
    bool feasible() const {
        for (const Counts& counts : counts_) {
            if (counts.missing > counts.open) return false;
        }
        return true;
    }

    // Enter a word; if that breaks a constraint, change nothing and return false.
    bool enter(std::size_t table, std::uint32_t word) {
        Counts& counts = counts_[table];
        const bool required = counts.required[word];
        const bool first_copy = required && counts.copies[word] == 0;
        if (counts.missing - first_copy > counts.open - 1) return false;
        const std::int64_t* costs = counts.costs.data() + word * left_.size();
        for (std::size_t i = 0; i < left_.size(); ++i) {
            if (costs[i] > left_[i]) return false;
        }
        const std::size_t* runs = counts.runs.data() + word * counts.runs_a_word;
        for (std::size_t i = 0; i < counts.runs_a_word; ++i) {
            if (holders_[runs[i]]) return false;
        }
        for (std::size_t i = 0; i < counts.runs_a_word; ++i) ++holders_[runs[i]];  // twice where a word repeats a run
        for (std::size_t i = 0; i < left_.size(); ++i) left_[i] -= costs[i];
        if (required) {
            ++counts.copies[word];
            counts.missing -= first_copy;
        }
        --counts.open;
        return true;
    }

    // Remove an entered word.
    void leave(std::size_t table, std::uint32_t word) {
        Counts& counts = counts_[table];
        assert(word < counts.required.size());
        const std::size_t* runs = counts.runs.data() + word * counts.runs_a_word;
        for (std::size_t i = 0; i < counts.runs_a_word; ++i) {
            assert(holders_[runs[i]] > 0);
            --holders_[runs[i]];
        }
        const std::int64_t* costs = counts.costs.data() + word * left_.size();
        for (std::size_t i = 0; i < left_.size(); ++i) left_[i] += costs[i];
        if (counts.required[word]) counts.missing += --counts.copies[word] == 0;
        ++counts.open;
    }

  private:
    struct Counts {
        int open = 0;     // slots without a word
        int missing = 0;  // required words without a slot
        std::vector<char> required;
        std::vector<std::int64_t> costs;  // word by word, one a budget
        std::vector<int> copies;          // of each required word
        std::size_t runs_a_word = 0;
        std::vector<std::size_t> runs;  // the numbers of each word's runs
    };

    std::size_t run_length_;
    std::vector<std::int64_t> left_;  // the remaining room of each budget
    std::vector<Counts> counts_;
    std::vector<int> holders_;  // by run number: its occurrences in the entered words
};

}  // namespace cpfill::letters
