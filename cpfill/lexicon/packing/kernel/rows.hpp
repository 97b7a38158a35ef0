// A set of rows of letter codes, told apart by their codes: open addressing with linear probing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cpfill {

using Code = std::uint8_t;
using Row = std::uint32_t;

class RowSet {
  public:
    // The row that has the codes of row `row` of `codes`: itself if it is the first, which is then in the set.
    // Rows come in rising order, 0 first; all of them are in the set.
    Row insert(const std::vector<Code>& codes, std::size_t length, Row row) {
        if (buckets_.size() < 2 * (size_ + 1)) grow(codes, length);
        const Code* word = codes.data() + row * length;
        std::size_t at = bucket(word, length);
        for (; buckets_[at]; at = (at + 1) & (buckets_.size() - 1)) {
            const Row known = buckets_[at] - 1;
            if (std::memcmp(codes.data() + known * length, word, length) == 0) return known;
        }
        buckets_[at] = row + 1;
        ++size_;
        return row;
    }

  private:
    std::size_t bucket(const Code* word, std::size_t length) const {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
        std::uint64_t hash = length;
        for (std::size_t at = 0; at < length; at += sizeof(std::uint64_t)) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, word + at, std::min(sizeof eight, length - at));
            hash = (hash ^ eight) * kOdd;
            hash ^= hash >> 32;
        }
        return hash & (buckets_.size() - 1);
    }
    void grow(const std::vector<Code>& codes, std::size_t length) {
        buckets_.assign(buckets_.empty() ? 64 : 4 * buckets_.size(), 0);
        for (Row row = 0; row < size_; ++row) {
            std::size_t at = bucket(codes.data() + row * length, length);
            while (buckets_[at]) at = (at + 1) & (buckets_.size() - 1);
            buckets_[at] = row + 1;
        }
    }

    std::vector<Row> buckets_;  // a row and 1, 0 where there is none
    std::size_t size_ = 0;
};

}  // namespace cpfill
