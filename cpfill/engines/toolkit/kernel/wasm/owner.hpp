// What a kernel needs of its owner, where that is WebAssembly's host.
#pragma once

#include <string>
#include <string_view>

namespace cpfill::owner {

class Bytes {
  public:
    Bytes() = default;
    Bytes(const void* data, std::size_t size) : data_(static_cast<const char*>(data), size) {}
    const char* c_str() const { return data_.c_str(); }
    std::size_t size() const { return data_.size(); }

  private:
    std::string data_;
};

// Bytes of a message, which stay where they are until it is answered.
class View {
  public:
    View() = default;
    explicit View(std::string_view bytes) : bytes_(bytes) {}
    const char* c_str() const { return bytes_.data(); }
    std::size_t size() const { return bytes_.size(); }

  private:
    std::string_view bytes_;
};

struct [[maybe_unused]] Released {};  // there are no other threads

[[noreturn]] void refuse(const std::string& why);

inline void require(bool met, const char* what) {
    if (!met) refuse(std::string("the kernel needs ") + what);
}

}  // namespace cpfill::owner
