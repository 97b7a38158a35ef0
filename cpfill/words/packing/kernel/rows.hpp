// A set of rows of letter codes, compared by their codes: open addressing with linear probing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cpfill::words {

using Code = std::uint8_t;
using Row = std::uint32_t;

class RowSet {
  public:
    // An empty set, for at most `most` rows of `length` codes.
    RowSet(std::size_t most, std::size_t length) : buckets_(std::bit_ceil(2 * most + 1)), length_(length) {}

    // Returns the row in the set with the same codes as row `row` of `codes`, after inserting `row` if it is the first.
    Row insert(const std::vector<Code>& codes, Row row) {
        const Code* word = codes.data() + row * length_;
        std::size_t at = bucket(word);
        for (; buckets_[at]; at = (at + 1) & (buckets_.size() - 1)) {
            const Row known = buckets_[at] - 1;
            if (std::memcmp(codes.data() + known * length_, word, length_) == 0) return known;
        }
        buckets_[at] = row + 1;
        return row;
    }

  private:
    std::size_t bucket(const Code* word) const {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
        std::uint64_t hash = length_;
        for (std::size_t at = 0; at < length_; at += sizeof(std::uint64_t)) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, word + at, std::min(sizeof eight, length_ - at));
            hash = (hash ^ eight) * kOdd;
            hash ^= hash >> 32;
        }
        return hash & (buckets_.size() - 1);
    }

    std::vector<Row> buckets_;  // row + 1; 0 if empty
    std::size_t length_;
};

}  // namespace cpfill::words
