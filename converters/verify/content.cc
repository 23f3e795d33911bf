#include "verify/content.h"

#include "verify/shapes.h"

namespace kinemorph::verify {

void CompareContent(const Compared& sides, std::vector<Worst>& checks) {
  NativeText native(sides);
  CompareShapes(sides, native, checks);
  CompareFrames(sides, native, checks);
  CompareDevices(sides, native, checks);
  CompareContactPairs(sides, checks);
  CompareModels(sides, checks);
  native.Run(checks);
}

}  // namespace kinemorph::verify
