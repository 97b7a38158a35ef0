// The kernels as one module of WebAssembly: a host that can share no objects sends messages. `engines/toolkit/wasm.py`
// is the other side.
//
// The host writes a message, a tuple, where `reserve` says, and calls `answer` with the number of a function. If that
// traps, `complaint` says why. Each returns the size of a message, which stands where `written` says.
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "marshal.hpp"
#include "owner.hpp"

// The other headers need the owner.
#include "../../../../words/packing/kernel/marks.hpp"
#include "../../../letters/kernel/kernel.hpp"
#include "../../../mac/kernel/kernel.hpp"

namespace {

namespace mac = cpfill::mac;
namespace letters = cpfill::letters;
using cpfill::owner::Bytes;
using cpfill::wasm::Reader;
using cpfill::wasm::Writer;

std::string received, written, complaint;

// What the host holds, by number; the host has the bytes of the number.
class Held {
  public:
    template <class T>
    Bytes hold(std::shared_ptr<T> object) {
        of<T>()[++last_] = std::move(object);
        return Bytes(&last_, sizeof last_);
    }
    template <class T>
    std::shared_ptr<T> get(const Bytes& named) {
        const auto found = of<T>().find(number_of(named));
        if (found == of<T>().end()) cpfill::owner::refuse("the kernel needs objects of its own");
        return found->second;
    }
    void drop(const Bytes& named) {
        std::apply([number = number_of(named)](auto&... maps) { (maps.erase(number), ...); }, objects_);
    }

  private:
    static std::int32_t number_of(const Bytes& named) {
        std::int32_t number;
        cpfill::owner::require(named.size() == sizeof number, "objects of its own");
        std::memcpy(&number, named.c_str(), sizeof number);
        return number;
    }

    template <class T>
    using Map = std::unordered_map<std::int32_t, std::shared_ptr<T>>;

    template <class T>
    Map<T>& of() {
        return std::get<Map<T>>(objects_);
    }

    std::tuple<Map<letters::Kernel>, Map<mac::Kernel>, Map<mac::Costs>, Map<mac::Index>> objects_;
    std::int32_t last_ = 0;
};

Held held;

template <class T>
void read(Reader& reader, T& value) {
    reader.read(value);
}
template <class T>
void read(Reader& reader, std::shared_ptr<T>& object) {
    Bytes named;
    reader.read(named);
    object = held.get<T>(named);
}
void read(Reader& reader, std::vector<std::pair<mac::SharedCosts, std::int64_t>>& budgets) {
    budgets.resize(reader.open());
    for (auto& [costs, limit] : budgets) {
        if (reader.open() != 2) cpfill::owner::refuse("the kernel needs pairs for budgets");
        read(reader, costs);
        reader.read(limit);
    }
}

template <class T>
void write(Writer& writer, const T& value) {
    writer.write(value);
}
void write(Writer& writer, mac::Answer answer) { writer.write(static_cast<int>(answer)); }
template <class T>
void write(Writer& writer, std::shared_ptr<T> object) {
    writer.write(held.hold(std::move(object)));
}
void write(Writer& writer, std::unique_ptr<mac::Kernel> kernel) {
    write(writer, std::shared_ptr<mac::Kernel>(std::move(kernel)));
}

// The class that the host wraps a result in, if any.
template <class R>
constexpr const char* kWrapped = "";
template <>
constexpr const char* kWrapped<mac::Answer> = "Answer";
template <>
constexpr const char* kWrapped<mac::SharedIndex> = "Held";
template <>
constexpr const char* kWrapped<mac::SharedCosts> = "Held";
template <>
constexpr const char* kWrapped<std::unique_ptr<mac::Kernel>> = "Kernel";

struct Function {
    std::string name;  // of its module, and in it
    std::vector<const char*> parameters;
    const char* wrapped;
    std::function<void(Reader&, Writer&)> run;
};

// Calls `function` with what a reader reads, and writes what it returns.
template <class R, class... Args, class Called>
void pass(Reader& reader, Writer& writer, const Called& function) {
    std::tuple<std::decay_t<Args>...> args;
    std::apply([&](auto&... each) { (read(reader, each), ...); }, args);
    if constexpr (std::is_void_v<R>) {
        std::apply(function, args);
        writer.write_none();
    } else {
        write(writer, std::apply(function, args));
    }
}

template <class R, class... Args>
Function function_of(std::string name, std::vector<const char*> parameters, R (*made)(Args...)) {
    return {std::move(name), std::move(parameters), kWrapped<R>,
            [made](Reader& reader, Writer& writer) { pass<R, Args...>(reader, writer, made); }};
}

template <class Kernel, class R, class... Args, class Method>
Function method_of(std::string name, std::vector<const char*> parameters, Method method) {
    return {std::move(name), std::move(parameters), kWrapped<R>, [method](Reader& reader, Writer& writer) {
                std::shared_ptr<Kernel> kernel;
                read(reader, kernel);
                pass<R, Args...>(reader, writer, [&](auto&... args) { return ((*kernel).*method)(args...); });
            }};
}
template <class Kernel, class R, class... Args>
Function function_of(std::string name, std::vector<const char*> parameters, R (Kernel::*method)(Args...)) {
    return method_of<Kernel, R, Args...>(std::move(name), std::move(parameters), method);
}
template <class Kernel, class R, class... Args>
Function function_of(std::string name, std::vector<const char*> parameters, R (Kernel::*method)(Args...) const) {
    return method_of<Kernel, R, Args...>(std::move(name), std::move(parameters), method);
}

void drop(const Bytes& named) { held.drop(named); }

void describe(Writer& writer);

// Lists the constructor and the methods of a kernel.
template <class Kernel, class Spec>
void list_kernel(const std::string& module, std::vector<Function>& listed) {
    Function made{module + ".Kernel", {}, "Kernel", [](Reader& reader, Writer& writer) {
                      Spec spec;
                      spec.for_fields([&](const char*, auto& field) { read(reader, field); });
                      write(writer, std::make_shared<Kernel>(spec));
                  }};
    Spec().for_fields([&](const char* name, auto&) { made.parameters.push_back(name); });
    listed.push_back(std::move(made));
    Kernel::for_methods([&](const char* name, auto method, auto... parameters) {
        listed.push_back(function_of(module + "." + name, {"self", parameters...}, method));
    });
}

const std::vector<Function>& functions() {
    static const std::vector<Function> all = [] {
        std::vector<Function> listed;
        listed.push_back({"describe", {}, "", [](Reader&, Writer& writer) { describe(writer); }});
        listed.push_back(function_of("drop", {"number"}, &drop));
        listed.push_back(function_of("mac.Index", {"letters", "tables", "marks"}, &mac::make_index));
        listed.push_back(function_of("mac.Costs", {"tables"}, &mac::make_costs));
        listed.push_back(function_of("packing.mark",
                                     {"lists", "tables", "letters", "common", "least", "name", "parts", "stems"},
                                     &cpfill::words::mark_words<cpfill::owner::View, cpfill::owner::Bytes>));
        list_kernel<mac::Kernel, mac::Spec>("mac", listed);
        list_kernel<letters::Kernel, letters::Spec>("letters", listed);
        return listed;
    }();
    return all;
}

// The compiler, the answers, and the functions by number.
void describe(Writer& writer) {
    writer.open(3);
    writer.write("Clang " __clang_version__);
    std::size_t answers = 0;
    mac::for_answers([&](const char*, mac::Answer) { ++answers; });
    writer.open(answers);
    mac::for_answers([&](const char* name, mac::Answer answer) { writer.write(std::tuple(name, int(answer))); });
    writer.open(functions().size());
    for (const Function& function : functions())
        writer.write(std::tuple(function.name.c_str(), function.parameters, function.wrapped));
}

}  // namespace

void cpfill::owner::refuse(const std::string& why) {
    complaint = why;
    __builtin_trap();
}

#define CPFILL_EXPORT(name) extern "C" __attribute__((export_name(name)))

CPFILL_EXPORT("reserve") char* reserve(std::size_t size) {
    received.resize(size);
    return received.data();
}

CPFILL_EXPORT("answer") std::size_t answer(std::size_t number) {
    if (number >= functions().size()) cpfill::owner::refuse("the kernel needs a function of its own");
    const Function& function = functions()[number];
    Reader reader(received);
    Writer writer(written);
    if (reader.open() != function.parameters.size())
        cpfill::owner::refuse("the kernel needs as many values as it names");
    function.run(reader, writer);
    std::string().swap(received);  // a list of words is long
    return written.size();
}

CPFILL_EXPORT("complaint") std::size_t complain() {
    written = std::exchange(complaint, {});
    return written.size();
}

CPFILL_EXPORT("written") const char* where_written() { return written.data(); }

// The only function that the host has to lend: the milliseconds since some time. The standard library's clock asks
// here. What else it imports prints why it gives up, before it traps; any function does for that.
__attribute__((import_module("host"), import_name("now"))) double host_now();

extern "C" int clock_gettime(clockid_t, struct timespec* time) {
    const double now = host_now() / 1e3;
    time->tv_sec = static_cast<time_t>(now);
    time->tv_nsec = static_cast<long>((now - static_cast<double>(time->tv_sec)) * 1e9);
    return 0;
}
