// Poses and verbatim content of SDFormat text.
#include "write_text.h"

namespace kinemorph::sdformat {

void WritePose(xml::Writer& out, const RigidTransform& X, const std::string& relative_to, double scale) {
  const std::string text = xml::PoseText(X, scale);
  if (relative_to.empty() && text == "0 0 0 0 0 0") return;
  out.Open("pose");
  if (!relative_to.empty()) out.Attribute("relative_to", relative_to);
  out.Text(text).Close();
}

void WriteNative(xml::Writer& out, const std::vector<NativeData>& native) {
  for (const NativeData& data : native)
    if (data.format == "sdf") out.Raw(data.xml);
}

}  // namespace kinemorph::sdformat
