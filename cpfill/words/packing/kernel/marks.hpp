// The marks of the words of a lexicon, as `cpfill.words.lexicon` explains them, by number.
//
// Stems are given: of the parts of a packaged list as endings to cut and to put in their place, of others as texts. A
// part without one is asked for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "rows.hpp"

namespace cpfill::words {

constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

// Different texts, numbered as they come: open addressing with linear probing.
class Texts {
  public:
    // Returns the number of a text, which is a new one if the text is.
    std::uint32_t add(std::string_view text) {
        if (2 * texts_.size() >= buckets_.size()) grow();
        const std::uint32_t hash = hash_of(text);
        Bucket& bucket = buckets_[find_bucket(text, hash)];
        if (bucket.number == kNoNumber) {
            bucket = {hash, static_cast<std::uint32_t>(texts_.size())};
            texts_.push_back(keep(text));
        }
        return bucket.number;
    }
    std::uint32_t find(std::string_view text) const { return buckets_[find_bucket(text, hash_of(text))].number; }
    std::string_view operator[](std::uint32_t number) const { return texts_[number]; }
    std::size_t size() const { return texts_.size(); }

  private:
    static constexpr std::size_t kChunk = 1 << 16;

    struct Bucket {
        std::uint32_t hash = 0, number = kNoNumber;
    };

    static std::uint32_t hash_of(std::string_view text) {
        return static_cast<std::uint32_t>(std::hash<std::string_view>{}(text));
    }
    std::size_t find_bucket(std::string_view text, std::uint32_t hash) const {
        const std::size_t mask = buckets_.size() - 1;
        std::size_t at = hash & mask;
        for (; buckets_[at].number != kNoNumber; at = (at + 1) & mask)
            if (buckets_[at].hash == hash && texts_[buckets_[at].number] == text) break;
        return at;
    }
    void grow() {
        const std::vector<Bucket> old = std::exchange(buckets_, std::vector<Bucket>(2 * buckets_.size()));
        for (const Bucket& bucket : old)
            if (bucket.number != kNoNumber) buckets_[find_bucket(texts_[bucket.number], bucket.hash)] = bucket;
    }
    std::string_view keep(std::string_view text) {
        if (chunks_.empty() || chunks_.back().size() + text.size() > chunks_.back().capacity()) {
            chunks_.emplace_back();
            chunks_.back().reserve(std::max(kChunk, text.size()));
        }
        const std::size_t at = chunks_.back().size();
        chunks_.back() += text;
        return std::string_view(chunks_.back()).substr(at);
    }

    std::deque<std::string> chunks_;  // which never move
    std::vector<std::string_view> texts_;
    std::vector<Bucket> buckets_ = std::vector<Bucket>(1024);
};

// The parts of a spelling in lower case, and what its letters tell.
class Spelling {
  public:
    // Returns false if there is a character that only Python knows: another than of ASCII, the Latin letters of the two
    // blocks after it, and dashes and quotation marks.
    bool read(std::string_view text) {
        lower_.clear();
        parts_.clear();
        lower_case_ = upper_case_ = blank_ = others_ = false;
        letters_ = 0;
        std::size_t start = 0, letters = 0;  // of the part
        const auto end_part = [&] {
            if (letters >= kLeastPart) parts_.push_back({start, lower_.size() - start});
            start = lower_.size();
            letters = 0;
        };
        for (std::size_t at = 0; at < text.size();) {
            unsigned point = static_cast<Code>(text[at]);
            const auto next = at + 1 < text.size() ? static_cast<Code>(text[at + 1]) : Code{0};
            if (0xC3 <= point && point <= 0xC5) {
                point = (point & 0x1F) << 6 | (next & 0x3FU);
                at += 2;
            } else if (point == 0xE2 && next == 0x80) {
                point = ' ';  // it parts words as well
                at += 3;
                others_ = true;
            } else if (point < 0x80) {
                ++at;
            } else {
                return false;
            }
            if (point == 0x130 || point == 0x178) return false;  // their small letters are in other blocks
            if (!is_letter(point)) {
                blank_ |= text[at - 1] == ' ';
                others_ = true;
                end_part();
                continue;
            }
            const unsigned small = is_capital(point) ? point + (point < 0x100 ? 0x20 : 1) : point;
            (small == point ? lower_case_ : upper_case_) = true;
            ++letters;
            ++letters_;
            if (small >= 0x80) lower_ += static_cast<char>(0xC0 | small >> 6);
            lower_ += static_cast<char>(small < 0x80 ? small : 0x80 | (small & 0x3F));
        }
        end_part();
        return true;
    }
    std::size_t parts() const { return parts_.size(); }
    std::string_view part(std::size_t number) const {
        return std::string_view(lower_).substr(parts_[number].first, parts_[number].second);
    }
    bool has_blank() const { return blank_; }
    bool is_upper() const { return upper_case_ && !lower_case_; }
    bool may_be_joined() const { return letters_ >= kJoined && !others_ && is_upper(); }

  private:
    static constexpr std::size_t kLeastPart = 3, kJoined = 7;

    static bool is_letter(unsigned point) {
        if (point < 0x80) return (point | 0x20) - 'a' < 26;
        return point != 0xD7 && point != 0xF7;
    }
    static bool is_capital(unsigned point) {
        if (point < 0x100) return point < 'a' || (point >= 0xC0 && point < 0xDF);
        const bool odd = point & 1;
        if ((point >= 0x139 && point <= 0x148) || (point >= 0x179 && point <= 0x17E)) return odd;
        return !odd && point != 0x138;
    }

    std::string lower_;
    std::vector<std::pair<std::size_t, std::size_t>> parts_;  // where each starts, and its size
    std::size_t letters_ = 0;
    bool lower_case_ = false, upper_case_ = false, blank_ = false, others_ = false;
};

// The stems of the parts of a list, in the order in which these come: bytes to cut from the end of each, and the text
// to put there.
struct Endings {
    std::string_view cuts, chosen;  // a byte each
    std::vector<std::string_view> texts;
    std::uint64_t digest;  // of the parts: a changed list has other stems
};

struct SpelledList {
    std::string_view text;
    std::map<std::size_t, std::string_view> columns;  // by length, the start and the end of each spelling in the text
    Endings stems;
};

// The words of a length, best first.
struct RankedTable {
    std::size_t length;
    std::string_view codes, scores, origins;  // the last in the concatenation of all lists
    bool wanted;                              // whether its words have marks
    bool rates;                               // whether its words may be parts of an entry in capitals
};

struct Customs {
    std::vector<std::string_view> letters;  // small, by code
    Texts common;                           // parts that phrases share without being alike
    std::vector<double> least;              // the least score of a part of an entry in capitals, by its length
    std::size_t name;                       // the least length of such a part that is in capitals itself
};

template <class T>
T read_at(std::string_view packed, std::size_t number) {
    T value;
    std::memcpy(&value, packed.data() + number * sizeof(T), sizeof(T));
    return value;
}

class Marker {
  public:
    Marker(const std::vector<SpelledList>& lists, const std::vector<RankedTable>& tables, Customs customs)
        : lists_(lists),
          tables_(tables),
          customs_(std::move(customs)),
          joined_(tables.size()) {}

    // Reads the spellings; returns false if one of them has a character that only Python knows.
    bool read() {
        for (const SpelledList& list : lists_)
            if (!read_list(list)) return false;
        if (!rate_parts()) return false;
        for (std::size_t table = 0; table < tables_.size(); ++table)
            if (tables_[table].wanted) join(table);
        return true;
    }

    void learn(std::string_view part, std::string_view stem) { give(parts_.add(part), stem); }

    // Returns the parts of wanted tables without a stem, as lines.
    std::string unknown() {
        std::string lines;
        std::vector<bool> asked(parts_.size());
        for (std::size_t table = 0; table < tables_.size(); ++table)
            walk(table, [&](std::uint32_t part) {
                if (stem_of(part) != kNoNumber || asked[part]) return;
                asked[part] = true;
                lines.append(parts_[part]) += '\n';
            });
        return lines;
    }

    // Calls `keep(pairs)` for each wanted table, with each word and each of its marks.
    template <class Keep>
    void mark(const Keep& keep) {
        auto first = static_cast<std::uint32_t>(stems_.size());
        for (std::size_t table = 0; table < tables_.size(); ++table) {
            if (!tables_[table].wanted) continue;
            keep(mark(table, first));
            first += words_of(table);
        }
    }

  private:
    struct Column {
        const SpelledList* list;
        std::string_view spans;
        std::vector<std::uint32_t> parts, ends;  // of all words, one after another
        std::vector<bool> joined;                // whether a spelling may have words without spaces between them

        std::uint32_t size() const { return static_cast<std::uint32_t>(spans.size() / (2 * sizeof(std::uint32_t))); }
        std::string_view spelled(std::size_t word) const {
            const auto start = read_at<std::uint32_t>(spans, 2 * word);
            return list->text.substr(start, read_at<std::uint32_t>(spans, 2 * word + 1) - start);
        }
    };
    using Split = std::tuple<int, double, std::vector<std::size_t>>;  // words, minus their scores, their lengths

    std::uint32_t words_of(std::size_t table) const {
        return static_cast<std::uint32_t>(tables_[table].origins.size() / sizeof(Row));
    }
    std::string_view codes_of(std::size_t table, std::size_t word) const {
        return tables_[table].codes.substr(word * tables_[table].length, tables_[table].length);
    }
    std::uint32_t& stem_of(std::uint32_t part) {
        if (stem_of_.size() < parts_.size()) stem_of_.resize(parts_.size(), kNoNumber);
        return stem_of_[part];
    }
    void give(std::uint32_t part, std::string_view stem) { stem_of(part) = stems_.add(stem); }

    bool read_list(const SpelledList& list) {
        std::vector<std::uint32_t> order;
        std::vector<bool> seen;
        const bool whole = !list.stems.cuts.empty();
        for (const auto& [length, spans] : list.columns) {
            Column& column = columns_[length].emplace_back(Column{&list, spans, {}, {}, {}});
            if (!whole && !is_wanted(length)) continue;
            for (std::size_t word = 0; word < column.size(); ++word) {
                if (!spelling_.read(column.spelled(word))) return false;
                for (std::size_t at = 0; at < spelling_.parts(); ++at) {
                    if (spelling_.parts() > 1 && customs_.common.find(spelling_.part(at)) != kNoNumber) continue;
                    const std::uint32_t part = parts_.add(spelling_.part(at));
                    column.parts.push_back(part);
                    if (part >= seen.size()) seen.resize(2 * std::size_t{part} + 1);
                    if (!seen[part]) order.push_back(part);
                    seen[part] = true;
                }
                column.ends.push_back(static_cast<std::uint32_t>(column.parts.size()));
                column.joined.push_back(spelling_.may_be_joined());
                some_joined_ |= column.joined.back();
            }
        }
        if (whole) end(order, list.stems);
        return true;
    }

    void end(const std::vector<std::uint32_t>& order, const Endings& stems) {
        std::uint64_t digest = 0xCBF29CE484222325;  // FNV-1a
        for (const std::uint32_t part : order) {
            for (const char byte : parts_[part]) digest = (digest ^ static_cast<Code>(byte)) * 0x100000001B3;
            digest *= 0x100000001B3;  // as if by a byte 0
        }
        if (digest != stems.digest || order.size() != stems.cuts.size() || order.size() != stems.chosen.size()) return;
        std::string stem;
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::string_view part = parts_[order[at]];
            stem.assign(part.substr(0, part.size() - std::min<std::size_t>(part.size(), Code(stems.cuts[at]))));
            stem += stems.texts[std::min<std::size_t>(Code(stems.chosen[at]), stems.texts.size() - 1)];
            give(order[at], stem);
        }
    }

    bool is_wanted(std::size_t length) const {
        const auto wants = [length](const RankedTable& table) { return table.wanted && table.length == length; };
        return std::any_of(tables_.begin(), tables_.end(), wants);
    }

    // Returns the list that a word comes from, and its place there.
    std::pair<const Column*, std::size_t> find(std::size_t table, std::size_t word) const {
        std::size_t place = read_at<Row>(tables_[table].origins, word);
        const std::vector<Column>& columns = columns_.at(tables_[table].length);
        std::size_t list = 0;
        for (; place >= columns[list].size(); ++list) place -= columns[list].size();
        return {&columns[list], place};
    }

    // Collects the words that entries in capitals may consist of.
    bool rate_parts() {
        for (std::size_t table = 0; some_joined_ && table < tables_.size(); ++table) {
            if (!tables_[table].rates) continue;
            const std::size_t length = tables_[table].length;
            const double least = customs_.least[std::min(length, customs_.least.size() - 1)];
            for (std::size_t word = 0; word < words_of(table); ++word) {
                const auto score = read_at<double>(tables_[table].scores, word);
                if (score < least) break;
                const auto [column, place] = find(table, word);
                if (!spelling_.read(column->spelled(place))) return false;
                if (spelling_.has_blank() || (length < customs_.name && spelling_.is_upper())) continue;
                if (rated_.add(codes_of(table, word)) == ratings_.size()) ratings_.push_back(score);
            }
        }
        return true;
    }

    // Notes the words of the entries in capitals of a table.
    void join(std::size_t table) {
        std::string small;
        for (std::uint32_t word = 0; word < words_of(table); ++word) {
            const auto [column, place] = find(table, word);
            if (!column->joined[place]) continue;
            std::string_view left = codes_of(table, word);
            const std::optional<Split> found = split(left);
            if (!found) continue;
            for (const std::size_t length : std::get<2>(*found)) {
                small.clear();
                for (const char code : left.substr(0, length)) small += customs_.letters[Code(code)];
                left.remove_prefix(length);
                if (length > 2 && customs_.common.find(small) == kNoNumber)
                    joined_[table].push_back({word, parts_.add(small)});
            }
        }
    }

    // The fewest words that letters consist of, and of these the best; see `spelling.split`.
    std::optional<Split> split(std::string_view codes) const {
        std::optional<Split> best;
        for (std::size_t end = 2; end + 1 < codes.size(); ++end) {
            const std::uint32_t head = rated_.find(codes.substr(0, end));
            if (head == kNoNumber) continue;
            const std::string_view rest = codes.substr(end);
            const std::uint32_t last = rated_.find(rest);
            std::optional<Split> tail;
            if (last == kNoNumber)
                tail = split(rest);
            else
                tail = Split{1, -ratings_[last], {rest.size()}};
            if (!tail) continue;
            auto& [words, cost, lengths] = *tail;
            ++words;
            cost -= ratings_[head];
            lengths.insert(lengths.begin(), end);
            if (!best || *tail < *best) best = std::move(tail);
        }
        return best;
    }

    // Calls `visit(part)` for each part of each word of a wanted table; `next(word)` follows each word.
    template <class Visit, class Next>
    void walk(std::size_t table, const Visit& visit, const Next& next) const {
        auto joined = joined_[table].begin();
        for (std::uint32_t word = 0; tables_[table].wanted && word < words_of(table); ++word) {
            const auto [column, place] = find(table, word);
            for (std::uint32_t at = place ? column->ends[place - 1] : 0; at < column->ends[place]; ++at)
                visit(column->parts[at]);
            for (; joined != joined_[table].end() && joined->first == word; ++joined) visit(joined->second);
            next(word);
        }
    }
    template <class Visit>
    void walk(std::size_t table, const Visit& visit) const {
        walk(table, visit, [](std::uint32_t) {});
    }

    // Marks by reversals have the numbers from `first` on.
    std::vector<std::uint32_t> mark(std::size_t table, std::uint32_t first) {
        const std::size_t length = tables_[table].length;
        const std::string_view codes = tables_[table].codes;
        std::vector<Code> firsts(codes.begin(), codes.end());  // of each word and its reversal
        RowSet known(words_of(table), length);
        std::vector<std::uint32_t> pairs, marks;
        walk(
            table, [&](std::uint32_t part) { marks.push_back(stem_of(part)); },
            [&](std::uint32_t word) {
                Code* start = firsts.data() + word * length;
                for (std::size_t at = 0; at < length / 2; ++at) {
                    if (start[at] == start[length - 1 - at]) continue;
                    if (start[at] > start[length - 1 - at]) std::reverse(start, start + length);
                    break;
                }
                if (length > 2) marks.push_back(first + known.insert(firsts, word));
                std::sort(marks.begin(), marks.end());
                marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
                for (const std::uint32_t mark : marks) {
                    pairs.push_back(word);
                    pairs.push_back(mark);
                }
                marks.clear();
            });
        return pairs;
    }

    const std::vector<SpelledList>& lists_;
    const std::vector<RankedTable>& tables_;
    const Customs customs_;
    Spelling spelling_;
    std::map<std::size_t, std::vector<Column>> columns_;  // by length, one a list
    Texts parts_, stems_;
    std::vector<std::uint32_t> stem_of_;  // by part
    Texts rated_;                         // letter codes of words that entries in capitals may consist of
    std::vector<double> ratings_;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> joined_;  // by table, words with parts
    bool some_joined_ = false;
};

// Returns pairs of a word and a mark for words at other places: `places` has for each word its old one.
inline std::vector<std::uint32_t> spread(std::string_view pairs, std::string_view places) {
    const std::size_t words = places.size() / sizeof(std::uint32_t), size = pairs.size() / (2 * sizeof(std::uint32_t));
    std::vector<std::uint32_t> starts(1, 0), spread;  // by old place
    for (std::uint32_t pair = 0; pair < size; ++pair)
        starts.resize(std::max(starts.size(), read_at<std::uint32_t>(pairs, 2 * std::size_t{pair}) + std::size_t{1}),
                      pair);
    spread.reserve(2 * size);
    for (std::uint32_t word = 0; word < words; ++word) {
        const auto place = read_at<std::uint32_t>(places, word);
        if (place >= starts.size()) continue;
        for (std::size_t pair = starts[place]; pair < size && read_at<std::uint32_t>(pairs, 2 * pair) == place;
             ++pair) {
            spread.push_back(word);
            spread.push_back(read_at<std::uint32_t>(pairs, 2 * pair + 1));
        }
    }
    return spread;
}

// A list: its text, its columns by length, and of its stems the cuts, the choices, their texts and the digest.
template <class Bytes>
using ListData = std::tuple<Bytes, std::vector<std::pair<std::size_t, Bytes>>,
                            std::tuple<Bytes, Bytes, std::vector<Bytes>, std::uint64_t>>;
// A table: length, codes, scores, origins, whether it is wanted and whether it rates.
template <class Bytes>
using TableData = std::tuple<std::size_t, Bytes, Bytes, Bytes, bool, bool>;

// Returns whether all spellings can be read here; the parts without stems, as lines; and if there are none, the marks.
template <class View, class Bytes>
std::tuple<bool, Bytes, std::vector<Bytes>> mark_words(const std::vector<ListData<View>>& lists,
                                                       const std::vector<TableData<View>>& tables,
                                                       const std::vector<View>& letters,
                                                       const std::vector<View>& common,
                                                       const std::vector<double>& least, std::size_t name,
                                                       const std::vector<View>& parts, const std::vector<View>& stems) {
    const auto view = [](const View& bytes) { return std::string_view(bytes.c_str(), bytes.size()); };
    const auto views = [&view](const std::vector<View>& all) {
        std::vector<std::string_view> seen;
        for (const View& bytes : all) seen.push_back(view(bytes));
        return seen;
    };
    std::vector<SpelledList> spelled;
    for (const auto& [text, columns, endings] : lists) {
        const auto& [cuts, chosen, texts, digest] = endings;
        SpelledList& list =
            spelled.emplace_back(SpelledList{view(text), {}, {view(cuts), view(chosen), views(texts), digest}});
        for (const auto& [length, spans] : columns) list.columns[length] = view(spans);
    }
    std::vector<RankedTable> ranked;
    for (const auto& [length, codes, scores, origins, wanted, rates] : tables)
        ranked.push_back({length, view(codes), view(scores), view(origins), wanted, rates});
    Customs customs{views(letters), {}, least, name};
    for (const std::string_view part : views(common)) customs.common.add(part);
    Marker marker(spelled, ranked, std::move(customs));
    if (!marker.read()) return {false, Bytes("", 0), {}};
    for (std::size_t at = 0; at < parts.size(); ++at) marker.learn(view(parts[at]), view(stems[at]));
    const std::string unknown = marker.unknown();
    std::vector<Bytes> packed;
    if (unknown.empty())
        marker.mark([&packed](const std::vector<std::uint32_t>& pairs) {
            packed.emplace_back(reinterpret_cast<const char*>(pairs.data()), pairs.size() * sizeof(std::uint32_t));
        });
    return {true, Bytes(unknown.data(), unknown.size()), packed};
}

}  // namespace cpfill::words
