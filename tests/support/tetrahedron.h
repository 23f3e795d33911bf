// A mesh that every program takes.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

namespace kinemorph::test {

/// A binary STL file of four facets; its first byte, which means nothing, is `mark`.
inline std::string Tetrahedron(char mark = 0) {
  std::string stl(80 + 4 + 4 * 50, '\0');
  stl[0] = mark, stl[80] = 4;
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (std::size_t f = 0; f < 4; ++f)
    for (std::size_t c = 0; c < 3; ++c)
      std::memcpy(&stl[84 + 50 * f + 12 * (c + 1)], corners[facets[f][c]], 12);
  return stl;
}

}  // namespace kinemorph::test
