// The words of one length as a trie; all tries of a search share one array.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cpfill::letters {

using Letters = std::uint64_t;  // a set of letters, bit i for the letter of code i
using NodeId = std::uint32_t;
using WordId = std::uint32_t;
constexpr int kMaxLetters = 64;

// The words of one length: their letter codes one after another.
struct Table {
    std::size_t length;
    std::string_view codes;

    std::size_t size() const { return codes.size() / length; }
    std::string_view word(std::size_t id) const { return codes.substr(id * length, length); }
};

inline bool has_bit(std::string_view bitset, std::size_t bit) {
    return bit / 8 < bitset.size() && (static_cast<unsigned char>(bitset[bit / 8]) >> bit % 8 & 1);
}

// The words of a table that are in a little-endian bitset, in alphabetical order.
inline std::vector<WordId> sort_words(const Table& table, std::string_view domain) {
    std::vector<WordId> words;
    for (std::size_t id = 0; id < table.size(); ++id) {
        if (has_bit(domain, id)) words.push_back(static_cast<WordId>(id));
    }
    std::sort(words.begin(), words.end(), [&](auto one, auto other) { return table.word(one) < table.word(other); });
    return words;
}

// A prefix of words, with the letters that may follow. Its children are adjacent from `first` on, in alphabetical
// order. One letter before the end, the children are words, and `first` is an index into `Forest::words`.
struct Node {
    Letters letters;
    NodeId first;

    NodeId child(Letters letter) const { return first + static_cast<NodeId>(std::popcount(letters & (letter - 1))); }
};

class Forest {
  public:
    // Add the trie of the words of a table, given in alphabetical order; return its root.
    NodeId add(const Table& table, const std::vector<WordId>& words) {
        const auto root = static_cast<NodeId>(nodes_.size());
        const auto first_word = static_cast<NodeId>(words_.size());
        using Range = std::pair<std::size_t, std::size_t>;  // the words that begin alike
        std::vector<Range> level{{0, words.size()}}, next;
        for (std::size_t pos = 0; pos < table.length; ++pos, level.swap(next)) {
            const bool last = pos + 1 == table.length;
            next.clear();
            const auto first_child = last ? first_word : static_cast<NodeId>(nodes_.size() + level.size());
            for (const auto& [from, to] : level) {
                Node node{0, first_child + static_cast<NodeId>(next.size())};
                for (std::size_t at = from; at < to;) {
                    const char code = table.word(words[at])[pos];
                    const std::size_t start = at;
                    while (at < to && table.word(words[at])[pos] == code) ++at;
                    node.letters |= Letters{1} << code;
                    next.push_back({start, at});
                }
                set_of_.push_back(number(node.letters));
                nodes_.push_back(node);
            }
        }
        words_.insert(words_.end(), words.begin(), words.end());
        return root;
    }

    const Node* nodes() const { return nodes_.data(); }
    WordId word(NodeId leaf) const { return words_[leaf]; }
    const std::uint32_t* set_of() const { return set_of_.data(); }  // for each node, the number of its set of letters
    const std::vector<Letters>& sets() const { return sets_; }      // the numbered sets

  private:
    std::uint32_t number(Letters letters) {
        const auto [found, made] = numbers_.try_emplace(letters, static_cast<std::uint32_t>(sets_.size()));
        if (made) sets_.push_back(letters);
        return found->second;
    }

    std::vector<Node> nodes_;
    std::vector<WordId> words_;
    std::vector<std::uint32_t> set_of_;
    std::vector<Letters> sets_;
    std::unordered_map<Letters, std::uint32_t> numbers_;
};

}  // namespace cpfill::letters
