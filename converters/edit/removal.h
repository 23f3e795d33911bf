// Taking joints and links out of a model without losing sight of what hangs on them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "edit/model_edit.h"
#include "kinemorph/graph/model/fields.h"
#include "plan/pass.h"

namespace kinemorph {

/// What went with removed joints and links: sensors, actuators, couplings, frames, exclusions,
/// native text. A pass moves to a place that stays what it can before it removes; the receipt of
/// the rest goes to Lose.
struct Removed {
  struct Item {
    Feature feature;
    Subject subject;
    std::string what = "not written";
    bool idle = false;  ///< it was without effect
  };
  std::vector<JointId> joints;  ///< old id -> new id, kNoJoint for removed ones
  std::vector<LinkId> links;    ///< the same; empty where only joints were removed
  std::vector<Item> items;
};

[[nodiscard]] Removed TakeJoints(Model& model, const std::function<bool(JointId)>& remove);
[[nodiscard]] Removed TakeLinks(Model& model, const std::function<bool(LinkId)>& remove);

/// A loss each, by name, but for what was without effect.
void Lose(const Model& model, const Removed& removed, const std::string& why, PassContext& context);

/// As MergeLinks of edit/model_edit.h, and loses who no longer touches a part of a link as it touched
/// the link that the part was.
std::vector<LinkId> MergeLinks(Model& model, const std::vector<Merger>& mergers,
                               const std::string& why, PassContext& context);

/// An exact change after which `into` stand for the subject.
void Became(const Subject& subject, const std::string& what, std::vector<Subject> into,
            PassContext& context);

/// True of a plugin that says no more than the joint that it makes, which is told as an exact change.
[[nodiscard]] bool IsSaidByJoint(const NativeData& data, const Subject& owner,
                                 PassContext& context);

/// Says that nothing counts the coordinate of a joint that becomes a part of `what` ("a ball joint"):
/// MJCF's `ref` says what the joint's own coordinate reads at zero.
void LoseOffsets(Model& model, JointId id, const std::string& what, const std::string& why,
                 PassContext& context);
/// A loop joint, whose constraint has no coordinate at all.
inline void LoseOffsetsOfLoop(Model& model, JointId id, PassContext& context) {
  LoseOffsets(model, id, "a loop joint",
              "its loop is cut at this joint (--cut JOINT chooses another)", context);
}

/// Loses what a number of a coordinate says, "damping 0.3 N m s/rad is not written", where the number
/// says anything; the joint stays as it is. `of`: more of the coordinate, " of the whole joint".
void TellLostNumber(const Model& model, const Joint& joint, std::size_t axis,
                    const NumberField<JointAxis>& field, const std::string& why,
                    PassContext& context, const std::string& of = {});
/// The same, and takes the number out of the joint.
void LoseNumber(const Model& model, Joint& joint, std::size_t axis,
                const NumberField<JointAxis>& field, const std::string& why, PassContext& context,
                const std::string& of = {});

/// Says that limits and dynamics of a loop joint are not written; `why` as PassContext::Lose has it.
void LoseAxisData(const Model& model, const Joint& loop, PassContext& context,
                  const std::string& why = {});

/// Sensors, actuators and native text of joint `from` stand on joint `to` afterwards.
void MoveJointContent(Model& model, JointId from, JointId to);

}  // namespace kinemorph
