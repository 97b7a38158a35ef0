// Words of one length as a trie; all tries of a search stand in one array.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace cpfill::letters {

using Letters = std::uint64_t;  // a set of letters, bit i for the letter of code i
using NodeId = std::uint32_t;
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

// A beginning of words: the letters that may follow. Its children stand in alphabetical order from `first` on; those
// of a node one letter short of a word are words, and `first` is an index into `Forest::words`.
struct Node {
    Letters letters;
    NodeId first;

    NodeId child(Letters letter) const {
        return first + static_cast<NodeId>(std::popcount(letters & (letter - 1)));
    }
};

class Forest {
  public:
    static constexpr NodeId kAny = 0;  // the node of a direction in which there is no slot: any letter will do

    Forest() : nodes_{{~Letters{0}, 0}} {}

    // Add the trie of the words of a table that are in a little-endian bitset; return its root.
    NodeId add(const Table& table, std::string_view domain) {
        std::vector<std::uint32_t> words;
        for (std::size_t id = 0; id < table.size(); ++id) {
            if (has_bit(domain, id)) words.push_back(static_cast<std::uint32_t>(id));
        }
        std::sort(words.begin(), words.end(), [&](auto one, auto other) { return table.word(one) < table.word(other); });
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
                nodes_.push_back(node);
            }
        }
        words_.insert(words_.end(), words.begin(), words.end());
        return root;
    }

    const Node* nodes() const { return nodes_.data(); }
    std::uint32_t word(NodeId leaf) const { return words_[leaf]; }

  private:
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> words_;
};

}  // namespace cpfill::letters
