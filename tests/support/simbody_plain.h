// A mechanism for Simbody in plain numbers: Simbody 3.7's headers are not C++20, so what includes
// them is compiled as C++17, apart.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace kinemorph::test {

/// Rotation by rows, then the position.
struct PlainTransform {
  double R[9];
  double p[3];
};

struct PlainBody {
  enum Kind { kPin, kSlider, kWeld } kind = kWeld;
  int parent = 0;             ///< 0 is the ground, i + 1 the i-th body
  PlainTransform X_PJ, X_BJ;  ///< pins turn about z, sliders move along x
  double mass = 0, com[3] = {0, 0, 0};
  double inertia[6] = {0, 0, 0, 0, 0, 0};  ///< about the body's origin: xx yy zz xy xz yz
};

/// Of body b on body a.
struct PlainLoop {
  enum Kind { kBall, kHinge, kWeld } kind = kBall;
  int a = 0, b = 0;
  PlainTransform X_a, X_b;  ///< hinges turn about z
};

/// sum over terms of c1 q + c2 q^2 + c3 q^3 + c4 q^4 = constant.
struct PlainCoupling {
  struct Term {
    int body = 0;
    double c[4];
  };
  std::vector<Term> terms;
  double constant = 0;
};

/// Coordinates by body at times, and what it took.
struct PlainMotion {
  std::vector<std::vector<double>> q;
  double seconds = 0;  ///< of processor time
  std::string why;     ///< where it did not get to the end
};

class PlainSimbody {
 public:
  PlainSimbody(const double gravity[3], const std::vector<PlainBody>& bodies,
               const std::vector<PlainLoop>& loops,
               const std::vector<PlainCoupling>& couplings = {});
  ~PlainSimbody();
  PlainSimbody(const PlainSimbody&) = delete;
  PlainSimbody& operator=(const PlainSimbody&) = delete;
  /// By body; welds take none.
  void SetState(const std::vector<double>& q, const std::vector<double>& u,
                const std::vector<double>& tau);
  void Realize();
  /// Projects q (by body) on closure; false where the loops stay open by more than `accuracy` (m).
  bool Close(std::vector<double>& q, double accuracy);
  [[nodiscard]] std::vector<double> Accelerations() const;
  /// From the state that was set, by Runge, Kutta and Merson's method; at each of `times` (s).
  [[nodiscard]] PlainMotion Integrate(const std::vector<double>& times, double accuracy);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinemorph::test
