// A search of the half: where the reflection of a fill is a fill, only the one that comes first in order is looked for.
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
    // For each cell, its image; empty where there is no reflection.
    explicit Mirror(const std::vector<int>& images) {
        for (int cell = 0; cell < static_cast<int>(images.size()); ++cell) {
            if (cell < images[cell]) pairs_.push_back({cell, images[cell]});
        }
    }

    // Go on comparing a text with its reflection, which agreed at the first `tie` pairs of cells, as far as the text
    // goes. Return the last cell that was compared if the reflection comes first, else -1.
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

    // The cell whose letter is the least that an image of it can have, where texts agree so far; else -1.
    int find_least(int image, int tie) const {
        return tie < static_cast<int>(pairs_.size()) && pairs_[tie].second == image ? pairs_[tie].first : -1;
    }

    // How many fills a whole text stands for.
    std::uint64_t weigh(int tie) const { return tie == kFirst ? 2 : 1; }

  private:
    static constexpr int kFirst = std::numeric_limits<int>::max();

    std::vector<std::pair<int, int>> pairs_;  // in the order in which texts are compared
};

}  // namespace cpfill::letters
