// What excluded pairs, budgets and cover need to know of the words placed so far.
#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "trie.hpp"

namespace cpfill::letters {

using Marks = std::vector<std::vector<std::uint32_t>>;  // of each word of a table, their numbers

class Ledger {
  public:
    // `limits` has a limit per budget.
    explicit Ledger(std::vector<std::int64_t> limits) : left_(std::move(limits)) {}

    // Add a table: the costs of its words per budget; the bitset of its required words; the number of slots for its
    // words. Words of two slots share no mark; without marks, any two go together.
    void add(const Table& table, const std::vector<const std::int64_t*>& costs, std::string_view required, int slots,
             Marks marks) {
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
        for (const std::vector<std::uint32_t>& of_word : marks)
            for (const std::uint32_t mark : of_word)
                if (mark >= held_.size()) held_.resize(std::size_t{mark} + 1, false);
        counts.marks = std::move(marks);
        counts_.push_back(std::move(counts));
    }

    bool active() const {
        if (!held_.empty() || !left_.empty()) return true;
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
        if (!counts.marks.empty()) {
            for (const std::uint32_t mark : counts.marks[word])
                if (held_[mark]) return false;
            for (const std::uint32_t mark : counts.marks[word]) held_[mark] = true;
        }
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
        if (!counts.marks.empty())
            for (const std::uint32_t mark : counts.marks[word]) held_[mark] = false;
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
        Marks marks;
    };

    std::vector<std::int64_t> left_;  // the remaining room of each budget
    std::vector<Counts> counts_;
    std::vector<char> held_;  // by mark: whether an entered word has it
};

}  // namespace cpfill::letters
