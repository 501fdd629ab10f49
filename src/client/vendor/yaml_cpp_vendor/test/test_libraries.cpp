// What packages link by the vendor package's variable is the library.
#include <yaml-cpp/yaml.h>

int main() { return YAML::Load("{answer: 42}")["answer"].as<int>() == 42 ? 0 : 1; }
