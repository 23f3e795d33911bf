// The canonical text: readable, and different for models that differ anywhere.
#include <gtest/gtest.h>

#include "field_changes.h"
#include "graph/full_model.h"
#include "graph/small_graph.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

using test::FullModel;

TEST(DumpModel, ReadsLikeThis) {
  Model model;
  model.name = "arm \"one\"";
  model.format = "urdf+";
  Link base, arm;
  base.name = "base";
  arm.name = "arm";
  Inertial inertial;
  inertial.mass = 1.5;
  inertial.X_LI = {RotationFromRpy({0, 0.1, 0}), {0, 0, 0.25}};
  inertial.I_I = Vector3(0.01, 0.02, 0.03).asDiagonal();
  arm.inertial = inertial;
  Visual visual;
  visual.name = "skin";
  visual.shape = Cylinder{0.05, 0.5};
  arm.visuals = {visual};
  const LinkId p = model.AddLink(base), s = model.AddLink(arm);
  Joint joint;
  joint.name = "elbow";
  joint.kind = Revolute{Vector3::UnitY()};
  joint.role = JointRole::kTree;
  joint.native_type = "revolute";
  joint.X_PF.p = {0.1, 0, -0.0};
  joint.axes.resize(1);
  joint.axes[0].lower = -1;
  joint.axes[0].effort = 20;
  const JointId elbow = model.AddJoint(p, s, joint);
  model.couplings.emplace_back();
  model.couplings[0].form = CouplingForm::kMimic;
  model.couplings[0].terms = {{{elbow, 0}, {1, 0, 0, 0}}, {{elbow, 0}, {-2, 0, 0.5, 0}}};
  EXPECT_EQ(DumpModel(model), R"(model "arm \"one\""
  format "urdf+"
link "base"
link "arm"
  inertial
    mass 1.5
    frame 0 0 0.25 rpy 0 0.1 0
    inertia xx 0.01 yy 0.02 zz 0.03 xy 0 xz 0 yz 0
  visual "skin"
    cylinder
      radius 0.05
      length 0.5
joint "elbow" "base" -> "arm"
  kind revolute axis 0 1 0
  role tree
  native-type "revolute"
  on-predecessor 0.1 0 0
  coordinate 0
    lower -1
    effort 20
coupling ""
  form mimic
  term
    coordinate "elbow" 0
    coefficients 1
  term
    coordinate "elbow" 0
    coefficients -2 0 0.5
)");
}

TEST(DumpModel, FilesAndLinesDoNotMatter) {
  Model model = FullModel();
  const std::string before = DumpModel(model);
  model.files = {"elsewhere.sdf"};
  model.joint(JointId{1}).where = {0, 999};
  model.link(LinkId{1}).where = {0, 999};
  EXPECT_EQ(DumpModel(model), before);
  EXPECT_EQ(before.find("999"), std::string::npos);
  EXPECT_EQ(before.find("full.sdf"), std::string::npos);
}

TEST(DumpModel, EveryFieldMatters) {
  const std::string before = DumpModel(FullModel());
  const auto any = [](const auto&, const auto&) { return true; };
  for (const test::FieldChange& field : test::FieldChanges(any)) {
    if (field.name.ends_with(" native")) continue;  // of which only the names are printed
    Model changed = FullModel();
    EXPECT_TRUE(field.change(changed)) << field.name << ": the full model does not have it";
    EXPECT_NE(DumpModel(changed), before) << field.name << " does not show";
  }
}

TEST(DumpModel, EndsCoordinatesAndNamesOfNativeContentMatter) {
  const std::string before = DumpModel(FullModel());
  Model turned = FullModel(), other = FullModel(), without = FullModel(), coupled = FullModel();
  coupled.couplings[0].terms[0].coordinate.axis = 1;
  EXPECT_NE(DumpModel(coupled), before);
  turned.Reconnect([&](JointId id) {
    return std::pair{turned.successor(id), turned.predecessor(id)};
  });
  EXPECT_NE(DumpModel(turned), before);
  other.native[0].element = "x";
  EXPECT_NE(DumpModel(other), before);
  ForEachElement(without, [&](auto& item, const Element& element) {
    if constexpr (HasNativeList<decltype(item)>) {
      if (item.native.empty()) return;
      const std::string said = DumpModel(without);
      item.native.clear();
      EXPECT_NE(DumpModel(without), said) << Name(element.kind);
    }
  });
}

}  // namespace
}  // namespace kinemorph
