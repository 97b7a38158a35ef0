// The kernel as its owners see it: one class, made of a `MacSpec` (kernels.py). What it needs of the owner's language
// is to be declared before this header, in the namespace `cpfill::owner`:
//   Bytes     has `c_str()` and `size()`, and is made of an address and a size
//   Released  while one exists, other threads of the owner run
//   require   tells the owner what it should have given, and does not return, unless that is met
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "search.hpp"

namespace cpfill::mac {

using owner::Bytes;
using owner::Released;
using owner::require;

using TableData = std::pair<int, Bytes>;  // word length, letter codes of all words
using SlotData = std::tuple<int, int, std::vector<std::tuple<int, int, int>>, std::vector<int>>;
using ApartData = std::tuple<int, Bytes, int, Bytes>;
constexpr std::uint32_t kMostMarks = 1U << 26;
using SharedIndex = std::shared_ptr<Index>;
using SharedCosts = std::shared_ptr<Costs>;

// The attributes of a `MacSpec`, which says what they are.
struct Spec {
    SharedIndex index;
    std::vector<SlotData> slots;
    std::vector<Bytes> domains, singles;
    std::vector<std::pair<SharedCosts, std::int64_t>> budgets;
    std::vector<std::vector<Bytes>> required;
    std::vector<ApartData> apart;
    std::vector<double> weights;
    std::uint64_t seed;
    int first_limit, patience;
    bool heavy_first, by_cell, improving, believing, shifts, logged, sized;
    double promising, dear;

    // Calls `visit(name, field)` for each.
    template <class Visit>
    void for_fields(Visit visit) {
        visit("index", index);
        visit("slots", slots);
        visit("domains", domains);
        visit("singles", singles);
        visit("budgets", budgets);
        visit("required", required);
        visit("apart", apart);
        visit("weights", weights);
        visit("heavy_first", heavy_first);
        visit("seed", seed);
        visit("first_limit", first_limit);
        visit("patience", patience);
        visit("promising", promising);
        visit("by_cell", by_cell);
        visit("improving", improving);
        visit("believing", believing);
        visit("dear", dear);
        visit("shifts", shifts);
        visit("logged", logged);
        visit("sized", sized);
    }
};

// The words of a table and their marks, in pairs.
inline std::vector<std::uint32_t> pairs_of(std::size_t words, const Bytes& packed) {
    std::vector<std::uint32_t> pairs(packed.size() / sizeof(std::uint32_t));
    require(packed.size() % (2 * sizeof(std::uint32_t)) == 0, "whole pairs of words and marks");
    if (!pairs.empty()) std::memcpy(pairs.data(), packed.c_str(), packed.size());
    for (std::size_t i = 0; i < pairs.size(); i += 2)
        require(pairs[i] < words && pairs[i + 1] < kMostMarks, "marks of the words");
    return pairs;
}

inline SharedIndex make_index(int letters, const std::vector<TableData>& tables, const std::vector<Bytes>& marks) {
    require(1 <= letters && letters <= kMaxLetters, "an alphabet of 1 to 64 letters");
    require(marks.empty() || marks.size() == tables.size(), "marks for each table, or for none");
    std::vector<Table> indexed;
    for (const auto& [length, codes] : tables) {
        const std::string_view packed(codes.c_str(), codes.size());
        require(length >= 1 && packed.size() % static_cast<std::size_t>(length) == 0, "whole words");
        for (const char code : packed) require(static_cast<unsigned char>(code) < letters, "codes of the alphabet");
        indexed.emplace_back(length, letters, packed);
    }
    std::vector<std::vector<std::uint32_t>> marked;
    for (std::size_t table = 0; table < marks.size(); ++table)
        marked.push_back(pairs_of(static_cast<std::size_t>(indexed[table].words), marks[table]));
    return std::make_shared<Index>(letters, std::move(indexed), marked);
}

inline SharedCosts make_costs(const std::vector<Bytes>& tables) {
    std::vector<std::vector<std::int64_t>> costs;
    for (const Bytes& packed : tables) {
        require(packed.size() % sizeof(std::int64_t) == 0, "whole costs");
        auto& table = costs.emplace_back(packed.size() / sizeof(std::int64_t));
        if (!table.empty()) std::memcpy(table.data(), packed.c_str(), packed.size());
    }
    return std::make_shared<Costs>(std::move(costs));
}

// The blocks of a bitset over a table, of which what lies beyond the table is left out.
inline std::vector<Block> blocks_of(const Table& table, const Bytes& bytes) {
    std::vector<Block> bits(static_cast<std::size_t>(table.blocks), 0);
    const std::size_t size = std::min(bytes.size(), bits.size() * sizeof(Block));
    if (size) std::memcpy(bits.data(), bytes.c_str(), size);
    for (int word = table.words; word < table.blocks * kBlockBits; ++word) clear_bit(bits.data(), word);
    return bits;
}

// Check that each budget has costs for a slot.
inline void require_costs(const Model& model, const Slot& slot) {
    for (const Budget& budget : model.budgets) {
        const auto& of = budget.costs->of;
        require(0 <= slot.kind && slot.kind < static_cast<int>(of.size()), "costs for each kind");
        require(of[slot.kind].size() == static_cast<std::size_t>(model.tables[slot.table].words),
                "a cost for each word");
    }
}

inline void add_aparts(Model& model, const std::vector<ApartData>& aparts) {
    std::map<std::pair<int, std::string>, std::shared_ptr<const Words>> known;  // by table
    const auto share = [&](int slot, const Bytes& bytes) {
        require(0 <= slot && slot < static_cast<int>(model.slots.size()), "words apart in slots");
        auto& words = known[{model.slots[slot].table, std::string(bytes.c_str(), bytes.size())}];
        if (!words) words = std::make_shared<const Words>(blocks_of(model.table(slot), bytes));
        return words;
    };
    for (const auto& [one, ones, other, others] : aparts) {
        require(one != other, "words apart in two slots");
        model.aparts.push_back({{one, other}, {share(one, ones), share(other, others)}});
    }
}

inline Model make_model(const Spec& spec) {
    require(spec.index != nullptr, "an index");
    Model model(spec.index);
    const std::vector<Table>& tables = spec.index->tables;
    require(spec.singles.size() == tables.size(), "the words that may not be repeated of each table");
    for (std::size_t table = 0; table < tables.size(); ++table)
        model.singles.push_back(blocks_of(tables[table], spec.singles[table]));
    require(spec.budgets.size() <= kBudgets, "twelve budgets at most");
    for (const auto& [costs, limit] : spec.budgets) {
        require(costs != nullptr, "costs for each budget");
        model.budgets.push_back({costs, limit});
    }
    model.required.resize(spec.required.size());
    for (std::size_t cover = 0; cover < spec.required.size(); ++cover)
        model.required[cover].resize(spec.required[cover].size());
    require(spec.domains.size() == spec.slots.size(), "a domain for each slot");
    const auto slot_count = static_cast<int>(spec.slots.size());
    for (const auto& [table, kind, crossings, peers] : spec.slots) {
        require(0 <= table && table < static_cast<int>(tables.size()), "slots with a table");
        for (const int peer : peers) require(0 <= peer && peer < slot_count, "peers that are slots");
        model.slots.push_back({table, kind, {}, peers, {}});
        require_costs(model, model.slots.back());
        for (std::size_t cover = 0; cover < spec.required.size(); ++cover) {
            require(0 <= kind && kind < static_cast<int>(spec.required[cover].size()), "required words of each kind");
            const Bytes& words = spec.required[cover][kind];
            if (words.size()) model.required[cover][kind] = blocks_of(tables[table], words);
        }
        const Bytes& domain = spec.domains[model.slots.size() - 1];
        const std::size_t bits = std::min<std::size_t>(domain.size() * 8, tables[table].words);
        model.used[table] = std::max(model.used[table], blocks_for(static_cast<int>(bits)));
    }
    for (std::size_t slot = 0; slot < spec.slots.size(); ++slot) {
        for (const auto& [pos, other, other_pos] : std::get<2>(spec.slots[slot])) {
            const auto first = static_cast<int>(slot);
            require(0 <= other && other < slot_count, "crossings with slots");
            require(0 <= pos && pos < model.table(first).length, "crossings within their slot");
            require(0 <= other_pos && other_pos < model.table(other).length, "crossings within both slots");
            if (other < first) continue;  // known from the other side
            model.cross(first, pos, other, other_pos);
        }
    }
    add_aparts(model, spec.apart);
    return model;
}

// One search.
class Kernel {
  public:
    explicit Kernel(const Spec& spec)
        : slots_(spec.slots.size()),
          budgets_(spec.budgets.size()),
          search_(make_model(spec), {.seed = spec.seed,
                                     .first_limit = spec.first_limit,
                                     .patience = spec.patience,
                                     .promising = spec.promising,
                                     .by_cell = spec.by_cell,
                                     .improving = spec.improving,
                                     .believing = spec.believing,
                                     .dear = spec.dear,
                                     .shifts = spec.shifts,
                                     .logged = spec.logged,
                                     .sized = spec.sized}) {
        require(!spec.shifts || !spec.budgets.empty(), "a budget to shift the costs of");
        require(spec.dear == 0 || !spec.budgets.empty(), "a budget for what is dear");
        for (std::size_t slot = 0; slot < slots_; ++slot) {
            const Table& table = spec.index->tables[std::get<0>(spec.slots[slot])];
            search_.start(static_cast<int>(slot), blocks_of(table, spec.domains[slot]).data());
        }
        if (spec.weights.empty()) return;
        require(spec.weights.size() == search_.weights().size(), "a weight for each crossing");
        search_.set_weights(spec.weights, spec.heavy_first);
    }

    // Calls `visit(name, method, parameters...)` for each method of the Python class.
    template <class Visit>
    static void for_methods(Visit visit) {
        visit("step", &Kernel::step, "seconds", "nodes");
        visit("wipeout", &Kernel::wipeout);
        visit("words", &Kernel::words);
        visit("propagate", &Kernel::propagate);
        visit("domain", &Kernel::domain, "slot");
        visit("letters", &Kernel::letters);
        visit("promise", &Kernel::promise);
        visit("expect", &Kernel::expect);
        visit("assume", &Kernel::assume, "slot", "domain");
        visit("relax", &Kernel::relax, "words", "freed");
        visit("narrow", &Kernel::narrow, "slot", "domain");
        visit("release", &Kernel::release);
        visit("set_limit", &Kernel::set_limit, "budget", "limit");
        visit("least_cost", &Kernel::least_cost);
        visit("shifted", &Kernel::shifted);
        visit("part", &Kernel::part, "slots", "least", "rise");
        visit("survey", &Kernel::survey);
        visit("give", &Kernel::give);
        visit("weights", &Kernel::weights);
        visit("counters", &Kernel::counters);
        visit("log", &Kernel::log);
    }

    Answer step(double seconds, std::uint64_t nodes) {
        const Released released;
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
        const Released released;
        return search_.propagate();
    }
    Bytes domain(int slot) const {
        require_slot(slot);
        const std::vector<Block> bits = search_.domain(slot);
        return Bytes(bits.data(), bits.size() * sizeof(Block));
    }
    std::vector<Letters> letters() const {
        std::vector<Letters> sets;
        for (int cell = 0; cell < search_.cells(); ++cell) sets.push_back(search_.letters(cell));
        return sets;
    }
    double promise() { return search_.promise(); }
    double expect() const {
        const Released released;
        return search_.expect();
    }
    bool assume(int slot, const Bytes& domain) {
        require_slot(slot);
        const std::vector<Block> words = blocks_of(search_.table(slot), domain);
        const Released released;
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
        const Released released;
        return search_.relax(words, free);
    }
    bool narrow(int slot, const Bytes& domain) {
        require_slot(slot);
        const std::vector<Block> words = blocks_of(search_.table(slot), domain);
        const Released released;
        return search_.narrow(slot, words.data());
    }
    std::int64_t least_cost() const {
        require(budgets_ > 0, "a budget that has costs");
        return search_.least_cost();
    }
    bool shifted() { return search_.shifted(); }
    std::unique_ptr<Kernel> part(const std::vector<int>& slots, std::int64_t least, std::int64_t rise) {
        require(search_.shifted(), "a budget whose costs are shifted");
        require(!search_.assuming() && !slots.empty(), "no assumptions, and some slots");
        for (const int slot : slots) require_slot(slot);
        require(search_.propagate_anew(), "words for each slot");
        return std::unique_ptr<Kernel>(new Kernel(*this, slots, least, rise));
    }
    std::tuple<std::int64_t, bool, std::int64_t> survey() {
        require(search_.surveys(), "a part to survey");
        return {search_.survey().least(), search_.survey().exact(), search_.scale()};
    }
    std::vector<std::tuple<int, std::int64_t>> give() {
        require(search_.surveys(), "a part to survey");
        std::vector<std::tuple<int, std::int64_t>> given;
        for (const auto& [slot, amount] : search_.survey().give()) given.push_back({slot, amount});
        return given;
    }
    void release() { search_.release(); }
    std::vector<double> weights() const { return search_.weights(); }
    Bytes log() {
        const std::vector<std::int32_t> taken = search_.take_log();
        return Bytes(taken.data(), taken.size() * sizeof(std::int32_t));
    }
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> counters() const {
        return {search_.nodes(), search_.fails(), search_.restarts()};
    }

  private:
    void require_slot(int slot) const { require(0 <= slot && slot < static_cast<int>(slots_), "a slot of its own"); }

    Kernel(Kernel& whole, const std::vector<int>& slots, std::int64_t least, std::int64_t rise)
        : slots_(slots.size()),
          budgets_(1),
          search_(whole.search_, slots, least, rise) {}

    std::size_t slots_;
    std::size_t budgets_;
    Search search_;
};

// Calls `visit(name, answer)` for each answer.
template <class Visit>
void for_answers(Visit visit) {
    visit("RUNNING", Answer::kRunning);
    visit("FOUND", Answer::kFound);
    visit("EXHAUSTED", Answer::kExhausted);
}

}  // namespace cpfill::mac
