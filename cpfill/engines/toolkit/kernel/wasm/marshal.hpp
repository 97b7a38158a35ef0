// Values between Python and WebAssembly: as Python's `marshal` writes them in its version 2, which both sides read and
// write without a loop in Python. A value is a byte that says its kind, then its contents, little-endian.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "owner.hpp"

namespace cpfill::wasm {

constexpr char kTrue = 'T', kFalse = 'F', kNone = 'N', kInt = 'i', kLong = 'l', kFloat = 'g', kBytes = 's', kText = 'u',
               kTuple = '(', kList = '[';
constexpr int kDigitBits = 15;  // a long is a signed number of digits, and the digits, the lowest first

class Reader {
  public:
    explicit Reader(std::string_view message) : left_(message) {}

    void read(bool& value) {
        const char kind = raw<char>();
        if (kind != kTrue && kind != kFalse) refuse_value();
        value = kind == kTrue;
    }
    template <class T>
        requires(std::integral<T> && !std::same_as<T, bool>)
    void read(T& number) {
        const char kind = raw<char>();
        if (kind == kInt) {
            number = narrowed<T>(raw<std::int32_t>());
        } else if (kind == kLong) {
            const auto digits = raw<std::int32_t>();
            std::uint64_t size = 0;
            for (int i = 0; i < std::abs(digits); ++i) {
                const std::uint64_t digit = raw<std::uint16_t>();
                if (digit << (i * kDigitBits) >> (i * kDigitBits) != digit || i > 4) refuse_value();
                size |= digit << (i * kDigitBits);
            }
            if (digits > 0 && std::is_same_v<T, std::uint64_t>)
                number = static_cast<T>(size);
            else
                number = narrowed<T>(signed_of(size, digits < 0));
        } else {
            refuse_value();
        }
    }
    void read(double& number) {
        if (!left_.starts_with(kFloat)) {
            std::int64_t whole;
            read(whole);
            number = static_cast<double>(whole);
            return;
        }
        left_.remove_prefix(1);
        number = raw<double>();
    }
    void read(owner::Bytes& bytes) {
        if (raw<char>() != kBytes) refuse_value();
        const std::size_t size = count();
        bytes = owner::Bytes(take(size), size);
    }
    void read(owner::View& bytes) {
        if (raw<char>() != kBytes) refuse_value();
        const std::size_t size = count();
        bytes = owner::View({take(size), size});
    }
    template <class T>
    void read(std::vector<T>& values) {
        values.resize(open());
        for (T& value : values) read(value);
    }
    template <class... T>
    void read(std::tuple<T...>& values) {
        if (open() != sizeof...(T)) refuse_value();
        std::apply([this](T&... each) { (read(each), ...); }, values);
    }
    template <class T, class U>
    void read(std::pair<T, U>& values) {
        if (open() != 2) refuse_value();
        read(values.first);
        read(values.second);
    }
    // Begin to read a list or a tuple, and return its length.
    std::size_t open() {
        const char kind = raw<char>();
        if (kind != kTuple && kind != kList) refuse_value();
        return count();
    }

  private:
    [[noreturn]] static void refuse_value() { owner::refuse("the kernel needs a value of another type"); }

    const char* take(std::size_t size) {
        if (size > left_.size()) refuse_value();
        const char* taken = left_.data();
        left_.remove_prefix(size);
        return taken;
    }
    template <class T>
    T raw() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    std::size_t count() {
        const auto size = raw<std::int32_t>();
        if (size < 0 || static_cast<std::size_t>(size) > left_.size()) refuse_value();
        return static_cast<std::size_t>(size);
    }
    static std::int64_t signed_of(std::uint64_t size, bool negative) {
        if (size > static_cast<std::uint64_t>(INT64_MAX) + negative) refuse_value();
        return static_cast<std::int64_t>(negative ? ~size + 1 : size);
    }
    template <class T>
    static T narrowed(std::int64_t number) {
        if (!std::in_range<T>(number)) refuse_value();
        return static_cast<T>(number);
    }

    std::string_view left_;
};

class Writer {
  public:
    explicit Writer(std::string& message) : message_(message) { message_.clear(); }

    void write(bool value) { message_ += value ? kTrue : kFalse; }
    template <class T>
        requires(std::integral<T> && !std::same_as<T, bool>)
    void write(T number) {
        if (std::in_range<std::int32_t>(number)) {
            message_ += kInt;
            raw(static_cast<std::int32_t>(number));
            return;
        }
        const bool negative = std::cmp_less(number, 0);
        auto size = static_cast<std::uint64_t>(number);
        if (negative) size = ~size + 1;
        std::vector<std::uint16_t> digits;
        for (; size; size >>= kDigitBits) digits.push_back(size & ((1 << kDigitBits) - 1));
        message_ += kLong;
        raw(static_cast<std::int32_t>(negative ? -static_cast<std::int32_t>(digits.size()) : digits.size()));
        for (const std::uint16_t digit : digits) raw(digit);
    }
    void write(double number) {
        message_ += kFloat;
        raw(number);
    }
    void write(const owner::Bytes& bytes) { write(kBytes, {bytes.c_str(), bytes.size()}); }
    void write(const char* text) { write(kText, text); }
    template <class T>
    void write(const std::vector<T>& values) {
        open(values.size(), kList);
        for (const T& value : values) write(value);
    }
    template <class... T>
    void write(const std::tuple<T...>& values) {
        open(sizeof...(T));
        std::apply([this](const T&... each) { (write(each), ...); }, values);
    }
    void write_none() { message_ += kNone; }
    // Begin to write a tuple, or a list, of this length.
    void open(std::size_t length, char kind = kTuple) {
        message_ += kind;
        raw(static_cast<std::int32_t>(length));
    }

  private:
    void write(char kind, std::string_view contents) {
        message_ += kind;
        raw(static_cast<std::int32_t>(contents.size()));
        message_ += contents;
    }
    template <class T>
    void raw(T value) {
        message_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }

    std::string& message_;
};

}  // namespace cpfill::wasm
