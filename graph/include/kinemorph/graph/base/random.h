// A small seeded generator whose numbers are the same on every machine (SplitMix64).
#pragma once

#include <cstdint>

namespace kinemorph {

/// A stream of numbers that the seed alone decides. Not for secrets.
class Random {
 public:
  /// Every seed is good, 0 too; equal seeds give equal streams.
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// The next 64 bits, all values alike.
  [[nodiscard]] std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// Uniform in [lower, upper).
  [[nodiscard]] double Uniform(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(Next() >> 11) * 0x1p-53);
  }
  /// Uniform in [0, n), but for a bias of n / 2^64. Precondition: n > 0.
  [[nodiscard]] int Below(int n) {
    return static_cast<int>(Next() % static_cast<std::uint64_t>(n));
  }

 private:
  std::uint64_t state_;
};

}  // namespace kinemorph
