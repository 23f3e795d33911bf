// Models built by hand, a line per element.
#pragma once

#include <string>

#include "conversion.h"
#include "recipe_steps.h"
#include "world_facts.h"

namespace kinemorph::test {

struct SmallModel {
  Model model;

  LinkId AddLink(const std::string& name, double mass = 1) {
    Link link;
    link.name = name;
    if (mass > 0) {
      Inertial inertial;
      inertial.mass = mass;
      inertial.X_LI.p = Vector3(0.01, 0.02, 0.03);
      inertial.I_I = Vector3(0.1, 0.2, 0.25).asDiagonal();
      link.inertial = inertial;
    }
    return model.AddLink(std::move(link));
  }
  JointId AddJoint(const std::string& name, LinkId p, LinkId s, JointKind kind,
                   const Vector3& at = Vector3::Zero(), JointRole role = JointRole::kTree,
                   const RigidTransform& X_SM = {}) {
    Joint joint;
    joint.name = name;
    joint.kind = kind;
    joint.role = role;
    joint.X_PF.p = at;
    joint.X_SM = X_SM;
    return model.AddJoint(p, s, std::move(joint));
  }
  void Couple(const std::string& name, CouplingForm form,
              std::vector<std::pair<JointId, double>> terms, double constant = 0) {
    Coupling c;
    c.name = name;
    c.form = form;
    c.constant = constant;
    for (const auto& [joint, coefficient] : terms)
      c.terms.push_back({{joint, 0}, {coefficient, 0, 0, 0}});
    model.couplings.push_back(std::move(c));
  }
};

/// Runs one pass of a target's recipe on a model.
struct PassRun {
  ConvertOptions options;
  LossReport report;
  Diagnostics diagnostics;

  explicit PassRun(const std::string& target) { options.target = TargetNamed(target); }
  PassRun& Run(const std::string& name, Model& model) {
    PassContext context(options, report, diagnostics);
    bool ran = false;
    for (const RecipeStep& step : RecipeOf(options.target).steps) {
      if (step.pass != name) continue;
      context.pass = step.pass;
      step.run(model, context);
      ran = true;
    }
    EXPECT_TRUE(ran) << "no pass " << name << " in the recipe";
    return *this;
  }
};

inline const Joint& JointNamed(const Model& model, const std::string& name) {
  const auto id = model.FindJoint(name);
  if (!id) throw std::runtime_error("no joint " + name);
  return model.joint(*id);
}
inline std::string EndsOf(const Model& model, const std::string& joint) {
  const auto id = model.FindJoint(joint);
  return id ? model.link(model.predecessor(*id)).name + " -> " +
                  model.link(model.successor(*id)).name
            : "no such joint";
}

}  // namespace kinemorph::test
