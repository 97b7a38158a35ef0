// The kernel as Python sees it: one class, fed with plain tuples and bytes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "search.hpp"

namespace nb = nanobind;

namespace cpfill::letters {
namespace {

// A table: word length, the letter codes of all words, and the bitsets of the words that stand in one slot at most, of
// the obscure and of the required ones.
using TableData = std::tuple<int, nb::bytes, nb::bytes, nb::bytes, nb::bytes>;
using TrieData = std::pair<int, nb::bytes>;             // table, bitset of its words
using SlotData = std::pair<int, std::vector<int>>;      // trie, cells

void require(bool met, const char* what) {
    if (!met) throw std::invalid_argument(std::string("the kernel needs ") + what);
}

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

Search make_search(int letters, int cells, const std::vector<TableData>& tables, const std::vector<TrieData>& tries,
                   const std::vector<SlotData>& slots, int no_shared, int max_obscure) {
    require(1 <= letters && letters <= 64, "an alphabet of 1 to 64 letters");
    require(cells >= 1, "a cell");
    require(no_shared >= 0, "a length of runs that is not negative");
    std::vector<Table> words;
    for (const auto& [length, codes, singles, obscure, required] : tables) {
        require(length >= 1 && codes.size() % static_cast<std::size_t>(length) == 0, "whole words");
        for (const char code : view(codes)) require(static_cast<unsigned char>(code) < letters, "codes of the alphabet");
        words.push_back({static_cast<std::size_t>(length), view(codes)});
    }
    Forest forest;
    std::vector<NodeId> roots;
    for (const auto& [table, domain] : tries) {
        require(0 <= table && table < static_cast<int>(tables.size()), "tries with a table");
        roots.push_back(forest.add(words[table], view(domain)));
    }
    std::vector<Slot> made;
    std::vector<int> slots_of_table(tables.size(), 0), slots_of_cell(cells, 0);
    for (const auto& [trie, places] : slots) {
        require(0 <= trie && trie < static_cast<int>(tries.size()), "slots with a trie");
        const auto table = static_cast<std::size_t>(tries[trie].first);
        require(places.size() == words[table].length, "slots as long as their words");
        for (std::size_t pos = 0; pos < places.size(); ++pos) {
            require(0 <= places[pos] && places[pos] < cells, "slots of the cells");
            require(pos == 0 || places[pos - 1] < places[pos], "slots whose cells rise");
            require(++slots_of_cell[places[pos]] <= 2, "at most two slots a cell");
        }
        ++slots_of_table[table];
        made.push_back({table, roots[trie], places});
    }
    for (const int count : slots_of_cell) require(count >= 1, "a slot for each cell");
    Ledger ledger(no_shared, max_obscure);
    RunNumbers runs;
    std::vector<std::string> singles;
    for (std::size_t table = 0; table < tables.size(); ++table) {
        const auto& [_, codes, single, obscure, required] = tables[table];
        ledger.add(words[table], view(obscure), view(required), slots_of_table[table], runs);
        singles.emplace_back(view(single));
    }
    return {cells, made, std::move(forest), std::move(ledger), std::move(singles)};
}

}  // namespace

// One search. Its full name tells it from the other kernels, for nanobind goes by that.
class Kernel {
  public:
    Kernel(int letters, int cells, const std::vector<TableData>& tables, const std::vector<TrieData>& tries,
           const std::vector<SlotData>& slots, int no_shared, int max_obscure)
        : letters_(letters), search_(make_search(letters, cells, tables, tries, slots, no_shared, max_obscure)) {}

    bool start(const nb::bytes& prefix, int depth, bool keep) {
        const std::string_view text = view(prefix);
        for (const char code : text) require(static_cast<unsigned char>(code) < letters_, "codes of the alphabet");
        require(1 <= depth && depth <= search_.cells(), "a depth among the cells");
        require(text.size() < static_cast<std::size_t>(depth), "a beginning shorter than the depth");
        return search_.start(text, depth, keep);
    }
    bool step(double seconds, std::uint64_t nodes, std::uint64_t fills) {
        nb::gil_scoped_release released;
        return search_.step(seconds, nodes, fills);
    }
    nb::bytes take() {
        const std::string found = search_.take();
        return nb::bytes(found.data(), found.size());
    }
    std::pair<std::uint64_t, std::uint64_t> counters() const { return {search_.nodes(), search_.fills()}; }

  private:
    int letters_;
    Search search_;
};

}  // namespace cpfill::letters

using cpfill::letters::Kernel;
using cpfill::letters::SlotData;
using cpfill::letters::TableData;
using cpfill::letters::TrieData;

NB_MODULE(_letters, module) {
    nb::class_<Kernel>(module, "Kernel")
        .def(nb::init<int, int, const std::vector<TableData>&, const std::vector<TrieData>&,
                      const std::vector<SlotData>&, int, int>(),
             nb::arg("letters"), nb::arg("cells"), nb::arg("tables"), nb::arg("tries"), nb::arg("slots"),
             nb::arg("no_shared"), nb::arg("max_obscure"))
        .def("start", &Kernel::start, nb::arg("prefix"), nb::arg("depth"), nb::arg("keep"))
        .def("step", &Kernel::step, nb::arg("seconds"), nb::arg("nodes"), nb::arg("fills"))
        .def("take", &Kernel::take)
        .def("counters", &Kernel::counters);
}
