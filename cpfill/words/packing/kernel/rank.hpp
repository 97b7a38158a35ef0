// The words of one length from several lists, best score first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "rows.hpp"

namespace cpfill::words {

// The words of one list.
struct Part {
    const Code* codes;
    const double* scores;
    std::size_t words;
};

// The union of all parts: for each word, best score first, the index of its entry in the concatenation of all parts. A
// word in several parts has its best score, and in a tie the first index.
inline std::vector<Row> rank(std::size_t length, const std::vector<Part>& parts, const Part& without) {
    std::vector<double> scores;
    for (const Part& part : parts) scores.insert(scores.end(), part.scores, part.scores + part.words);
    std::vector<Row> rows(scores.size());
    std::iota(rows.begin(), rows.end(), Row{0});
    if (parts.size() > 1 || without.words) {
        // The set begins with the words to leave out.
        std::vector<Code> codes(without.codes, without.codes + without.words * length);
        RowSet known(without.words + rows.size(), length);
        Row out = 0;
        for (std::size_t word = 0; word < without.words; ++word) {
            std::copy_n(without.codes + word * length, length, codes.begin() + out * length);
            out += known.insert(codes, out) == out;
        }
        codes.resize(out * length);
        std::vector<Row> best;  // of the words that stay
        Row row = 0;
        for (const Part& part : parts) {
            for (std::size_t word = 0; word < part.words; ++word, ++row) {
                const Code* from = part.codes + word * length;
                const auto next = static_cast<Row>(out + best.size());
                codes.insert(codes.end(), from, from + length);
                const Row same = known.insert(codes, next);
                if (same == next) {
                    best.push_back(row);
                    continue;
                }
                codes.resize(next * length);
                if (same >= out && scores[row] > scores[best[same - out]]) best[same - out] = row;
            }
        }
        rows = std::move(best);
    }
    const auto better = [&scores](Row one, Row other) { return scores[one] > scores[other]; };
    if (!std::is_sorted(rows.begin(), rows.end(), better)) std::stable_sort(rows.begin(), rows.end(), better);
    return rows;
}

}  // namespace cpfill::words
