// The kernel as Python sees it: one class, fed with plain tuples and bytes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "search.hpp"

namespace nb = nanobind;
using cpfill::Answer;

namespace {

// A table as (word length, letter codes of all words); a slot as (table, crossings, peers) with each crossing as
// (position, crossing slot, position there).
using TableData = std::pair<int, nb::bytes>;
using SlotData = std::tuple<int, std::vector<std::tuple<int, int, int>>, std::vector<int>>;

void require(bool met, const char* what) {
    if (!met) throw std::invalid_argument(std::string("the kernel needs ") + what);
}

cpfill::Model make_model(int letters, const std::vector<TableData>& tables, const std::vector<SlotData>& slots) {
    require(1 <= letters && letters <= 64, "an alphabet of 1 to 64 letters");
    cpfill::Model model;
    model.letters = letters;
    for (const auto& [length, codes] : tables) {
        const std::string_view packed(codes.c_str(), codes.size());
        require(length >= 1 && packed.size() % static_cast<std::size_t>(length) == 0, "whole words");
        for (const char code : packed) require(static_cast<unsigned char>(code) < letters, "codes of the alphabet");
        model.tables.emplace_back(length, letters, packed);
    }
    const auto slot_count = static_cast<int>(slots.size());
    for (const auto& [table, crossings, peers] : slots) {
        require(0 <= table && table < static_cast<int>(tables.size()), "slots with a table");
        for (const int peer : peers) require(0 <= peer && peer < slot_count, "peers that are slots");
        model.slots.push_back({table, {}, peers});
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
    Kernel(int letters, const std::vector<TableData>& tables, const std::vector<SlotData>& slots,
           const std::vector<nb::bytes>& domains, std::uint64_t seed, int first_limit, bool by_cell)
        : slots_(slots.size()), search_(make_model(letters, tables, slots), seed, first_limit, by_cell) {
        require(domains.size() == slots.size(), "a domain for each slot");
        for (std::size_t slot = 0; slot < domains.size(); ++slot) {
            const std::string_view bytes(domains[slot].c_str(), domains[slot].size());
            search_.start(static_cast<int>(slot), bytes);
        }
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
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> counters() const {
        return {search_.nodes(), search_.fails(), search_.restarts()};
    }

  private:
    std::size_t slots_;
    cpfill::Search search_;
};

}  // namespace

NB_MODULE(_kernel, module) {
    nb::enum_<Answer>(module, "Answer")
        .value("RUNNING", Answer::kRunning)
        .value("FOUND", Answer::kFound)
        .value("EXHAUSTED", Answer::kExhausted);
    nb::class_<Kernel>(module, "Kernel")
        .def(nb::init<int, const std::vector<TableData>&, const std::vector<SlotData>&, const std::vector<nb::bytes>&,
                      std::uint64_t, int, bool>(),
             nb::arg("letters"), nb::arg("tables"), nb::arg("slots"), nb::arg("domains"), nb::arg("seed"),
             nb::arg("first_limit"), nb::arg("by_cell"))
        .def("step", &Kernel::step, nb::arg("seconds"), nb::arg("nodes"))
        .def("wipeout", &Kernel::wipeout)
        .def("words", &Kernel::words)
        .def("counters", &Kernel::counters);
}
