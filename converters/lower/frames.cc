// Pass `frames`: named frames for targets that have links only.
#include "edit/model_edit.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "lower/passes.h"

namespace kinemorph {

void LowerFrames(Model& model, PassContext& context) {
  if (!context.options.keep_frames) return;  // left to drop_requested
  const bool in_blocks = context.Of(Feature::kFrame).support == Support::kPartial;
  if (in_blocks && HasBlocks(model)) return;  // they stand in <gazebo>, as before
  UniqueNames links = LinkNames(model), joints = JointNames(model);
  for (Frame& frame : model.frames) {
    // The frame's own native content goes with it; its pose becomes the joint's.
    Link link;
    link.name = links.Take(frame.name);
    link.scope = frame.scope;
    link.where = frame.where;
    link.native = frame.native;
    if (link.name != frame.name)
      context.Renamed(SubjectKind::kFrame, frame.where, frame.name, link.name);
    Joint joint;
    joint.name = joints.Take(link.name + "_joint");
    joint.kind = Fixed{};
    joint.role = JointRole::kTree;
    joint.X_PF = frame.X_LF;
    joint.scope = frame.scope;
    joint.where = frame.where;
    context.Lowered(SubjectOf(frame),
                    "a massless link on a fixed joint at '" + model.link(frame.link).name + "'");
    const LinkId on = frame.link;
    const LinkId id = model.AddLink(std::move(link));
    model.AddJoint(on, id, std::move(joint));
  }
  model.frames.clear();
}

}  // namespace kinemorph
