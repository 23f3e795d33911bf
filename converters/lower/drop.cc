// Passes `drop_requested` and `drop_unsupported`: taking features out of a model, each use with a
// loss.

#include <algorithm>
#include <cmath>

#include "edit/model_edit.h"
#include "edit/native_text.h"
#include "edit/removal.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/field_text.h"
#include "lower/couplings.h"
#include "lower/drop_parts.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// Loop joints go; tree joints of a dropped kind are frozen.
void DropJoints(Model& model, const DropRequest& request) {
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    const Feature feature = TreeFeature(joint);
    // A free base stays, be its kind dropped or not.
    const bool base = model.predecessor(id) == kWorld && std::holds_alternative<Free>(joint.kind);
    if (joint.role == JointRole::kLoop || base || feature == Feature::kJointFixed ||
        !request.Has(feature))
      continue;
    const std::string said = AxesText(joint);
    request
        .Lose(feature, SubjectOf(joint),
              "the joint is frozen at its zero position" +
                  (said.empty() ? "" : "; gone with it: " + said))
        .source = said;
    // Without a coordinate nothing can be said of it any more: its axes, its declaration, the
    // couplings on it.
    joint.kind = Fixed{};
    joint.axes.clear();
    joint.native_type.clear();
    joint.independent.reset();
    std::erase_if(model.couplings, [&](const Coupling& c) {
      const bool on_it = std::any_of(c.terms.begin(), c.terms.end(), [&](const CouplingTerm& t) {
        return t.coordinate.joint == id;
      });
      if (on_it)
        request.Lose(CouplingFeature(c), SubjectOf(model, c),
                     EquationText(model, c) + " is not written; " +
                         Quoted("joint", model.joint(id).name) + " is frozen");
      return on_it;
    });
  }
  // Then loop joints, in the tree with frozen joints. One may go because of its kind, or because of
  // the links it joins.
  const SpanningTree tree = TreeOf(model);
  std::vector<bool> gone(model.num_joints(), false);
  for (const JointId id : tree.loop_joints) {
    const Joint& joint = model.joint(id);
    const LinkId p = model.predecessor(id), s = model.successor(id),
                 nca = NearestCommonAncestor(tree, p, s);
    const bool ancestor = request.Has(Feature::kLoopAncestor) && (nca == p || nca == s);
    if (!request.Has(LoopFeature(joint.kind)) && !ancestor) continue;
    gone[Index(id)] = true;
    Subject subject = SubjectOf(joint);
    subject.kind = SubjectKind::kLoopJoint;
    request.Lose(
        request.Has(LoopFeature(joint.kind)) ? LoopFeature(joint.kind) : Feature::kLoopAncestor,
        std::move(subject),
        "the " + std::string(KindName(joint.kind)) + " loop joint between '" + model.link(p).name +
            "' and '" + model.link(s).name + "' is not written; the chain is open there");
  }
  if (std::find(gone.begin(), gone.end(), true) == gone.end()) return;
  Lose(model, TakeJoints(model, [&](JointId id) { return gone[Index(id)]; }),
       "the loop joint it belongs to is not written", request.context);
}

void DropCouplings(Model& model, const DropRequest& request) {
  std::erase_if(model.couplings, [&](const Coupling& c) {
    const Feature feature = CouplingFeature(c);
    if (!request.Has(feature)) return false;
    request.Lose(feature, SubjectOf(model, c),
                 EquationText(model, c) + " is not written; the joints move on their own");
    return true;
  });
}

void DropSelfCollision(Model& model, const DropRequest& request) {
  const auto lose = [&](std::optional<bool>& word, const Subject& subject) {
    if (!word) return;
    request.Lose(Feature::kSelfCollision, subject,
                 *word ? "the flag for collisions of the link with itself is not written"
                       : "the flag against collisions of the link with itself is not written");
    word.reset();
  };
  for (Scope& scope : model.scopes) lose(scope.self_collide, SubjectOf(scope));
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    Link& link = model.link(LinkId{v});
    lose(link.self_collide, SubjectOf(link));
    for (Collision& collision : link.collisions) {
      if (!collision.contact_mask) continue;
      request.Lose(Feature::kSelfCollision, SubjectOf(link, collision),
                   "its bit masks are not written");
      collision.contact_mask.reset();
    }
  }
}

void DropStructure(Model& model, const DropRequest& request) {
  if (request.Has(Feature::kGravity) && model.gravity) {
    const std::string value = ValueText(*model.gravity) + " m/s^2";
    Loss& loss =
        request.Lose(Feature::kGravity, SubjectOf(model), "gravity " + value + " is not written");
    loss.source = value;
    // Every simulator assumes it where a file says none.
    if (IsUsualGravity(*model.gravity)) loss.weight = Weight::kInterface;
    model.gravity.reset();
  }
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    if (request.Has(Feature::kLinkGravity) && link.gravity == false) {
      if (!IsMassless(link))
        request.Lose(Feature::kLinkGravity, SubjectOf(link), "gravity acts on the link").source =
            "no gravity";
      link.gravity.reset();
    }
  }
  const auto drop = [&](Feature feature, auto& items, const char* what) {
    if (!request.Has(feature)) return;
    for (const auto& item : items) {
      if constexpr (requires { SubjectOf(item); })
        request.Lose(feature, SubjectOf(item), what);
      else
        request.Lose(feature, SubjectOf(model, item), what);
    }
    items.clear();
  };
  drop(Feature::kFrame, model.frames, "the frame is not written");
  drop(Feature::kSensor, model.sensors, "the sensor is not written");
  std::erase_if(model.actuators, [&](const Actuator& drive) {
    const bool gone = request.Has(DriveFeature(drive));
    if (gone)
      request.Lose(DriveFeature(drive), SubjectOf(model, drive), "the drive is not written");
    return gone;
  });
  if (request.Has(Feature::kSelfCollision)) DropSelfCollision(model, request);
  drop(Feature::kContactExclusion, model.contact_exclusions,
       "the exclusion is not written; the two links may collide");
}

// Who wants no meshes wants none that no shape uses either: a program opens them all the same.
void DropUnusedMeshes(Model& model, const DropRequest& request) {
  if (!request.asked || !request.Has(Feature::kShapeMesh)) return;
  std::erase_if(model.native, [&](const NativeData& data) {
    if (data.content.name != RowOf(Feature::kShapeMesh).word) return false;
    request
        .Lose(Feature::kShapeMesh, SubjectOf(data, SubjectOf(model)),
              "the mesh is not written; no shape uses it")
        .weight = Weight::kLooks;
    return true;
  });
}

// Takes every masked feature out; `why` empty: the table's note.
void DropFeatures(Model& model, const FeatureSet& mask, std::string_view why, bool asked,
                  PassContext& context) {
  const DropRequest request{model, mask, why, asked, context};
  DropJoints(model, request);
  DropCouplings(model, request);
  DropJointData(model, request);
  DropGeometry(model, request);
  DropUnusedMeshes(model, request);
  DropStructure(model, request);
}

}  // namespace

void DropRequested(Model& model, PassContext& context) {
  FeatureSet mask;
  for (const Feature feature : context.options.drop) {
    if (In(feature, feature_group::kStructure)) {
      context.Report(
          Severity::kWarning, model, {}, "cannot-drop",
          "'" + std::string(FeatureName(feature)) +
              "' is part of the structure and cannot be dropped; its losses are accepted");
      continue;
    }
    mask.set(Position(feature));
  }
  if (!context.options.keep_frames && context.Of(Feature::kFrame).support != Support::kNative)
    mask.set(Position(Feature::kFrame));
  if (mask.any()) DropFeatures(model, mask, "left out on request", true, context);
  if (mask[Position(Feature::kNativeData)]) {
    // Everything that only one format knows, the target's own included.
    ForEachNative(model, [&](std::vector<NativeData>& list, const auto& owner) {
      const Subject subject = owner();
      for (const NativeData& data : list) {
        Loss& loss = context.Lose(model, Feature::kNativeData, SubjectOf(data, subject),
                                  ContentText(data) + " is not written", "left out on request");
        loss.asked = true;
        loss.weight = WeightOfContent(data, subject.kind);
      }
      list.clear();
    });
  }
}

void DropUnsupported(Model& model, PassContext& context) {
  // What is left of loops where mimics stand for some has no other place.
  const FeatureSet mask = FeaturesWhere([&](Feature feature) {
    return context.Lost(feature) || context.Of(feature).pass == "mimics";
  });
  DropFeatures(model, mask, {}, false, context);
}

}  // namespace kinemorph
