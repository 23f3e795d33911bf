// Poses and verbatim content of SDFormat text.
#include "write/text_writer.h"

#include <algorithm>

namespace kinemorph::sdformat {

void WritePose(xml::Writer& out, const RigidTransform& X, const std::string& relative_to,
               double scale) {
  const std::array<double, 6> numbers = xml::PoseNumbers(X, scale);
  if (relative_to.empty() && std::ranges::all_of(numbers, [](double v) { return v == 0; })) return;
  out.Open("pose");
  if (!relative_to.empty()) out.Attribute("relative_to", relative_to);
  out.Text(numbers).Close();
}

void WriteNative(xml::Writer& out, const std::vector<NativeData>& native) {
  for (const NativeData& data : native)
    if (data.format == "sdf" && data.element != kComputedInertia) out.Native(data.content);
}

}  // namespace kinemorph::sdformat
