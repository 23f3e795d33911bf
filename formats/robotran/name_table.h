// Names of one kind in a file: finds duplicates, makes new unique ones.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace kinemorph::mbs {

class NameTable {
 public:
  /// False when the name is there already.
  bool Add(const std::string& name) { return names_.insert(name).second; }
  [[nodiscard]] bool Has(const std::string& name) const { return names_.count(name) > 0; }
  /// `wanted`, or `wanted_2`, `wanted_3` ... ; it is added.
  std::string Unique(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 2; !Add(name); ++i) name = wanted + "_" + std::to_string(i);
    return name;
  }

 private:
  std::unordered_set<std::string> names_;
};

}  // namespace kinemorph::mbs
