// The kernel as Python sees it: one class, fed with plain tuples and bytes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "search.hpp"

namespace nb = nanobind;
using cpfill::Answer;

namespace {

// A table as (word length, letter codes of all words); a slot as (table, crossings, peers) with each crossing as
// (position, crossing slot, position there); bitsets over the words of a table are little-endian bytes.
using TableData = std::pair<int, nb::bytes>;
using SlotData = std::tuple<int, std::vector<std::tuple<int, int, int>>, std::vector<int>>;
using SharedIndex = std::shared_ptr<cpfill::Index>;
using SharedCosts = std::shared_ptr<cpfill::Costs>;

void require(bool met, const char* what) {
    if (!met) throw std::invalid_argument(std::string("the kernel needs ") + what);
}

SharedIndex make_index(int letters, const std::vector<TableData>& tables, int run) {
    require(1 <= letters && letters <= 64, "an alphabet of 1 to 64 letters");
    require(run >= 0, "runs of no negative length");
    std::vector<cpfill::Table> indexed;
    for (const auto& [length, codes] : tables) {
        const std::string_view packed(codes.c_str(), codes.size());
        require(length >= 1 && packed.size() % static_cast<std::size_t>(length) == 0, "whole words");
        for (const char code : packed) require(static_cast<unsigned char>(code) < letters, "codes of the alphabet");
        indexed.emplace_back(length, letters, packed);
    }
    return std::make_shared<cpfill::Index>(letters, std::move(indexed), run);
}

// The blocks of a bitset over a table, of which what lies beyond the table is left out.
std::vector<cpfill::Block> blocks_of(const cpfill::Table& table, const nb::bytes& bytes) {
    std::vector<cpfill::Block> bits(static_cast<std::size_t>(table.blocks), 0);
    const std::size_t size = std::min(bytes.size(), bits.size() * sizeof(cpfill::Block));
    if (size) std::memcpy(bits.data(), bytes.c_str(), size);
    for (int word = table.words; word < table.blocks * cpfill::kBlockBits; ++word) cpfill::clear_bit(bits.data(), word);
    return bits;
}

cpfill::Model make_model(const SharedIndex& index, const std::vector<SlotData>& slots,
                         const std::vector<nb::bytes>& domains,
                         const std::vector<nb::bytes>& singles,
                         const std::vector<std::pair<SharedCosts, std::int64_t>>& budgets,
                         const std::vector<std::pair<int, int>>& required) {
    cpfill::Model model(index);
    const std::vector<cpfill::Table>& tables = index->tables;
    require(singles.size() == tables.size(), "the words that may not be repeated of each table");
    for (std::size_t table = 0; table < tables.size(); ++table)
        model.singles.push_back(blocks_of(tables[table], singles[table]));
    require(budgets.size() <= cpfill::kBudgets, "three budgets at most");
    for (const auto& [costs, limit] : budgets) {
        require(costs->of.size() == tables.size(), "costs for each table");
        for (std::size_t table = 0; table < tables.size(); ++table)
            require(costs->of[table].size() == static_cast<std::size_t>(tables[table].words), "a cost for each word");
        model.budgets.push_back({costs, limit});
    }
    for (const auto& [table, word] : required) {
        require(0 <= table && table < static_cast<int>(tables.size()), "required words with a table");
        require(0 <= word && word < tables[table].words, "required words of their table");
        model.required.push_back({table, word});
    }
    require(domains.size() == slots.size(), "a domain for each slot");
    const auto slot_count = static_cast<int>(slots.size());
    for (const auto& [table, crossings, peers] : slots) {
        require(0 <= table && table < static_cast<int>(tables.size()), "slots with a table");
        for (const int peer : peers) require(0 <= peer && peer < slot_count, "peers that are slots");
        model.slots.push_back({table, {}, peers});
        const std::size_t bits = std::min<std::size_t>(domains[model.slots.size() - 1].size() * 8, tables[table].words);
        model.used[table] = std::max(model.used[table], cpfill::blocks_for(static_cast<int>(bits)));
    }
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        for (const auto& [pos, other, other_pos] : std::get<1>(slots[slot])) {
            const auto first = static_cast<int>(slot);
            require(0 <= other && other < slot_count, "crossings with slots");
            require(0 <= pos && pos < model.table(first).length, "crossings within their slot");
            require(0 <= other_pos && other_pos < model.table(other).length, "crossings within both slots");
            if (other < first) continue;  // known from the other side
            const auto cell = static_cast<int>(model.cells.size());
            const auto at = static_cast<int>(model.slots[slot].crossings.size());
            const auto other_at = static_cast<int>(model.slots[other].crossings.size());
            model.slots[slot].crossings.push_back({pos, cell, other, other_at});
            model.slots[other].crossings.push_back({other_pos, cell, first, at});
            model.cells.push_back({{first, other}, {at, other_at}});
        }
    }
    return model;
}

// One search. `domains` are little-endian bitsets over the words of each slot's table.
class Kernel {
  public:
    Kernel(const SharedIndex& index, const std::vector<SlotData>& slots, const std::vector<nb::bytes>& domains,
           const std::vector<nb::bytes>& singles, const std::vector<std::pair<SharedCosts, std::int64_t>>& budgets,
           const std::vector<std::pair<int, int>>& required, const std::vector<double>& weights, std::uint64_t seed,
           int first_limit, bool by_cell, bool improving, double dear)
        : slots_(slots.size()), budgets_(budgets.size()),
          search_(make_model(index, slots, domains, singles, budgets, required), seed, first_limit, by_cell, improving, dear) {
        require(dear == 0 || !budgets.empty(), "a budget for what is dear");
        for (std::size_t slot = 0; slot < domains.size(); ++slot)
            search_.start(static_cast<int>(slot),
                          blocks_of(index->tables[std::get<0>(slots[slot])], domains[slot]).data());
        if (weights.empty()) return;
        require(weights.size() == search_.weights().size(), "a weight for each crossing");
        search_.weights() = weights;
    }
    Answer step(double seconds, std::uint64_t nodes) {
        nb::gil_scoped_release released;
        return search_.step(seconds, nodes);
    }
    int wipeout() const { return search_.wipeout(); }
    std::vector<int> words() const {
        require(search_.at_solution(), "a solution before it can tell the words");
        std::vector<int> found;
        for (std::size_t slot = 0; slot < slots_; ++slot) found.push_back(search_.word(static_cast<int>(slot)));
        return found;
    }
    void lower_limit(int budget, std::int64_t limit) {
        require(0 <= budget && budget < static_cast<int>(budgets_), "a budget to lower the limit of");
        search_.lower_limit(budget, limit);
    }
    std::vector<double> weights() { return search_.weights(); }
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> counters() const {
        return {search_.nodes(), search_.fails(), search_.restarts()};
    }

  private:
    std::size_t slots_;
    std::size_t budgets_;
    cpfill::Search search_;
};

}  // namespace

NB_MODULE(_kernel, module) {
    nb::enum_<Answer>(module, "Answer")
        .value("RUNNING", Answer::kRunning)
        .value("FOUND", Answer::kFound)
        .value("EXHAUSTED", Answer::kExhausted);
    nb::class_<cpfill::Index>(module, "Index")
        .def(nb::new_(&make_index), nb::arg("letters"), nb::arg("tables"), nb::arg("run"));
    nb::class_<cpfill::Costs>(module, "Costs")
        .def(nb::new_([](const std::vector<nb::bytes>& tables) {
                 std::vector<std::vector<std::int64_t>> costs;
                 for (const nb::bytes& packed : tables) {
                     require(packed.size() % sizeof(std::int64_t) == 0, "whole costs");
                     auto& table = costs.emplace_back(packed.size() / sizeof(std::int64_t));
                     if (!table.empty()) std::memcpy(table.data(), packed.c_str(), packed.size());
                 }
                 return std::make_shared<cpfill::Costs>(std::move(costs));
             }),
             nb::arg("tables"));
    nb::class_<Kernel>(module, "Kernel")
        .def(nb::init<const SharedIndex&, const std::vector<SlotData>&, const std::vector<nb::bytes>&,
                      const std::vector<nb::bytes>&, const std::vector<std::pair<SharedCosts, std::int64_t>>&,
                      const std::vector<std::pair<int, int>>&, const std::vector<double>&, std::uint64_t, int, bool,
                      bool, double>(),
             nb::arg("index"), nb::arg("slots"), nb::arg("domains"), nb::arg("singles"), nb::arg("budgets"),
             nb::arg("required"), nb::arg("weights"), nb::arg("seed"), nb::arg("first_limit"), nb::arg("by_cell"),
             nb::arg("improving"), nb::arg("dear"))
        .def("step", &Kernel::step, nb::arg("seconds"), nb::arg("nodes"))
        .def("wipeout", &Kernel::wipeout)
        .def("words", &Kernel::words)
        .def("lower_limit", &Kernel::lower_limit, nb::arg("budget"), nb::arg("limit"))
        .def("weights", &Kernel::weights)
        .def("counters", &Kernel::counters);
}
