// Pass `frames`: named frames for targets that have links only.
#include "edit/model_edit.h"
#include "lower/passes.h"

namespace kinemorph {

void LowerFrames(Model& model, PassContext& context) {
  if (!context.options.keep_frames) return;  // left to drop_requested
  const Capability cell = context.Of(Feature::kFrame);
  const bool in_blocks = context.traits.loops_hold_whole_joints;
  if (in_blocks && model.format.starts_with("urdf")) return;  // they stand in <gazebo>, as before
  if (!in_blocks && cell.support == Support::kPartial) {
    for (Frame& frame : model.frames) {
      if (frame.X_LF.R.isApprox(Matrix3::Identity(), 1e-12)) continue;
      context.Lose(model, Feature::kFrame, SubjectOf(frame),
                   "the orientation of the frame is not written, its position is");
      frame.X_LF.R = Matrix3::Identity();
    }
    return;
  }
  if (!in_blocks && cell.support != Support::kLowered) return;
  UniqueNames links = LinkNames(model), joints = JointNames(model);
  for (Frame& frame : model.frames) {
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
