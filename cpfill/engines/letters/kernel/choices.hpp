// The words that may stand in a row, in alphabetical order, and bitsets of those that agree with the columns.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "marked.hpp"
#include "trie.hpp"

namespace cpfill::letters {

using Rank = std::uint32_t;  // the index of a word in the order

// Texts are copied in pieces of this many letters, and are padded to a multiple.
constexpr std::size_t kTextStride = 8;

inline void copy_text(const char* from, char* to, std::size_t letters) {
    for (std::size_t i = 0; i < letters; i += kTextStride) std::memcpy(to + i, from + i, kTextStride);
}

// The words of one domain. Words with a common prefix are adjacent, so they form a range of ranks.
class Choices {
  public:
    Choices(const Table& table, std::vector<WordId> words, int letters)
        : length_(table.length),
          letters_(static_cast<std::size_t>(letters)),
          words_(std::move(words)),
          with_letter_(length_ * letters_, words_.size()),
          ends_(length_ * words_.size()) {
        for (const WordId word : words_) texts_.insert(texts_.end(), table.word(word).begin(), table.word(word).end());
        texts_.resize(texts_.size() + kTextStride);
        for (std::size_t rank = 0; rank < words_.size(); ++rank) {
            for (std::size_t pos = 0; pos < length_; ++pos)
                with_letter_.add(pos * letters_ + static_cast<std::size_t>(text(rank)[pos]), rank);
        }
        for (std::size_t rank = words_.size(); rank-- > 0;) {
            bool alike = rank + 1 < words_.size();
            for (std::size_t pos = 0; pos < length_; ++pos) {
                alike = alike && text(rank)[pos] == text(rank + 1)[pos];
                Rank* const ends = ends_.data() + pos * words_.size();
                ends[rank] = alike ? ends[rank + 1] : static_cast<Rank>(rank + 1);
            }
        }
    }

    Rank size() const { return static_cast<Rank>(words_.size()); }
    std::size_t length() const { return length_; }
    std::size_t marks() const { return with_letter_.marks(); }  // of a bitset of words
    const char* text(std::size_t rank) const { return texts_.data() + rank * length_; }
    WordId word(Rank rank) const { return words_[rank]; }

    // The rank after the last word that shares its first `pos + 1` letters with a word.
    Rank end_alike(std::size_t pos, Rank rank) const {
        return pos + 1 == length_ ? rank + 1 : ends_[pos * words_.size() + rank];
    }

    // The ranks [first, second) of the words with this prefix.
    std::pair<Rank, Rank> find(std::string_view prefix) const {
        Rank from = 0, to = size();
        while (from < to) {
            const Rank middle = from + (to - from) / 2;
            if (std::string_view(text(middle), prefix.size()) < prefix)
                from = middle + 1;
            else
                to = middle;
        }
        if (prefix.empty()) return {0, size()};
        if (from == size() || std::string_view(text(from), prefix.size()) != prefix) return {from, from};
        return {from, end_alike(prefix.size() - 1, from)};
    }

    // The first rank of the words that begin with this letter or a later one.
    Rank find_letter(char letter) const {
        Rank rank = 0;
        while (rank < size() && *text(rank) < letter) rank = end_alike(0, rank);
        return rank;
    }

    // For each numbered set of letters, the bitset of the words with one of them at `pos`, if it was made.
    const Block* const* made(std::size_t pos) const { return made_.data() + pos * sets_; }

    // The bitset of the words that have one of these letters at `pos`.
    Bitsets having(std::size_t pos, Letters letters) const {
        Bitsets having(1, words_.size());
        for (std::size_t letter = 0; letter < letters_; ++letter) {
            if (!(letters >> letter & 1)) continue;
            const Block* const with_letter = with_letter_[pos * letters_ + letter];
            for (std::size_t i = 0; i < having.blocks(); ++i) having[0][i] |= with_letter[i];
        }
        return having;
    }

    // Make and keep the bitset for a set of letters; return its size in bytes.
    std::size_t make(std::size_t pos, std::uint32_t set, Letters letters) {
        kept_.push_back(having(pos, letters));
        made_[pos * sets_ + set] = kept_.back()[0];
        return with_letter_.blocks() * sizeof(Block);
    }

    // Drop all bitsets made; `sets` is the number of numbered sets.
    void forget(std::size_t sets) {
        sets_ = sets;
        kept_.clear();
        made_.assign(length_ * sets, nullptr);
    }

  private:
    std::size_t length_;
    std::size_t letters_;
    std::vector<WordId> words_;
    Bitsets with_letter_;
    std::vector<Rank> ends_;
    std::size_t sets_ = 0;
    std::vector<const Block*> made_;
    std::vector<Bitsets> kept_;  // moved as it grows, which leaves the blocks where they are
    std::vector<char> texts_;
};

}  // namespace cpfill::letters
