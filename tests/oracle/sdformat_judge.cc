#include "sdformat_judge.h"

#include <cmath>
#include <sstream>

#ifdef KINEMORPH_LIBSDFORMAT
#include <ignition/math/Inertial.hh>
#include <ignition/math/Pose3.hh>
#include <sdf/sdf.hh>
#endif

namespace kinemorph::test {
namespace {

// Something that hinders no motion is absent in both.
void Normalise(JointAxis& axis) {
  for (std::optional<double>* bound : {&axis.lower, &axis.upper})
    if (*bound && std::abs(**bound) >= 1e16) bound->reset();
  for (std::optional<double>* bound : {&axis.effort, &axis.velocity})
    if (*bound && (**bound < 0 || std::isinf(**bound) || **bound >= 1e16)) bound->reset();
}

}  // namespace

#ifdef KINEMORPH_LIBSDFORMAT
namespace {

using ignition::math::Pose3d;

Vector3 Convert(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
RigidTransform Convert(const Pose3d& pose) {
  const ignition::math::Quaterniond q = pose.Rot();
  return {Eigen::Quaterniond(q.W(), q.X(), q.Y(), q.Z()).normalized().toRotationMatrix(),
          Convert(pose.Pos())};
}

const char* TypeName(sdf::JointType type) {
  switch (type) {
    case sdf::JointType::BALL:
      return "ball";
    case sdf::JointType::CONTINUOUS:
      return "continuous";
    case sdf::JointType::FIXED:
      return "fixed";
    case sdf::JointType::GEARBOX:
      return "gearbox";
    case sdf::JointType::PRISMATIC:
      return "prismatic";
    case sdf::JointType::REVOLUTE:
      return "revolute";
    case sdf::JointType::REVOLUTE2:
      return "revolute2";
    case sdf::JointType::SCREW:
      return "screw";
    case sdf::JointType::UNIVERSAL:
      return "universal";
    case sdf::JointType::INVALID:
      break;
  }
  return "invalid";
}

class Collector {
 public:
  explicit Collector(SdfFacts& facts) : facts_(facts) {}

  void Take(const sdf::Errors& errors) {
    for (const sdf::Error& error : errors)
      if (count_++ < 3) facts_.errors += error.Message() + "; ";
  }
  [[nodiscard]] bool clean() const { return count_ == 0; }

  void Collect(const sdf::Model& model, const std::string& scope, const RigidTransform& X_WP) {
    Pose3d pose;
    Take(model.SemanticPose().Resolve(pose));
    const RigidTransform X_WM = X_WP * Convert(pose);
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i)
      CollectLink(*model.LinkByIndex(i), scope, X_WM);
    for (std::uint64_t i = 0; i < model.JointCount(); ++i)
      CollectJoint(*model.JointByIndex(i), scope, X_WM);
    for (std::uint64_t i = 0; i < model.FrameCount(); ++i) {
      const sdf::Frame& frame = *model.FrameByIndex(i);
      Pose3d in_model;
      Take(frame.SemanticPose().Resolve(in_model, "__model__"));
      facts_.frames[scope + frame.Name()] = X_WM * Convert(in_model);
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i)
      Collect(*model.ModelByIndex(i), scope + model.ModelByIndex(i)->Name() + "::", X_WM);
  }

 private:
  void CollectLink(const sdf::Link& link, const std::string& scope, const RigidTransform& X_WM) {
    Pose3d pose;
    Take(link.SemanticPose().Resolve(pose, "__model__"));
    LinkFacts& facts = facts_.links[scope + link.Name()];
    facts.X_W = X_WM * Convert(pose);
    const auto& inertial = link.Inertial();
    const auto& moi = inertial.MassMatrix().Moi();
    Matrix3 I;
    for (unsigned r = 0; r < 3; ++r)
      for (unsigned c = 0; c < 3; ++c) I(r, c) = moi(r, c);
    const RigidTransform X_WI = facts.X_W * Convert(inertial.Pose());
    facts.inertia = {inertial.MassMatrix().Mass(), X_WI.p, X_WI.R * I * X_WI.R.transpose()};
    facts.visuals = link.VisualCount();
    facts.collisions = link.CollisionCount();
  }

  void CollectJoint(const sdf::Joint& joint, const std::string& scope, const RigidTransform& X_WM) {
    if (joint.Type() == sdf::JointType::GEARBOX) {
      ++facts_.gearboxes;
      return;
    }
    JointFacts& facts = facts_.joints[scope + joint.Name()];
    facts.type = TypeName(joint.Type());
    Pose3d pose;
    Take(joint.SemanticPose().Resolve(pose, "__model__"));
    facts.anchor = (X_WM * Convert(pose)).p;
    std::string parent, child;
    Take(joint.ResolveParentLink(parent));
    Take(joint.ResolveChildLink(child));
    facts.parent = parent == "world" ? parent : scope + parent;
    facts.child = scope + child;
    for (unsigned k = 0; k < 2; ++k) {
      const sdf::JointAxis* axis = joint.Axis(k);
      if (!axis) break;
      ignition::math::Vector3d xyz;
      Take(axis->ResolveXyz(xyz, "__model__"));
      AxisFacts& a = facts.axes.emplace_back();
      a.axis = X_WM.R * Convert(xyz);
      a.properties.lower = axis->Lower();
      a.properties.upper = axis->Upper();
      a.properties.effort = axis->Effort();
      a.properties.velocity = axis->MaxVelocity();
      a.properties.damping = axis->Damping();
      a.properties.friction = axis->Friction();
      a.properties.spring_stiffness = axis->SpringStiffness();
      a.properties.spring_reference = axis->SpringReference();
      if (joint.Type() == sdf::JointType::CONTINUOUS)
        a.properties.lower = a.properties.upper = std::nullopt;
      Normalise(a.properties);
    }
  }

  SdfFacts& facts_;
  int count_ = 0;
};

SdfFacts Judge(const std::function<sdf::Errors(sdf::Root&)>& load) {
  SdfFacts facts;
  std::ostringstream console;  // libsdformat would print; what matters is in its errors
  sdf::Console::Instance()->GetMsgStream().SetStream(&console);
  sdf::Root root;
  Collector collector(facts);
  collector.Take(load(root));
  std::size_t models = 0;
  if (const sdf::Model* model = root.Model()) {
    collector.Collect(*model, "", {});
    ++models;
  }
  for (std::uint64_t w = 0; w < std::min<std::uint64_t>(root.WorldCount(), 1); ++w) {
    const sdf::World& world = *root.WorldByIndex(w);
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i)
      collector.Collect(*world.ModelByIndex(i), world.ModelByIndex(i)->Name() + "::", {});
    for (std::uint64_t i = 0; i < world.FrameCount(); ++i) {
      Pose3d pose;
      collector.Take(world.FrameByIndex(i)->SemanticPose().Resolve(pose, "world"));
      facts.frames[world.FrameByIndex(i)->Name()] = Convert(pose);
    }
    ++models;
  }
  sdf::Console::Instance()->GetMsgStream().SetStream(&std::cerr);
  facts.ok = collector.clean() && models > 0;
  if (collector.clean() && models == 0) facts.errors = "no model and no world";
  return facts;
}

}  // namespace

bool HaveLibsdformat() { return true; }

namespace {

// As Root::Load(...), but for the description of all elements, which takes longer to read than a
// robot to load: it is read once.
sdf::Errors Load(sdf::Root& root, const sdf::ParserConfig& config,
                 const std::function<bool(const sdf::SDFPtr&, sdf::Errors&)>& read) {
  static const sdf::SDFPtr schema = [] {
    auto made = std::make_shared<sdf::SDF>();
    sdf::init(made);
    return made;
  }();
  auto parsed = std::make_shared<sdf::SDF>();
  parsed->Root(schema->Root()->Clone());
  sdf::Errors errors;
  if (!read(parsed, errors)) {
    errors.emplace_back(sdf::ErrorCode::FILE_READ, "unable to read");
    return errors;
  }
  const sdf::Errors more = root.Load(parsed, config);
  errors.insert(errors.end(), more.begin(), more.end());
  return errors;
}

}  // namespace

SdfFacts FactsOfFile(const std::string& path, const FindUri& find) {
  sdf::ParserConfig config = sdf::ParserConfig::GlobalConfig();
  config.SetFindCallback(find);
  return Judge([&](sdf::Root& root) {
    return Load(root, config, [&](const sdf::SDFPtr& parsed, sdf::Errors& errors) {
      return sdf::readFile(path, config, parsed, errors);
    });
  });
}

SdfFacts FactsOfText(const std::string& text) {
  const sdf::ParserConfig config = sdf::ParserConfig::GlobalConfig();
  return Judge([&](sdf::Root& root) {
    return Load(root, config, [&](const sdf::SDFPtr& parsed, sdf::Errors& errors) {
      return sdf::readString(text, config, parsed, errors);
    });
  });
}
#else
bool HaveLibsdformat() { return false; }
SdfFacts FactsOfFile(const std::string&, const FindUri&) { return {}; }
SdfFacts FactsOfText(const std::string&) { return {}; }
#endif

SdfFacts FactsOfModel(const Model& model) {
  SdfFacts facts;
  facts.ok = true;
  // The only model of a world has its name in front there.
  std::string prefix;
  if (!model.scopes.empty() && model.scopes[0].is_world) {
    std::size_t tops = 0;
    for (const Scope& scope : model.scopes) tops += scope.parent == ScopeId{0} ? 1 : 0;
    if (tops == 1 && model.name == model.scopes[1].name && model.num_links() > 1) {
      const std::string wanted = model.scopes[1].name + "::";
      if (model.link(LinkId{1}).name.compare(0, wanted.size(), wanted) != 0) prefix = wanted;
    }
  }
  std::vector<RigidTransform> X(model.num_links());
  std::vector<char> known(model.num_links(), 0);
  std::vector<std::vector<JointId>> incident(model.num_links());
  for (const JointId id : Joints(model)) {
    incident[Index(model.predecessor(id))].push_back(id);
    incident[Index(model.successor(id))].push_back(id);
  }
  std::vector<LinkId> queue{kWorld};
  known[0] = 1;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const JointId id : incident[Index(queue[i])]) {
      const bool forward = model.predecessor(id) == queue[i];
      const LinkId next = forward ? model.successor(id) : model.predecessor(id);
      if (known[Index(next)]) continue;
      known[Index(next)] = 1;
      const RigidTransform X_PS = model.joint(id).X_PF * model.joint(id).X_SM.inverse();
      X[Index(next)] = X[Index(queue[i])] * (forward ? X_PS : X_PS.inverse());
      queue.push_back(next);
    }
  }
  const auto name = [&](LinkId id) {
    return id == kWorld ? std::string("world") : prefix + model.link(id).name;
  };
  for (const LinkId id : Links(model)) {
    const Link& link = model.link(id);
    LinkFacts& out = facts.links[name(id)];
    out.X_W = X[Index(id)];
    if (link.inertial) out.inertia = link.inertial->InLink().InFrame(X[Index(id)]);
    out.visuals = link.visuals.size();
    out.collisions = link.collisions.size();
  }
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.implicit) continue;
    JointFacts& out = facts.joints[prefix + joint.name];
    out.type = joint.native_type;
    out.parent = name(model.predecessor(id));
    out.child = name(model.successor(id));
    const RigidTransform X_WM = X[Index(model.successor(id))] * joint.X_SM;
    out.anchor = X_WM.p;
    const std::vector<Vector3> axes = AxesOf(joint.kind);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      out.axes.push_back({X_WM.R * axes[k], joint.axes[k]});
      Normalise(out.axes.back().properties);
    }
  }
  for (const Frame& frame : model.frames)
    facts.frames[prefix + frame.name] = X[Index(frame.link)] * frame.X_LF;
  for (const Coupling& coupling : model.couplings)
    facts.gearboxes += coupling.form == CouplingForm::kGearbox ? 1 : 0;
  for (const Scope& scope : model.scopes) {
    for (const NativeData& data : scope.native)
      facts.gearboxes += data.element == "joint" ? 1 : 0;  // gearboxes kept as text
  }
  return facts;
}

std::string Differences(const SdfFacts& ours, const SdfFacts& theirs, double tolerance) {
  std::string text;
  int count = 0;
  const auto say = [&](const std::string& what) {
    if (++count <= 4) text += (text.empty() ? "" : "; ") + what;
  };
  const auto matrix = [&](const std::string& what, const Eigen::MatrixXd& a,
                          const Eigen::MatrixXd& b) {
    if (!((a - b).cwiseAbs().maxCoeff() <=
          tolerance * std::max({1.0, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()})))
      say(what);
  };
  const auto number = [&](const std::string& what, const std::optional<double>& a,
                          const std::optional<double>& b) {
    if (a.has_value() != b.has_value() ||
        (a && std::abs(*a - *b) > tolerance * std::max(1.0, std::abs(*b))))
      say(what);
  };
  const auto names = [&](const std::string& what, const auto& a, const auto& b) {
    for (const auto& [name, item] : a)
      if (!b.count(name)) say(what + " '" + name + "' is only ours");
    // libsdformat's own helpers of merged and flattened models are no frames of the file.
    for (const auto& [name, item] : b)
      if (!a.count(name) && name.find("__model__") == std::string::npos)
        say(what + " '" + name + "' is only theirs");
  };
  names("link", ours.links, theirs.links);
  names("joint", ours.joints, theirs.joints);
  std::map<std::string, RigidTransform> our_frames = ours.frames;
  std::erase_if(our_frames,
                [](const auto& item) { return item.first.find("__model__") != std::string::npos; });
  names("frame", our_frames, theirs.frames);
  for (const auto& [name, a] : ours.links) {
    const auto found = theirs.links.find(name);
    if (found == theirs.links.end()) continue;
    const LinkFacts& b = found->second;
    matrix("position of " + name, a.X_W.p, b.X_W.p);
    matrix("orientation of " + name, a.X_W.R, b.X_W.R);
    number("mass of " + name, a.inertia.mass, b.inertia.mass);
    matrix("centre of mass of " + name, a.inertia.p_BoBcm, b.inertia.p_BoBcm);
    matrix("inertia of " + name, a.inertia.I_BBcm, b.inertia.I_BBcm);
    if (a.visuals != b.visuals) say("visuals of " + name);
    if (a.collisions != b.collisions) say("collisions of " + name);
  }
  for (const auto& [name, a] : ours.joints) {
    const auto found = theirs.joints.find(name);
    if (found == theirs.joints.end()) continue;
    const JointFacts& b = found->second;
    if (a.type != b.type && !(a.type == "revolute" && b.type == "continuous"))
      say("type of " + name + ": " + a.type + ", theirs " + b.type);
    if (a.parent != b.parent && (theirs.links.count(b.parent) || b.parent == "world"))
      say("parent of " + name);
    if (a.child != b.child && theirs.links.count(b.child)) say("child of " + name);
    matrix("anchor of " + name, a.anchor, b.anchor);
    // libsdformat gives no axis where none is written, and an axis2 wherever one is.
    for (std::size_t k = 0; k < std::min(a.axes.size(), b.axes.size()); ++k) {
      matrix("axis of " + name, a.axes[k].axis, b.axes[k].axis);
      const JointAxis &x = a.axes[k].properties, &y = b.axes[k].properties;
      number("lower limit of " + name, x.lower, y.lower);
      number("upper limit of " + name, x.upper, y.upper);
      number("effort of " + name, x.effort, y.effort);
      number("velocity of " + name, x.velocity, y.velocity);
      number("damping of " + name, x.damping.value_or(0), y.damping.value_or(0));
      number("friction of " + name, x.friction.value_or(0), y.friction.value_or(0));
      number("spring stiffness of " + name, x.spring_stiffness.value_or(0),
             y.spring_stiffness.value_or(0));
      number("spring reference of " + name, x.spring_reference.value_or(0),
             y.spring_reference.value_or(0));
    }
  }
  for (const auto& [name, a] : our_frames) {
    const auto found = theirs.frames.find(name);
    if (found == theirs.frames.end()) continue;
    matrix("position of frame " + name, a.p, found->second.p);
    matrix("orientation of frame " + name, a.R, found->second.R);
  }
  if (ours.gearboxes != theirs.gearboxes) say("number of gearboxes");
  return text;
}

}  // namespace kinemorph::test
