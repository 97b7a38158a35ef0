// Halves the search: if the reflection of every fill is a fill, only the first of the two in order is sought.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cpfill::letters {

class Mirror {
  public:
    // `images` has the image of each cell; empty if there is no reflection.
    explicit Mirror(const std::vector<int>& images) {
        for (int cell = 0; cell < static_cast<int>(images.size()); ++cell) {
            if (cell < images[cell]) pairs_.push_back({cell, images[cell]});
        }
    }

    // Compare a text, up to cell `end`, with its reflection; the first `tie` pairs of cells are known to agree. Return
    // the last compared cell if the reflection comes first, else -1.
    int compare(const std::string& text, int end, int& tie) const {
        int last = -1;
        while (tie < static_cast<int>(pairs_.size())) {
            const auto [cell, image] = pairs_[tie];
            if (image >= end) break;
            last = std::max(last, image);
            if (text[image] < text[cell]) return last;
            tie = text[image] == text[cell] ? tie + 1 : kFirst;
        }
        return -1;
    }

    // If the text and its reflection agree so far: the cell whose letter bounds that of `image` from below; else -1.
    int find_least(int image, int tie) const {
        return tie < static_cast<int>(pairs_.size()) && pairs_[tie].second == image ? pairs_[tie].first : -1;
    }

    // The number of fills that a whole text counts for.
    std::uint64_t weigh(int tie) const { return tie == kFirst ? 2 : 1; }

  private:
    static constexpr int kFirst = std::numeric_limits<int>::max();

    std::vector<std::pair<int, int>> pairs_;  // in the order in which texts are compared
};

}  // namespace cpfill::letters
