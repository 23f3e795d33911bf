// Links: where they stand; what is in them is in ../sdf_model.
#include "write/text_writer.h"

namespace kinemorph::sdformat {

// A pose in another link keeps the numbers of the joint between them; one in the model is a sum
// along the chain, whose noise is rounded off by the size of what was added.
void TextWriter::WriteLink(int scope, LinkId id) {
  const Link& link = model_.link(id);
  const std::string name = plan_.Local(scope, link.name);
  out_.Open("link").Attribute("name", name);
  // Since 1.7 in the link it hangs on, where that can be named; else in the model.
  const LinkId parent = plan_.ParentOf(id);
  const std::optional<std::string> parent_name =
      parent == kNoLink || version_ < Version{1, 7} ? std::nullopt : plan_.NameFrom(scope, parent);
  if (parent_name) {
    WritePose(out_, plan_.PoseInParent(id), *parent_name);
  } else {
    const RigidTransform &X_WM = plan_.scopes()[static_cast<std::size_t>(scope)].X_WM,
                         &X_WL = plan_.PoseOf(id);
    WritePose(out_, X_WM.inverse() * X_WL, "", 4 * (X_WM.p.norm() + X_WL.p.norm()));
  }
  LinkText(out_, model_, version_, [&](SourceLocation where, Statement why) {
    plan_.Refuse(where, std::move(why));
  }).Write(link, name);
  WriteSensors(plan_.SensorsOf(id));
  WriteNative(out_, link.native);
  out_.Close();
}

}  // namespace kinemorph::sdformat
