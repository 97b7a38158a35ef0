// The kernel as Python sees it: one class, made of a `MacSpec` (spec.py).
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "search.hpp"

namespace nb = nanobind;
using cpfill::mac::Answer;

namespace {

using TableData = std::pair<int, nb::bytes>;  // word length, letter codes of all words
using SlotData = std::tuple<int, std::vector<std::tuple<int, int, int>>, std::vector<int>>;
using SharedIndex = std::shared_ptr<cpfill::mac::Index>;
using SharedCosts = std::shared_ptr<cpfill::mac::Costs>;

void require(bool met, const char* what) {
    if (!met) throw std::invalid_argument(std::string("the kernel needs ") + what);
}

// The attributes of a `MacSpec`, which says what they are.
struct Spec {
    SharedIndex index;
    std::vector<SlotData> slots;
    std::vector<nb::bytes> domains, singles;
    std::vector<std::pair<SharedCosts, std::int64_t>> budgets;
    std::vector<std::pair<int, int>> required;
    std::vector<double> weights;
    std::uint64_t seed;
    int first_limit;
    bool by_cell, improving, believing, shifts, logged;
    double dear;

    explicit Spec(nb::handle spec) {
        read(spec, "index", index);
        read(spec, "slots", slots);
        read(spec, "domains", domains);
        read(spec, "singles", singles);
        read(spec, "budgets", budgets);
        read(spec, "required", required);
        read(spec, "weights", weights);
        read(spec, "seed", seed);
        read(spec, "first_limit", first_limit);
        read(spec, "by_cell", by_cell);
        read(spec, "improving", improving);
        read(spec, "believing", believing);
        read(spec, "dear", dear);
        read(spec, "shifts", shifts);
        read(spec, "logged", logged);
        require(index != nullptr, "an index");
    }

  private:
    template <class T>
    static void read(nb::handle spec, const char* name, T& value) {
        const nb::object attribute = spec.attr(name);
        if (!nb::try_cast<T>(attribute, value)) throw nb::type_error(name);
    }
};

SharedIndex make_index(int letters, const std::vector<TableData>& tables, int run) {
    require(1 <= letters && letters <= cpfill::mac::kMaxLetters, "an alphabet of 1 to 64 letters");
    require(run >= 0, "runs of no negative length");
    std::vector<cpfill::mac::Table> indexed;
    for (const auto& [length, codes] : tables) {
        const std::string_view packed(codes.c_str(), codes.size());
        require(length >= 1 && packed.size() % static_cast<std::size_t>(length) == 0, "whole words");
        for (const char code : packed) require(static_cast<unsigned char>(code) < letters, "codes of the alphabet");
        indexed.emplace_back(length, letters, packed);
    }
    return std::make_shared<cpfill::mac::Index>(letters, std::move(indexed), run);
}

// The blocks of a bitset over a table, of which what lies beyond the table is left out.
std::vector<cpfill::Block> blocks_of(const cpfill::mac::Table& table, const nb::bytes& bytes) {
    std::vector<cpfill::Block> bits(static_cast<std::size_t>(table.blocks), 0);
    const std::size_t size = std::min(bytes.size(), bits.size() * sizeof(cpfill::Block));
    if (size) std::memcpy(bits.data(), bytes.c_str(), size);
    for (int word = table.words; word < table.blocks * cpfill::kBlockBits; ++word)
        cpfill::mac::clear_bit(bits.data(), word);
    return bits;
}

cpfill::mac::Model make_model(const Spec& spec) {
    cpfill::mac::Model model(spec.index);
    const std::vector<cpfill::mac::Table>& tables = spec.index->tables;
    require(spec.singles.size() == tables.size(), "the words that may not be repeated of each table");
    for (std::size_t table = 0; table < tables.size(); ++table)
        model.singles.push_back(blocks_of(tables[table], spec.singles[table]));
    require(spec.budgets.size() <= cpfill::mac::kBudgets, "six budgets at most");
    for (const auto& [costs, limit] : spec.budgets) {
        require(costs != nullptr, "costs for each budget");
        require(costs->of.size() == tables.size(), "costs for each table");
        for (std::size_t table = 0; table < tables.size(); ++table)
            require(costs->of[table].size() == static_cast<std::size_t>(tables[table].words), "a cost for each word");
        model.budgets.push_back({costs, limit});
    }
    for (const auto& [table, word] : spec.required) {
        require(0 <= table && table < static_cast<int>(tables.size()), "required words with a table");
        require(0 <= word && word < tables[table].words, "required words of their table");
        model.required.push_back({table, word});
    }
    require(spec.domains.size() == spec.slots.size(), "a domain for each slot");
    const auto slot_count = static_cast<int>(spec.slots.size());
    for (const auto& [table, crossings, peers] : spec.slots) {
        require(0 <= table && table < static_cast<int>(tables.size()), "slots with a table");
        for (const int peer : peers) require(0 <= peer && peer < slot_count, "peers that are slots");
        model.slots.push_back({table, {}, peers, {}});
        const nb::bytes& domain = spec.domains[model.slots.size() - 1];
        const std::size_t bits = std::min<std::size_t>(domain.size() * 8, tables[table].words);
        model.used[table] = std::max(model.used[table], cpfill::mac::blocks_for(static_cast<int>(bits)));
    }
    for (std::size_t slot = 0; slot < spec.slots.size(); ++slot) {
        for (const auto& [pos, other, other_pos] : std::get<1>(spec.slots[slot])) {
            const auto first = static_cast<int>(slot);
            require(0 <= other && other < slot_count, "crossings with slots");
            require(0 <= pos && pos < model.table(first).length, "crossings within their slot");
            require(0 <= other_pos && other_pos < model.table(other).length, "crossings within both slots");
            if (other < first) continue;  // known from the other side
            model.cross(first, pos, other, other_pos);
        }
    }
    return model;
}

// One search.
class Kernel {
  public:
    explicit Kernel(const nb::object& spec) : Kernel(Spec(spec)) {}
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
    void set_limit(int budget, std::int64_t limit) {
        require(0 <= budget && budget < static_cast<int>(budgets_), "a budget to set the limit of");
        search_.set_limit(budget, limit);
    }
    bool propagate() {
        nb::gil_scoped_release released;
        return search_.propagate();
    }
    nb::bytes domain(int slot) const {
        require_slot(slot);
        const std::vector<cpfill::Block> bits = search_.domain(slot);
        return nb::bytes(bits.data(), bits.size() * sizeof(cpfill::Block));
    }
    std::vector<cpfill::mac::Letters> letters() const {
        std::vector<cpfill::mac::Letters> sets;
        for (int cell = 0; cell < search_.cells(); ++cell) sets.push_back(search_.letters(cell));
        return sets;
    }
    double promise() { return search_.promise(); }
    double expect() const {
        nb::gil_scoped_release released;
        return search_.expect();
    }
    bool assume(int slot, const nb::bytes& domain) {
        require_slot(slot);
        const std::vector<cpfill::Block> words = blocks_of(search_.table(slot), domain);
        nb::gil_scoped_release released;
        return search_.assume(slot, words.data());
    }
    bool relax(const std::vector<int>& words, const std::vector<int>& freed) {
        require(words.size() == slots_, "a word for each slot");
        std::vector<char> free(slots_, 0);
        for (const int slot : freed) {
            require_slot(slot);
            free[slot] = 1;
        }
        for (std::size_t slot = 0; slot < slots_; ++slot)
            require(0 <= words[slot] && words[slot] < search_.table(static_cast<int>(slot)).words,
                    "words of the tables");
        nb::gil_scoped_release released;
        return search_.relax(words, free);
    }
    bool narrow(int slot, const nb::bytes& domain) {
        require_slot(slot);
        const std::vector<cpfill::Block> words = blocks_of(search_.table(slot), domain);
        nb::gil_scoped_release released;
        return search_.narrow(slot, words.data());
    }
    std::int64_t least_cost() const {
        require(budgets_ > 0, "a budget that has costs");
        return search_.least_cost();
    }
    std::unique_ptr<Kernel> part(const std::vector<int>& slots, std::int64_t regret) {
        require(budgets_ > 0, "a budget that has costs");
        require(!search_.assuming() && !slots.empty(), "no assumptions, and some slots");
        for (const int slot : slots) require_slot(slot);
        require(search_.propagate_anew(), "words for each slot");
        return std::unique_ptr<Kernel>(new Kernel(*this, slots, regret));
    }
    void release() { search_.release(); }
    std::vector<double> weights() { return search_.weights(); }
    nb::bytes log() {
        const std::vector<std::int32_t> taken = search_.take_log();
        return nb::bytes(taken.data(), taken.size() * sizeof(std::int32_t));
    }
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> counters() const {
        return {search_.nodes(), search_.fails(), search_.restarts()};
    }

  private:
    void require_slot(int slot) const { require(0 <= slot && slot < static_cast<int>(slots_), "a slot of its own"); }

    Kernel(Kernel& whole, const std::vector<int>& slots, std::int64_t regret)
        : slots_(slots.size()),
          budgets_(1),
          search_(whole.search_, slots, regret) {}

    explicit Kernel(const Spec& spec)
        : slots_(spec.slots.size()),
          budgets_(spec.budgets.size()),
          search_(make_model(spec), {.seed = spec.seed,
                                     .first_limit = spec.first_limit,
                                     .by_cell = spec.by_cell,
                                     .improving = spec.improving,
                                     .believing = spec.believing,
                                     .dear = spec.dear,
                                     .shifts = spec.shifts,
                                     .logged = spec.logged}) {
        require(!spec.shifts || !spec.budgets.empty(), "a budget to shift the costs of");
        require(spec.dear == 0 || !spec.budgets.empty(), "a budget for what is dear");
        for (std::size_t slot = 0; slot < slots_; ++slot) {
            const cpfill::mac::Table& table = spec.index->tables[std::get<0>(spec.slots[slot])];
            search_.start(static_cast<int>(slot), blocks_of(table, spec.domains[slot]).data());
        }
        if (spec.weights.empty()) return;
        require(spec.weights.size() == search_.weights().size(), "a weight for each crossing");
        search_.weights() = spec.weights;
    }

    std::size_t slots_;
    std::size_t budgets_;
    cpfill::mac::Search search_;
};

}  // namespace

NB_MODULE(_kernel, module) {
    nb::set_leak_warnings(false);  // a program that ends leaves what it holds to the system: `cpfill/cli/__init__.py`
    nb::dict constants;            // under the names that the twin has for them
    constants["MAX_LETTERS"] = cpfill::mac::kMaxLetters;
    constants["BLAME"] = cpfill::mac::kBlame;
    constants["SIDE_BLAME"] = cpfill::mac::kSideBlame;
    constants["LARGE_DOMAIN"] = cpfill::mac::kLargeDomain;
    constants["BARELY_SHRUNK"] = cpfill::mac::kBarelyShrunk;
    constants["UNCROSSED"] = cpfill::mac::kUncrossed;
    constants["NO_WORD"] = cpfill::mac::kNoWord;
    constants["NOISE"] = cpfill::mac::kNoise;
    constants["NOISES"] = cpfill::mac::kNoises;
    constants["RESTART_GROWTH"] = cpfill::mac::kRestartGrowth;
    constants["REFUTED"] = cpfill::mac::kRefuted;
    constants["TAKEN_BACK"] = cpfill::mac::kTakenBack;
    module.attr("CONSTANTS") = constants;
    module.attr("COMPILER") = CPFILL_COMPILER;
    nb::enum_<Answer>(module, "Answer")
        .value("RUNNING", Answer::kRunning)
        .value("FOUND", Answer::kFound)
        .value("EXHAUSTED", Answer::kExhausted);
    nb::class_<cpfill::mac::Index>(module, "Index")
        .def(nb::new_(&make_index), nb::arg("letters"), nb::arg("tables"), nb::arg("run"));
    nb::class_<cpfill::mac::Costs>(module, "Costs")
        .def(nb::new_([](const std::vector<nb::bytes>& tables) {
                 std::vector<std::vector<std::int64_t>> costs;
                 for (const nb::bytes& packed : tables) {
                     require(packed.size() % sizeof(std::int64_t) == 0, "whole costs");
                     auto& table = costs.emplace_back(packed.size() / sizeof(std::int64_t));
                     if (!table.empty()) std::memcpy(table.data(), packed.c_str(), packed.size());
                 }
                 return std::make_shared<cpfill::mac::Costs>(std::move(costs));
             }),
             nb::arg("tables"));
    nb::class_<Kernel>(module, "Kernel")
        .def(nb::init<const nb::object&>(), nb::arg("spec"))
        .def("step", &Kernel::step, nb::arg("seconds"), nb::arg("nodes"))
        .def("wipeout", &Kernel::wipeout)
        .def("words", &Kernel::words)
        .def("propagate", &Kernel::propagate)
        .def("domain", &Kernel::domain, nb::arg("slot"))
        .def("letters", &Kernel::letters)
        .def("promise", &Kernel::promise)
        .def("expect", &Kernel::expect)
        .def("assume", &Kernel::assume, nb::arg("slot"), nb::arg("domain"))
        .def("relax", &Kernel::relax, nb::arg("words"), nb::arg("freed"))
        .def("narrow", &Kernel::narrow, nb::arg("slot"), nb::arg("domain"))
        .def("release", &Kernel::release)
        .def("set_limit", &Kernel::set_limit, nb::arg("budget"), nb::arg("limit"))
        .def("least_cost", &Kernel::least_cost)
        .def("part", &Kernel::part, nb::arg("slots"), nb::arg("regret"))
        .def("weights", &Kernel::weights)
        .def("counters", &Kernel::counters)
        .def("log", &Kernel::log);
}
