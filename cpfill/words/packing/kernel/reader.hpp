// The words of a list, packed by length. Common lines are read here, all others are handed back to Python.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "rows.hpp"

namespace cpfill::words {

constexpr std::uint64_t kMaxPackedBytes = 0xFFFFFFFF;  // so that positions of spellings fit in 32 bits
constexpr int kExactDigits = 15;  // a double holds every whole number of 15 digits, and 10^0 to 10^15, exactly

// The words of one length.
struct Column {
    std::vector<Code> codes;           // of all words, concatenated
    std::vector<double> scores;        // one per word
    std::vector<std::uint32_t> spans;  // two per word: the start and the end of its spelling in the text
    std::size_t full = 1 << 20;        // at this many words, drop duplicates: every line may have the same word
};

// The letter codes of a character.
struct Letters {
    static constexpr std::uint8_t kUnknown = 255;  // not looked up yet
    static constexpr std::uint8_t kOther = 254;    // the line is not a common one
    static constexpr std::uint8_t kMost = 3;
    std::uint8_t count = kUnknown;
    std::array<Code, kMost> codes{};
};

// The contents of one line, besides the letters of its word.
struct Entry {
    std::size_t length;  // of the word
    double score;
    std::size_t start, end;  // of the spelling, within the line
};

// `Source` provides:
//   Letters fold(int point)                              the letter codes of a character
//   std::optional<Entry> read(line, number, codes)       reads any other line; puts its word in front in `codes`
//   void pulse()                                         is called regularly; may throw
template <class Source>
class Reader {
  public:
    Reader(Source& source, double default_score, std::size_t longest)
        : source_(source),
          default_score_(default_score),
          longest_(longest),
          letters_(kPoints) {}

    void read(std::string_view text) {
        std::size_t number = 0;
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t end = std::min(text.find('\n', start), text.size());
            if (++number % kPulse == 0) source_.pulse();
            line(text.substr(start, end - start), start, number);
            start = end + 1;
        }
        for (auto& [length, column] : columns_) keep_first(length, column);
    }
    std::map<std::size_t, Column>& columns() { return columns_; }
    std::size_t comments() const { return comments_; }
    std::size_t duplicates() const { return duplicates_; }

  private:
    static constexpr std::size_t kPoints = 0x10000;  // characters of at most three bytes
    static constexpr std::size_t kPulse = 0x10000;   // lines
    static constexpr std::array<double, kExactDigits + 1> kTens{1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

    void line(std::string_view line, std::size_t at, std::size_t number) {
        if (line.empty()) return;
        if (line[0] == '#') {
            ++comments_;
            return;
        }
        std::optional<Entry> entry;
        if (line.size() <= longest_) entry = common(line);
        if (!entry) entry = source_.read(line.substr(0, longest_ + 1), number, word_);
        if (!entry) return;
        Column& column = column_of(entry->length);
        column.codes.insert(column.codes.end(), word_.data(), word_.data() + entry->length);
        column.scores.push_back(entry->score);
        column.spans.push_back(static_cast<std::uint32_t>(at + entry->start));
        column.spans.push_back(static_cast<std::uint32_t>(at + entry->end));
        if (column.scores.size() < column.full) return;
        keep_first(entry->length, column);
        column.full = std::max(column.full, 2 * column.scores.size());
    }

    // Keeps only the first entry of each word. This runs length by length, mostly at the end, so that the set for a
    // length stays in the cache and need not grow.
    void keep_first(std::size_t length, Column& column) {
        const std::size_t words = column.scores.size();
        RowSet known(words, length);
        Row kept = 0;
        for (std::size_t word = 0; word < words; ++word) {
            if (word != kept) {
                std::memcpy(column.codes.data() + kept * length, column.codes.data() + word * length, length);
                column.scores[kept] = column.scores[word];
                column.spans[2 * kept] = column.spans[2 * word];
                column.spans[2 * kept + 1] = column.spans[2 * word + 1];
            }
            kept += known.insert(column.codes, kept) == kept;
        }
        column.codes.resize(kept * length);
        column.scores.resize(kept);
        column.spans.resize(2 * std::size_t{kept});
        duplicates_ += words - kept;
    }

    Column& column_of(std::size_t length) {
        if (length >= near_.size()) return columns_[length];
        if (!near_[length]) near_[length] = &columns_[length];
        return *near_[length];
    }

    // The common line: a word or phrase, optionally followed by `;`, a tab, `,` or blanks and a plain number.
    std::optional<Entry> common(std::string_view line) {
        if (word_.size() < Letters::kMost * line.size()) word_.resize(Letters::kMost * line.size());
        std::size_t at = 0, length = 0;
        while (at < line.size()) {
            std::size_t next = at;
            const Letters* letters = take(line, next);
            if (!letters) return {};
            if (letters->count > Letters::kMost) break;
            std::memcpy(word_.data() + length, letters->codes.data(), Letters::kMost);
            length += letters->count;
            at = next;
            if (at == line.size() || line[at] != ' ') continue;
            // Within a phrase, blanks precede a letter; anything else after blanks may be a score.
            std::size_t after = line.find_first_not_of(' ', at);
            if (after == std::string_view::npos) return {};
            next = after;
            letters = take(line, next);
            if (!letters || letters->count == 0) return {};
            if (letters->count > Letters::kMost) break;
            at = after;
        }
        if (!length) return {};
        const std::size_t end = at;
        if (at == line.size()) return Entry{length, default_score_, 0, end};
        const std::size_t blanks = std::min(line.find_first_not_of(' ', at), line.size());
        const char separator = line[blanks];
        if (separator == ';' || separator == '\t') {
            at = std::min(line.find_first_not_of(" \t", blanks + 1), line.size());
        } else if (separator == ',' && blanks == at) {
            ++at;
        } else if (blanks > at) {
            at = blanks;
        } else {
            return {};
        }
        if (at == line.size()) return Entry{length, default_score_, 0, end};
        const std::optional<double> score = number(line.substr(at));
        if (!score) return {};
        return Entry{length, *score, 0, end};
    }

    // The letters of the character at `at`, which moves past it; nothing if it takes more than three bytes.
    const Letters* take(std::string_view line, std::size_t& at) {
        const auto byte = [&line](std::size_t place) { return static_cast<unsigned>(static_cast<Code>(line[place])); };
        unsigned point = byte(at);
        const std::size_t bytes = point < 0xC0 ? 1 : point < 0xE0 ? 2 : 3;
        if (point >= 0xF0 || at + bytes > line.size()) return nullptr;
        if (bytes == 2) point = (point & 0x1F) << 6 | (byte(at + 1) & 0x3F);
        if (bytes == 3) point = (point & 0x0F) << 12 | (byte(at + 1) & 0x3F) << 6 | (byte(at + 2) & 0x3F);
        at += bytes;
        Letters& letters = letters_[point];
        if (letters.count == Letters::kUnknown) letters = source_.fold(static_cast<int>(point));
        return &letters;
    }

    // A number written as digits, with or without a point between them. Numerator and power of ten are exact, so their
    // quotient is rounded once (Clinger, How to read floating point numbers accurately, PLDI 1990, section 3).
    static std::optional<double> number(std::string_view text) {
        std::uint64_t digits = 0;
        int count = 0, decimals = -1;  // before the point
        for (const char c : text) {
            if (c == '.' && decimals < 0 && count) {
                decimals = 0;
            } else if ('0' <= c && c <= '9' && count < kExactDigits) {
                digits = 10 * digits + static_cast<std::uint64_t>(c - '0');
                ++count;
                decimals += decimals >= 0;
            } else {
                return {};
            }
        }
        if (!count || decimals == 0) return {};
        const auto exact = static_cast<double>(digits);
        return decimals < 0 ? exact : exact / kTens[static_cast<std::size_t>(decimals)];
    }

    Source& source_;
    double default_score_;
    std::size_t longest_;           // bytes of a line
    std::vector<Letters> letters_;  // by character
    std::vector<Code> word_;        // the word of the current line, then leftovers of longer words
    std::map<std::size_t, Column> columns_;
    std::array<Column*, 64> near_{};  // the columns of common lengths
    std::size_t comments_ = 0, duplicates_ = 0;
};

}  // namespace cpfill::words
