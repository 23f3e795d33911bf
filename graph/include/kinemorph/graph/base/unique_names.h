/// Names of one kind in a file or a model: who has which, and what to call one more.
#pragma once

#include <string>
#include <unordered_map>

namespace kinemorph {

/// A set of names. However many share a name, each new one is found at once.
class UniqueNames {
 public:
  /// False when the name is there already.
  bool Add(const std::string& name) { return next_.emplace(name, 2).second; }
  /// Whether the name is taken.
  [[nodiscard]] bool Has(const std::string& name) const { return next_.contains(name); }
  /// `wanted`, or `wanted_2`, `wanted_3` ... when that is taken; it is taken from now on. An empty
  /// name is none: it stays empty.
  std::string Take(const std::string& wanted) {
    if (wanted.empty()) return wanted;
    const auto [own, fresh] = next_.emplace(wanted, 2);
    return fresh ? wanted : Numbered(wanted, own->second);
  }
  /// `stem_1`, `stem_2` ..., the first that is free; it is taken from now on.
  std::string TakeNumbered(const std::string& stem) {
    return Numbered(stem, numbered_.emplace(stem, 1).first->second);
  }

 private:
  std::string Numbered(const std::string& stem, int& number) {  // a number of one of the maps
    std::string name;
    do name = stem + "_" + std::to_string(number++);
    while (!Add(name));
    return name;
  }

  std::unordered_map<std::string, int> next_;      // by name, the number to try next
  std::unordered_map<std::string, int> numbered_;  // by stem, the same
};

}  // namespace kinemorph
