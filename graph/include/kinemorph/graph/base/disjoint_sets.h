// Union-find over dense indices (path halving, union by size).
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace kinemorph {

/// A partition of the indices 0 .. n-1, made coarser by Unite.
class DisjointSets {
 public:
  /// Every index in a set of its own.
  explicit DisjointSets(std::size_t n) : parent_(n), size_(n, 1) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  /// The index that stands for the set of `index`: the same for all in it, until a Unite.
  [[nodiscard]] std::uint32_t Find(std::size_t index) {
    auto i = static_cast<std::uint32_t>(index);
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// Makes one set of theirs. False when both were already in one set.
  bool Unite(std::size_t a, std::size_t b) {
    std::uint32_t x = Find(a), y = Find(b);
    if (x == y) return false;
    if (size_[x] < size_[y]) std::swap(x, y);
    parent_[y] = x;
    size_[x] += size_[y];
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_, size_;
};

}  // namespace kinemorph
