// The Python interface of the packing: four functions on bytes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "marks.hpp"
#include "rank.hpp"
#include "reader.hpp"

namespace nb = nanobind;

namespace {

using Packed = std::tuple<nb::bytes, nb::bytes, nb::bytes>;

void require(bool met, const char* what) {
    if (!met) throw std::invalid_argument(std::string("the packing needs ") + what);
}

// Uninitialised bytes of the given size, to be filled before they are shared.
nb::bytes blank(std::size_t size, char** data) {
    nb::bytes made(nullptr, size);
    *data = PyBytes_AsString(made.ptr());
    return made;
}

template <class T>
nb::bytes packed(const std::vector<T>& values) {
    return nb::bytes(values.data(), values.size() * sizeof(T));
}

// Asks Python about characters and lines.
class PythonSource {
  public:
    PythonSource(const nb::callable& fold, const nb::callable& read) : fold_(fold), read_(read) {}

    cpfill::words::Letters fold(int point) const {
        const auto codes = nb::cast<std::optional<nb::bytes>>(fold_(point));
        cpfill::words::Letters letters;
        if (!codes || codes->size() > cpfill::words::Letters::kMost) {
            letters.count = cpfill::words::Letters::kOther;
            return letters;
        }
        letters.count = static_cast<std::uint8_t>(codes->size());
        std::memcpy(letters.codes.data(), codes->c_str(), codes->size());
        return letters;
    }
    std::optional<cpfill::words::Entry> read(std::string_view line, std::size_t number,
                                             std::vector<cpfill::words::Code>& word) const {
        using Answer = std::tuple<nb::bytes, double, std::size_t, std::size_t>;
        const auto answer = nb::cast<std::optional<Answer>>(read_(nb::bytes(line.data(), line.size()), number));
        if (!answer) return {};
        const auto& [codes, score, start, end] = *answer;
        if (word.size() < codes.size()) word.resize(codes.size());
        std::memcpy(word.data(), codes.data(), codes.size());
        return cpfill::words::Entry{codes.size(), score, start, end};
    }
    // Lets other threads run, and raises a pending KeyboardInterrupt.
    void pulse() const {
        if (PyErr_CheckSignals()) throw nb::python_error();
        nb::gil_scoped_release released;
    }

  private:
    const nb::callable& fold_;
    const nb::callable& read_;
};

std::tuple<nb::dict, std::size_t, std::size_t> parse(const nb::bytes& text, double score, std::size_t longest,
                                                     const nb::callable& fold, const nb::callable& read) {
    require(text.size() <= cpfill::words::kMaxPackedBytes, "a text under 4 GiB");
    PythonSource source(fold, read);
    cpfill::words::Reader<PythonSource> reader(source, score, longest);
    reader.read({text.c_str(), text.size()});
    nb::dict columns;
    for (auto& [length, column] : reader.columns()) {
        columns[nb::int_(length)] = nb::make_tuple(packed(column.codes), packed(column.scores), packed(column.spans));
        column = {};
    }
    return {columns, reader.comments(), reader.duplicates()};
}

cpfill::words::Part part_of(std::size_t length, const nb::bytes& codes, const nb::bytes* scores) {
    const std::size_t words = length ? codes.size() / length : 0;
    require(words * length == codes.size(), "whole words");
    require(!scores || scores->size() == words * sizeof(double), "a score for each word");
    return {static_cast<const cpfill::words::Code*>(codes.data()),
            scores ? static_cast<const double*>(scores->data()) : nullptr, words};
}

Packed rank(std::size_t length, const std::vector<std::pair<nb::bytes, nb::bytes>>& lists, const nb::bytes& without) {
    std::vector<cpfill::words::Part> parts;
    for (const auto& [codes, scores] : lists) parts.push_back(part_of(length, codes, &scores));
    const cpfill::words::Part out = part_of(length, without, nullptr);
    std::vector<cpfill::words::Row> rows;
    {
        nb::gil_scoped_release released;
        rows = cpfill::words::rank(length, parts, out);
    }
    // A single list that is sorted already is returned as it is.
    if (lists.size() == 1 && rows.size() == parts[0].words && std::is_sorted(rows.begin(), rows.end()))
        return {lists[0].first, lists[0].second, packed(rows)};
    char *codes = nullptr, *scores = nullptr;
    nb::bytes all_codes = blank(rows.size() * length, &codes),
              all_scores = blank(rows.size() * sizeof(double), &scores);
    for (const cpfill::words::Row row : rows) {
        std::size_t word = row, part = 0;
        while (word >= parts[part].words) word -= parts[part++].words;
        std::memcpy(codes, parts[part].codes + word * length, length);
        std::memcpy(scores, parts[part].scores + word, sizeof(double));
        codes += length;
        scores += sizeof(double);
    }
    return {all_codes, all_scores, packed(rows)};
}

nb::bytes spread(const nb::bytes& pairs, const nb::bytes& places) {
    return packed(cpfill::words::spread({pairs.c_str(), pairs.size()}, {places.c_str(), places.size()}));
}

}  // namespace

NB_MODULE(_packing, module) {
    nb::dict constants;  // under the names that Python has for them
    constants["MAX_PACKED_BYTES"] = cpfill::words::kMaxPackedBytes;
    module.attr("CONSTANTS") = constants;
    module.attr("EXACT_DIGITS") = cpfill::words::kExactDigits;
    module.def("parse", &parse, nb::arg("text"), nb::arg("score"), nb::arg("longest"), nb::arg("fold"),
               nb::arg("read"));
    module.def("mark", &cpfill::words::mark_words<nb::bytes, nb::bytes>, nb::arg("lists"), nb::arg("tables"),
               nb::arg("letters"), nb::arg("common"), nb::arg("least"), nb::arg("name"), nb::arg("parts"),
               nb::arg("stems"));
    module.def("rank", &rank, nb::arg("length"), nb::arg("parts"), nb::arg("without"));
    module.def("spread", &spread, nb::arg("pairs"), nb::arg("places"));
}
