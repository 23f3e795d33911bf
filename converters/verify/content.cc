#include "verify/content.h"

#include "verify/shapes.h"

namespace kinemorph::verify {

// Facts beside the motion, of what was matched. Each comparison hands the kept text of matched
// things to `native`, which judges what is left over once all have spoken.
void CompareContent(const Compared& sides, std::vector<Worst>& checks) {
  NativeText native(sides);
  const std::vector<SameCollision> shapes = CompareShapes(sides, native, checks);
  CompareFrames(sides, native, checks);
  CompareDevices(sides, native, checks);
  CompareContacts(sides, shapes, checks);
  CompareModels(sides, checks);
  native.Run(checks);
}

}  // namespace kinemorph::verify
