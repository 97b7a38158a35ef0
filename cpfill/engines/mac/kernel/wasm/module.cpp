// The kernel as a module of WebAssembly: a host that can share no objects sends messages. `engines/mac/wasm.py` is the
// other side.
//
// The host writes a message, a tuple, where `reserve` says, and calls `answer` with the number of a function. If that
// traps, `complaint` says why. Each returns the size of a message, which stands where `written` says.
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "marshal.hpp"
#include "owner.hpp"

// The other headers follow what they need.
#include "../kernel.hpp"

namespace {

using cpfill::mac::Answer;
using cpfill::mac::Kernel;
using cpfill::wasm::Reader;
using cpfill::wasm::Writer;

std::string received, written, complaint;

// What the host holds, by number.
class Held {
  public:
    template <class T>
    std::int32_t hold(std::shared_ptr<T> object) {
        of<T>()[++last_] = std::move(object);
        return last_;
    }
    template <class T>
    std::shared_ptr<T> get(std::int32_t number) {
        const auto found = of<T>().find(number);
        if (found == of<T>().end()) cpfill::owner::refuse("the kernel needs objects of its own");
        return found->second;
    }
    void drop(std::int32_t number) {
        of<Kernel>().erase(number);
        of<cpfill::mac::Costs>().erase(number);
        of<cpfill::mac::Index>().erase(number);
    }

  private:
    template <class T>
    std::unordered_map<std::int32_t, std::shared_ptr<T>>& of() {
        return std::get<std::unordered_map<std::int32_t, std::shared_ptr<T>>>(objects_);
    }

    std::tuple<std::unordered_map<std::int32_t, std::shared_ptr<Kernel>>,
               std::unordered_map<std::int32_t, std::shared_ptr<cpfill::mac::Costs>>,
               std::unordered_map<std::int32_t, std::shared_ptr<cpfill::mac::Index>>>
        objects_;
    std::int32_t last_ = 0;
};

Held held;

template <class T>
void read(Reader& reader, T& value) {
    reader.read(value);
}
template <class T>
void read(Reader& reader, std::shared_ptr<T>& object) {
    std::int32_t number;
    reader.read(number);
    object = held.get<T>(number);
}
void read(Reader& reader, std::vector<std::pair<cpfill::mac::SharedCosts, std::int64_t>>& budgets) {
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
void write(Writer& writer, Answer answer) { writer.write(static_cast<int>(answer)); }
template <class T>
void write(Writer& writer, std::shared_ptr<T> object) {
    writer.write(held.hold(std::move(object)));
}
void write(Writer& writer, std::unique_ptr<Kernel> kernel) {
    write(writer, std::shared_ptr<Kernel>(std::move(kernel)));
}

// The class that the host wraps a result in, if any.
template <class R>
constexpr const char* kWrapped = std::is_same_v<R, Answer>                    ? "Answer"
                                 : std::is_same_v<R, std::unique_ptr<Kernel>> ? "Kernel"
                                                                              : "";

struct Function {
    const char* name;
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
Function function_of(const char* name, std::vector<const char*> parameters, R (*made)(Args...)) {
    return {name, std::move(parameters), "",
            [made](Reader& reader, Writer& writer) { pass<R, Args...>(reader, writer, made); }};
}

template <class R, class Method, class... Args>
Function method_of(const char* name, std::vector<const char*> parameters, Method method) {
    return {name, std::move(parameters), kWrapped<R>, [method](Reader& reader, Writer& writer) {
                std::shared_ptr<Kernel> kernel;
                read(reader, kernel);
                pass<R, Args...>(reader, writer, [&](auto&... args) { return ((*kernel).*method)(args...); });
            }};
}
template <class R, class... Args>
Function function_of(const char* name, std::vector<const char*> parameters, R (Kernel::*method)(Args...)) {
    return method_of<R, decltype(method), Args...>(name, std::move(parameters), method);
}
template <class R, class... Args>
Function function_of(const char* name, std::vector<const char*> parameters, R (Kernel::*method)(Args...) const) {
    return method_of<R, decltype(method), Args...>(name, std::move(parameters), method);
}

void drop(std::int32_t number) { held.drop(number); }

void describe(Writer& writer);

Function kernel_maker() {
    Function made{"Kernel", {}, "", [](Reader& reader, Writer& writer) {
                      cpfill::mac::Spec spec;
                      spec.for_fields([&](const char*, auto& field) { read(reader, field); });
                      write(writer, std::make_shared<Kernel>(spec));
                  }};
    cpfill::mac::Spec().for_fields([&](const char* name, auto&) { made.parameters.push_back(name); });
    return made;
}

const std::vector<Function>& functions() {
    static const std::vector<Function> all = [] {
        std::vector<Function> listed;
        listed.push_back({"describe", {}, "", [](Reader&, Writer& writer) { describe(writer); }});
        listed.push_back(function_of("drop", {"number"}, &drop));
        listed.push_back(function_of("Index", {"letters", "tables", "run"}, &cpfill::mac::make_index));
        listed.push_back(function_of("Costs", {"tables"}, &cpfill::mac::make_costs));
        listed.push_back(kernel_maker());
        Kernel::for_methods([&](const char* name, auto method, auto... parameters) {
            listed.push_back(function_of(name, {"self", parameters...}, method));
        });
        return listed;
    }();
    return all;
}

// The compiler, the constants, the answers, and the functions by number.
void describe(Writer& writer) {
    writer.open(4);
    writer.write("Clang " __clang_version__);
    std::size_t constants = 0, answers = 0;
    cpfill::mac::for_constants([&](const char*, auto) { ++constants; });
    writer.open(constants);
    cpfill::mac::for_constants([&](const char* name, auto number) { writer.write(std::tuple(name, number)); });
    cpfill::mac::for_answers([&](const char*, Answer) { ++answers; });
    writer.open(answers);
    cpfill::mac::for_answers([&](const char* name, Answer answer) { writer.write(std::tuple(name, int(answer))); });
    writer.open(functions().size());
    for (const Function& function : functions())
        writer.write(std::tuple(function.name, function.parameters, function.wrapped));
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
