#include "lower/line_fit.h"

#include <algorithm>
#include <limits>

namespace kinemorph {
namespace {

// The chain of the hull on one side; side = 1: the upper one (Andrew's monotone chain).
std::vector<std::size_t> Hull(const std::vector<double>& x, const std::vector<double>& y,
                              double side) {
  std::vector<std::size_t> chain;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto turns_back = [&] {
      const std::size_t a = chain[chain.size() - 2], b = chain.back();
      return side * ((x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a])) >= 0;
    };
    while (chain.size() > 1 && turns_back()) chain.pop_back();
    chain.push_back(i);
  }
  return chain;
}

// With the slope fixed, the offset halfway between the extremes of the rest has the least greatest
// error.
Line WithSlope(const std::vector<double>& x, const std::vector<double>& y, double slope) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double rest = y[i] - slope * x[i];
    least = std::min(least, rest);
    most = std::max(most, rest);
  }
  return {slope, (least + most) / 2, (most - least) / 2};
}

}  // namespace

Line FitLine(const std::vector<double>& x, const std::vector<double>& y) {
  // The least greatest error over all lines (Chebyshev): the best line is parallel to an edge of
  // the convex hull, so that trying the edges is enough.
  Line best = WithSlope(x, y, 0);
  for (const double side : {1.0, -1.0}) {
    const std::vector<std::size_t> chain = Hull(x, y, side);
    for (std::size_t i = 1; i < chain.size(); ++i) {
      const std::size_t a = chain[i - 1], b = chain[i];
      const Line line = WithSlope(x, y, (y[b] - y[a]) / (x[b] - x[a]));
      if (line.error < best.error) best = line;
    }
  }
  return best;
}

}  // namespace kinemorph
