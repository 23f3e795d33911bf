// Functions of numbers, under the names that expressions have (emit/expression.h): what is written
// once on a scalar type calls these.
#pragma once

#include <cmath>

namespace kinemorph {

inline double Sine(double a) { return std::sin(a); }
inline double Cosine(double a) { return std::cos(a); }
inline double Root(double a) { return std::sqrt(a); }
inline double ArcTangent(double y, double x) { return std::atan2(y, x); }
inline double Nearest(double a) { return std::nearbyint(a); }
inline double Tanh(double a) { return std::tanh(a); }
/// 1 where a > b, else 0.
inline double Greater(double a, double b) { return a > b ? 1 : 0; }

}  // namespace kinemorph
