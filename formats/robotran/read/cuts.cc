// Cuts become loop joints; rods become massless links.
#include "read/model_builder.h"
#include "rotation_chain.h"

namespace kinemorph::mbs {

void ModelBuilder::AddCuts() {
  out_.joint_of_cut.assign(file_.cuts.size(), kNoJoint);
  for (std::size_t c = 0; c < file_.cuts.size(); ++c) {
    if (!cuts_[c].known) continue;
    if (file_.cuts[c].kind == CutKind::kRod)
      AddRod(c);
    else if (copies_[c])
      AddSplitJoint(c);
    else
      AddCut(c);
  }
}

// Point to point (ball), or body frame to body frame (solid).
void ModelBuilder::AddCut(std::size_t c) {
  const Ends& ends = cuts_[c];
  FoldedJoint folded;
  folded.name = joint_names_.Take(file_.cuts[c].name);
  if (file_.cuts[c].kind == CutKind::kBall) folded.kind = Ball{};
  folded.X_PF.p = ends.p[0];
  folded.X_SM.p = ends.p[1];
  folded.where = file_.cuts[c].where;
  out_.joint_of_cut[c] = out_.model.AddJoint(LinkOf(ends.body[0]), LinkOf(ends.body[1]),
                                             ToJoint(folded, JointRole::kLoop));
}

// The copy L hangs on P by the loop joint; the cut says L and the successor S coincide: X_SM =
// Trans(p_S - p_L) X_LM.
void ModelBuilder::AddSplitJoint(std::size_t c) {
  const std::size_t copy = out_.copy_of_cut[c];
  const int copy_end = cuts_[c].body[0] == copy ? 0 : 1;
  FoldedJoint folded = *copies_[c];
  folded.name = joint_names_.Take(file_.cuts[c].name);
  folded.where = file_.cuts[c].where;
  folded.X_SM =
      RigidTransform::Translation(cuts_[c].p[1 - copy_end] - cuts_[c].p[copy_end]) * folded.X_SM;
  if (folded.independent == false) folded.independent.reset();  // what a loop joint is anyway
  Joint joint = ToJoint(folded, JointRole::kLoop);
  const JointId id = out_.model.AddJoint(LinkOf(parent_[copy]), LinkOf(cuts_[c].body[1 - copy_end]),
                                         std::move(joint));
  Remember(folded, id);
  out_.joint_of_cut[c] = id;
}

// A massless rod: universal joint at one end, ball at the other, net one constraint. It is drawn
// pointing at its other end.
void ModelBuilder::AddRod(std::size_t c) {
  const FileCut& cut = file_.cuts[c];
  const Ends& ends = cuts_[c];
  // A rod has no axis of its own: the universal joint is put so that the rod points at its other
  // end in the posture of the file, where its angles are zero. Its own turn about its length is
  // left out, and so is that freedom.
  if (poses_.empty()) ComputePoses();
  const RigidTransform X_W1 = Pose(ends.body[0]);
  Vector3 direction = X_W1.R.transpose() * (Pose(ends.body[1]) * ends.p[1] - X_W1 * ends.p[0]);
  direction =
      direction.norm() > 1e-12 ? Vector3(direction.normalized()) : Vector3(Vector3::UnitX());
  const Matrix3 along_z = RotationWithZ(Snapped(direction));
  FoldedJoint universal;
  universal.name = joint_names_.Take(cut.name + "_universal");
  universal.kind = Universal{Vector3::UnitY(), Vector3::UnitZ()};
  universal.X_PF.R << along_z.col(2), along_z.col(0), along_z.col(1);
  universal.X_PF.p = ends.p[0];
  universal.independent = false;
  universal.where = cut.where;
  FoldedJoint ball;
  ball.name = joint_names_.Take(cut.name + "_ball");
  ball.kind = Ball{};
  ball.X_PF.p = cut.length * Vector3::UnitX();
  ball.X_SM.p = ends.p[1];
  ball.where = cut.where;
  Link rod;
  rod.name = link_names_.Take(cut.name);
  rod.where = cut.where;
  rod.scope = ScopeId{0};
  const LinkId link = out_.model.AddLink(std::move(rod));
  out_.model.AddJoint(LinkOf(ends.body[0]), link, ToJoint(universal, JointRole::kTree));
  out_.joint_of_cut[c] =
      out_.model.AddJoint(link, LinkOf(ends.body[1]), ToJoint(ball, JointRole::kLoop));
}

// With all joints at their initial values, the driven ones too.
void ModelBuilder::ComputePoses() {
  poses_.resize(file_.bodies.size());
  for (const std::size_t i : order_) {
    RigidTransform X = Pose(parent_[i]) * RigidTransform::Translation(anchor_[i]);
    for (const FileJoint& joint : file_.bodies[i].joints) {
      if (joint.rotation)
        X = X * RigidTransform::Rotation(ElementaryRotation(joint.k, joint.q));
      else
        X = X * RigidTransform::Translation(joint.q * Vector3::Unit(joint.k));
    }
    poses_[i] = X;
  }
}

}  // namespace kinemorph::mbs
