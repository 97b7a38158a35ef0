// The kernel as its owners see it: one class, made of a `LettersSpec` (cubes.py). What it needs of the owner's language
// is what `engines/mac/kernel/kernel.hpp` says.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "search.hpp"

namespace cpfill::letters {
using owner::Bytes;
using owner::Released;
using owner::require;

inline std::string_view view(const Bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

constexpr std::uint32_t kMostMarks = 1U << 26;

// The marks of each word of a table, of pairs of a word and a mark.
inline Marks marks_of(std::size_t words, const Bytes& packed) {
    std::vector<std::uint32_t> pairs(packed.size() / sizeof(std::uint32_t));
    require(packed.size() % (2 * sizeof(std::uint32_t)) == 0, "whole pairs of words and marks");
    if (!pairs.empty()) std::memcpy(pairs.data(), packed.c_str(), packed.size());
    Marks marks(words);
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        require(pairs[i] < words && pairs[i + 1] < kMostMarks, "marks of the words");
        marks[pairs[i]].push_back(pairs[i + 1]);
    }
    return marks;
}

// The attributes of a `LettersSpec`, which says what they are.
struct Spec {
    int letters, cells;
    std::vector<std::tuple<int, Bytes, Bytes, Bytes, Bytes>> tables;
    bool separates;
    std::vector<std::pair<std::int64_t, std::vector<Bytes>>> budgets;
    std::vector<std::pair<int, Bytes>> tries;
    int across;
    std::vector<std::pair<int, std::vector<int>>> slots;
    std::vector<int> mirror;

    // Calls `visit(name, field)` for each.
    template <class Visit>
    void for_fields(Visit visit) {
        visit("letters", letters);
        visit("cells", cells);
        visit("tables", tables);
        visit("separates", separates);
        visit("budgets", budgets);
        visit("tries", tries);
        visit("across", across);
        visit("slots", slots);
        visit("mirror", mirror);
    }
};

inline Search make_search(const Spec& spec) {
    const auto& [letters, cells, tables, separates, budgets, tries, across, slots, mirror] = spec;
    require(1 <= letters && letters <= kMaxLetters, "an alphabet of 1 to 64 letters");
    require(cells >= 1, "a cell");
    require(0 <= across && across <= static_cast<int>(slots.size()), "as many slots across as there are slots");
    std::vector<Table> words;
    for (const auto& [length, codes, singles, required, marks] : tables) {
        require(length >= 1 && codes.size() % static_cast<std::size_t>(length) == 0, "whole words");
        for (const char code : view(codes))
            require(static_cast<unsigned char>(code) < letters, "codes of the alphabet");
        words.push_back({static_cast<std::size_t>(length), view(codes)});
    }
    std::vector<std::int64_t> limits;
    for (const auto& [limit, costs] : budgets) {
        require(limit >= 0 && costs.size() == tables.size(), "budgets with a limit, and costs for each table");
        for (std::size_t table = 0; table < costs.size(); ++table)
            require(costs[table].size() == words[table].size() * sizeof(std::int64_t), "a cost for each word");
        limits.push_back(limit);
    }
    for (const auto& [table, domain] : tries)
        require(0 <= table && table < static_cast<int>(tables.size()), "tries with a table");
    std::vector<Slot> made;
    std::vector<int> slots_of_table(tables.size(), 0);
    std::vector<bool> in_row(cells, false), in_column(cells, false), row_trie(tries.size(), false);
    for (const auto& [trie, slot_cells] : slots) {
        const bool is_row = static_cast<int>(made.size()) < across;
        require(0 <= trie && trie < static_cast<int>(tries.size()), "slots with a trie");
        const auto table = static_cast<std::size_t>(tries[trie].first);
        require(slot_cells.size() == words[table].length, "slots as long as their words");
        for (std::size_t pos = 0; pos < slot_cells.size(); ++pos) {
            const int cell = slot_cells[pos];
            require(0 <= cell && cell < cells, "slots of the cells");
            require(pos == 0 || slot_cells[pos - 1] < cell, "slots whose cells rise");
            require(pos == 0 || !is_row || slot_cells[pos - 1] + 1 == cell,
                    "slots across whose cells follow one another");
            auto&& taken = (is_row ? in_row : in_column)[cell];
            require(!taken, "at most one slot across a cell, and one down");
            taken = true;
        }
        if (is_row) row_trie[trie] = true;
        ++slots_of_table[table];
        made.push_back({table, static_cast<std::size_t>(trie), slot_cells});
    }
    for (int cell = 0; cell < cells; ++cell) require(in_row[cell] || in_column[cell], "a slot for each cell");
    require(mirror.empty() || static_cast<int>(mirror.size()) == cells, "an image of each cell");
    for (const int image : mirror) require(0 <= image && image < cells, "images among the cells");

    Forest forest;
    std::vector<NodeId> roots;
    std::vector<Choices> choices;
    for (std::size_t trie = 0; trie < tries.size(); ++trie) {
        const Table& table = words[tries[trie].first];
        const std::vector<WordId> sorted = sort_words(table, view(tries[trie].second));
        roots.push_back(forest.add(table, sorted));
        choices.emplace_back(table, row_trie[trie] ? sorted : std::vector<WordId>(), letters);
    }
    std::string alphabet;
    for (int letter = 0; letter < letters; ++letter) alphabet.push_back(static_cast<char>(letter));
    const Table any{1, alphabet};
    choices.emplace_back(any, sort_words(any, std::string(kMaxLetters / 8, '\xff')), letters);

    Ledger ledger(limits);
    std::vector<std::string> singles;
    for (std::size_t table = 0; table < tables.size(); ++table) {
        const auto& [_, codes, single, required, packed] = tables[table];
        std::vector<const std::int64_t*> of_table;
        for (const auto& [limit, costs] : budgets)
            of_table.push_back(reinterpret_cast<const std::int64_t*>(costs[table].c_str()));
        ledger.add(words[table], of_table, view(required), slots_of_table[table],
                   separates ? marks_of(words[table].size(), packed) : Marks());
        singles.emplace_back(view(single));
    }
    return {cells,
            made,
            static_cast<std::size_t>(across),
            std::move(forest),
            std::move(choices),
            roots,
            std::move(ledger),
            std::move(singles),
            Mirror(mirror)};
}

// One search.
class Kernel {
  public:
    explicit Kernel(const Spec& spec) : letters_(spec.letters), search_(make_search(spec)) {}

    // Calls `visit(name, method, parameters...)` for each method of the Python class.
    template <class Visit>
    static void for_methods(Visit visit) {
        visit("start", &Kernel::start, "prefix", "depth", "keep");
        visit("step", &Kernel::step, "seconds", "nodes", "fills");
        visit("take", &Kernel::take);
        visit("counters", &Kernel::counters);
    }

    bool start(const Bytes& prefix, int depth, bool keep) {
        const std::string_view text = view(prefix);
        for (const char code : text) require(static_cast<unsigned char>(code) < letters_, "codes of the alphabet");
        require(1 <= depth && depth <= search_.cells(), "a depth among the cells");
        require(text.size() < static_cast<std::size_t>(depth), "a beginning shorter than the depth");
        return search_.start(text, depth, keep);
    }
    bool step(double seconds, std::uint64_t nodes, std::uint64_t fills) {
        const Released released;
        return search_.step(seconds, nodes, fills);
    }
    Bytes take() {
        const std::string found = search_.take();
        return Bytes(found.data(), found.size());
    }
    std::tuple<std::uint64_t, std::uint64_t> counters() const { return {search_.nodes(), search_.fills()}; }

  private:
    int letters_;
    Search search_;
};

}  // namespace cpfill::letters
