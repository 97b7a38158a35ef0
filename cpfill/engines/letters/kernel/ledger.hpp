// What the rules C5 to C7 count of the words placed so far.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trie.hpp"

namespace cpfill::letters {

using RunNumbers = std::unordered_map<std::string_view, std::size_t>;

class Ledger {
  public:
    // `no_shared` is the length of the runs that no two words share, 0 for no such rule; `max_obscure` how many obscure
    // words there may be, negative for any number.
    Ledger(int no_shared, int max_obscure)
        : run_length_(static_cast<std::size_t>(no_shared)), max_obscure_(max_obscure) {}

    // Add a table: bitsets of its obscure and of its required words, and how many slots take its words. `runs` numbers
    // the runs of all tables.
    void add(const Table& table, std::string_view obscure, std::string_view required, int slots, RunNumbers& runs) {
        Counts counts;
        counts.open = slots;
        counts.kinds.resize(table.size());
        counts.copies.resize(table.size(), 0);
        for (std::size_t id = 0; id < table.size(); ++id) {
            counts.kinds[id] = static_cast<char>((has_bit(obscure, id) ? kObscure : 0) |
                                                 (has_bit(required, id) ? kRequired : 0));
            counts.missing += has_bit(required, id);
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
        if (run_length_ || max_obscure_ >= 0) return true;
        for (const Counts& counts : counts_) {
            if (counts.missing) return true;
        }
        return false;
    }

    // Whether the slots that are left can still take the required words.
    bool feasible() const {
        for (const Counts& counts : counts_) {
            if (counts.missing > counts.open) return false;
        }
        return true;
    }

    // Enter a word; false, and nothing entered, if that breaks a rule.
    bool enter(std::size_t table, std::uint32_t word) {
        Counts& counts = counts_[table];
        const char kind = counts.kinds[word];
        const bool first_copy = (kind & kRequired) && counts.copies[word] == 0;
        if (counts.missing - first_copy > counts.open - 1) return false;
        if ((kind & kObscure) && max_obscure_ >= 0 && obscure_ == max_obscure_) return false;
        const std::size_t* runs = counts.runs.data() + word * counts.runs_a_word;
        for (std::size_t i = 0; i < counts.runs_a_word; ++i) {
            if (holders_[runs[i]]) return false;
        }
        for (std::size_t i = 0; i < counts.runs_a_word; ++i) ++holders_[runs[i]];  // twice where a word repeats a run
        if (kind & kObscure) ++obscure_;
        if (kind & kRequired) {
            ++counts.copies[word];
            counts.missing -= first_copy;
        }
        --counts.open;
        return true;
    }

    // Take back a word that was entered.
    void leave(std::size_t table, std::uint32_t word) {
        Counts& counts = counts_[table];
        const std::size_t* runs = counts.runs.data() + word * counts.runs_a_word;
        for (std::size_t i = 0; i < counts.runs_a_word; ++i) --holders_[runs[i]];
        if (counts.kinds[word] & kObscure) --obscure_;
        if (counts.kinds[word] & kRequired) counts.missing += --counts.copies[word] == 0;
        ++counts.open;
    }

  private:
    static constexpr char kObscure = 1;
    static constexpr char kRequired = 2;

    struct Counts {
        int open = 0;     // slots without a word
        int missing = 0;  // required words without a slot
        std::vector<char> kinds;
        std::vector<int> copies;  // of each required word
        std::size_t runs_a_word = 0;
        std::vector<std::size_t> runs;  // the numbers of each word's runs
    };

    std::size_t run_length_;
    int max_obscure_;
    int obscure_ = 0;
    std::vector<Counts> counts_;
    std::vector<int> holders_;  // by the number of a run: how many times the words entered have it
};

}  // namespace cpfill::letters
