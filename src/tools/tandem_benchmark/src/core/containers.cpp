// containers: what tandem::Vector and tandem::String cost beside std::vector and std::string.
//
// A sample is the time of several calls on one container, divided by the elements that they went over.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "common/microbenchmarks.hpp"
#include "common/suites.hpp"
#include "tandem/string.hpp"
#include "tandem/vector.hpp"

namespace bench {
namespace {

/// Elements of a container whose block costs more than they do.
constexpr std::size_t kName = 32;

struct Point {
  double x, y, z;
};

/// The compiler may neither leave out what made `object` nor know what is in it.
template <class T>
void keep(T & object) {
  benchmark::DoNotOptimize(&object);
  benchmark::ClobberMemory();
}

template <class T>
void change(T & element) {
  element = static_cast<T>(element + 1);
}
void change(Point & element) { element.x += 1; }

struct RangeFor {
  template <class Container>
  static void run(Container & container, std::size_t) {
    keep(container);
    for (auto & element : container) {
      change(element);
    }
  }
};

/// Into capacity that is there, as in a message that is used again.
struct PushBack {
  template <class Container>
  static void run(Container & container, std::size_t count) {
    container.clear();
    keep(container);
    for (std::size_t i = 0; i < count; ++i) {
      container.push_back(typename Container::value_type());
    }
    keep(container);
  }
};

struct Grow {
  template <class Container>
  static void run(Container &, std::size_t count) {
    Container made;
    PushBack::run(made, count);
  }
};

struct Resize {
  template <class Container>
  static void run(Container &, std::size_t count) {
    Container made;
    made.resize(count);
    keep(made);
  }
};

struct Copy {
  template <class Container>
  static void run(Container & container, std::size_t) {
    Container made(container);
    keep(made);
  }
};

using Run = std::function<void(benchmark::State & state)>;

/// In one sample: enough for the clock, however small the container.
benchmark::IterationCount elements_of(std::size_t count) {
  return static_cast<benchmark::IterationCount>(std::max<std::size_t>(8192, count));
}

/// Its container lives as long as itself, from the first time it is played: what is measured is not how the system gives
/// memory and takes it back.
template <class Operation, class Container>
Run playing(std::size_t count) {
  const auto container = std::make_shared<std::optional<Container>>();
  return [container, count, elements = elements_of(count)](benchmark::State & state) {
    if (!*container) {
      container->emplace(count, typename Container::value_type());
    }
    while (state.KeepRunningBatch(elements)) {
      time_call(state, [&] {
        for (benchmark::IterationCount i = 0; i < elements; i += static_cast<benchmark::IterationCount>(count)) {
          Operation::run(**container, count);
        }
      });
    }
  };
}

/// The same calls on a container of ours and on one of std, in turn. Samples are ns for each element.
struct Pair {
  std::string series;  ///< "containers.push_back.float.4096"
  std::string what;    ///< "push_back, 4096 float"
  double limit;        ///< of ours / std
  benchmark::IterationCount elements;
  Run ours;
  Run std;
};

template <class Operation, class Ours, class Std>
void add(std::vector<Pair> & pairs, const char * call, const char * type, std::size_t count) {
  // Where the allocation is all that it costs, malloc is what ours is measured by.
  const double limit = count == kName ? 1.3 : 1.1;
  pairs.push_back({fmt::format("containers.{}.{}.{}", call, type, count), fmt::format("{}, {} {}", call, count, type),
                   limit, elements_of(count), playing<Operation, Ours>(count), playing<Operation, Std>(count)});
}

template <class Operation>
void add_vectors(std::vector<Pair> & pairs, const char * call, std::size_t count) {
  add<Operation, tandem::Vector<std::uint8_t>, std::vector<std::uint8_t>>(pairs, call, "uint8", count);
  add<Operation, tandem::Vector<float>, std::vector<float>>(pairs, call, "float", count);
  add<Operation, tandem::Vector<Point>, std::vector<Point>>(pairs, call, "point", count);
}

std::vector<Pair> make_pairs() {
  constexpr std::size_t kScan = 4096;       // what each element costs
  constexpr std::size_t kPicture = 131072;  // what many elements at once cost
  std::vector<Pair> pairs;
  add_vectors<RangeFor>(pairs, "range-for", kScan);
  add_vectors<PushBack>(pairs, "push_back", kScan);
  add_vectors<Grow>(pairs, "push_back from empty", kScan);
  add_vectors<Resize>(pairs, "resize", kPicture);
  add_vectors<Copy>(pairs, "copy", kPicture);
  add<Copy, tandem::Vector<float>, std::vector<float>>(pairs, "copy", "float", kName);
  add<Copy, tandem::String, std::string>(pairs, "copy", "char", kName);
  add<PushBack, tandem::String, std::string>(pairs, "push_back", "char", kScan);
  return pairs;
}

class Containers : public Microbenchmarks {
 public:
  Containers() {
    for (const Pair & pair : make_pairs()) {
      add(pair.series + ".ours", pair.elements, pair.ours);
      add(pair.series + ".std", pair.elements, pair.std);
    }
  }
};

std::unique_ptr<Contestant> make(const std::string &, const Role &) { return std::make_unique<Containers>(); }

}  // namespace

Suite containers_suite(const Length & length) {
  Suite suite{"containers", 0, make};
  suite.contests = {{"containers", length.repetitions(100)}};
  for (const Pair & pair : make_pairs()) {
    suite.figures.push_back({pair.series + ".ours", "Vector, String: " + pair.what});
    suite.figures.push_back({pair.series + ".std", "std: " + pair.what});
    suite.targets.push_back({pair.what + ", ours / std", pair.series + ".ours", pair.series + ".std", pair.limit});
  }
  return suite;
}

}  // namespace bench
