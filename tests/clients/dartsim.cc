// dartsim ENGINE.so FILE.sdf SECONDS LOOK STEP: what gz sim's default engine makes of a model: loads
// it with libsdformat, welds what its DetachableJoint plugins weld, as gz sim does in its first
// step and gz-physics since 5.2 (Debian 12's 5.1 welds no link that has a parent), moves it, and
// prints one JSON object: coordinates of each joint, mass and centre of mass of each link at the
// start and at LOOK seconds (m, world), the widest weld (m), and what was refused.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/constraint/WeldJointConstraint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <fstream>
#include <ignition/physics/FindFeatures.hh>
#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/FrameSemantics.hh>
#include <ignition/physics/GetEntities.hh>
#include <ignition/physics/Joint.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/sdf/ConstructModel.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <ignition/plugin/Loader.hh>
#include <iterator>
#include <map>
#include <sdf/sdf.hh>
#include <string>
#include <vector>

namespace physics = ignition::physics;
namespace dynamics = dart::dynamics;

// The engine's own way to DART's world, of which Debian has no header.
namespace ignition::physics::dartsim {
struct RetrieveWorld : virtual Feature {
  template <typename Policy, typename Features>
  struct World : virtual Feature::World<Policy, Features> {
    dart::simulation::WorldPtr GetDartsimWorld() {
      return this->template Interface<RetrieveWorld>()->GetDartsimWorld(this->identity);
    }
  };
  template <typename Policy>
  struct Implementation : virtual Feature::Implementation<Policy> {
    virtual dart::simulation::WorldPtr GetDartsimWorld(const Identity& world) = 0;
  };
};
}  // namespace ignition::physics::dartsim

using Features =
    physics::FeatureList<physics::ForwardStep, physics::GetEntities, physics::LinkFrameSemantics,
                         physics::sdf::ConstructSdfWorld, physics::GetBasicJointProperties,
                         physics::dartsim::RetrieveWorld>;
using World = physics::World3dPtr<Features>;
using Link = physics::Link3dPtr<Features>;

namespace {

// A world around the model, without ground.
std::string InWorld(const std::string& text) {
  if (text.find("<world") != std::string::npos) return text;
  const std::size_t head = text.find("<sdf"), model = text.find("<model");
  const std::size_t end = text.rfind("</model>") + 8;
  return text.substr(head, text.find('>', head) + 1 - head) +
         "<world name=\"w\"><gravity>0 0 -9.81</gravity>" + text.substr(model, end - model) +
         "</world></sdf>";
}

struct Weld {
  Link parent, child;
  Eigen::Vector3d p_in_parent;  // of the child's origin, when it was welded
};

Eigen::Vector3d PlaceIn(const Link& parent, const Link& child) {
  return (parent->FrameDataRelativeToWorld().pose.inverse() *
          child->FrameDataRelativeToWorld().pose)
      .translation();
}

// As AttachFixedJoint of gz-physics 5.2: half of the child follows the parent, and a constraint
// keeps it with the other half.
void Split(dart::simulation::World& world, dynamics::BodyNode* parent, dynamics::BodyNode* child,
           const Eigen::Isometry3d& X_PC) {
  const dynamics::Inertia& whole = child->getInertia();
  const dynamics::Inertia half(whole.getMass() / 2, whole.getLocalCOM(), whole.getMoment() / 2);
  dynamics::WeldJoint::Properties properties;
  properties.mName = "weld_" + child->getName();
  properties.mT_ParentBodyToJoint = X_PC;
  dynamics::BodyNode::Properties mirror_properties;
  mirror_properties.mName = child->getName() + "_mirror";
  dynamics::BodyNode* const mirror =
      parent->createChildJointAndBodyNodePair<dynamics::WeldJoint>(properties, mirror_properties)
          .second;
  child->setInertia(half);
  mirror->setInertia(half);
  const auto weld = std::make_shared<dart::constraint::WeldJointConstraint>(child, mirror);
  weld->setRelativeTransform(Eigen::Isometry3d::Identity());
  world.getConstraintSolver()->addConstraint(weld);
}

// As gz sim's Physics system does it for a new DetachableJoint.
std::vector<Weld> MakeWelds(const sdf::Model& description, const World& world) {
  std::vector<Weld> welds;
  const auto model = world->GetModel(description.Name());
  const auto dart_world = world->GetDartsimWorld();
  const auto skeleton = dart_world->getSkeleton(description.Name());
  for (auto plugin = description.Element()->FindElement("plugin"); plugin;
       plugin = plugin->GetNextElement("plugin")) {
    if (plugin->Get<std::string>("filename").find("detachable-joint") == std::string::npos)
      continue;
    std::map<std::string, std::string> words;
    for (auto child = plugin->GetFirstElement(); child; child = child->GetNextElement())
      words[child->GetName()] = child->Get<std::string>();
    if (words["child_model"] != "__model__" && words["child_model"] != description.Name()) continue;
    const Link parent = model->GetLink(words["parent_link"]);
    const Link child = model->GetLink(words["child_link"]);
    if (!parent || !child) continue;
    const auto X_PC =
        parent->FrameDataRelativeToWorld().pose.inverse() * child->FrameDataRelativeToWorld().pose;
    Split(*dart_world, skeleton->getBodyNode(parent->GetName()),
          skeleton->getBodyNode(child->GetName()), X_PC);
    welds.push_back({parent, child, X_PC.translation()});
  }
  return welds;
}

void PrintVector(const char* key, const Eigen::Vector3d& p) {
  if (p.allFinite())
    std::printf(",\"%s\":[%.12g,%.12g,%.12g]", key, p.x(), p.y(), p.z());
  else
    std::printf(",\"%s\":null", key);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  ignition::plugin::Loader loader;
  const auto names = loader.LoadLib(argv[1]);
  if (names.empty()) return 3;
  const auto engine = physics::RequestEngine<physics::FeaturePolicy3d, Features>::From(
      loader.Instantiate(*names.begin()));
  if (!engine) return 4;
  std::ifstream in(argv[2]);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  sdf::Root root;
  for (const sdf::Error& error : root.LoadSdfString(InWorld(text)))
    std::fprintf(stderr, "%s\n", error.Message().c_str());
  if (root.WorldCount() == 0 || root.WorldByIndex(0)->ModelCount() == 0) return 5;
  const World world = engine->ConstructWorld(*root.WorldByIndex(0));
  const sdf::Model& description = *root.WorldByIndex(0)->ModelByIndex(0);
  const auto model = world->GetModel(description.Name());

  std::map<std::string, Eigen::Vector3d> start;
  const auto centre = [&](const Link& link) {
    const auto p = description.LinkByName(link->GetName())->Inertial().Pose().Pos();
    return Eigen::Vector3d(link->FrameDataRelativeToWorld().pose *
                           Eigen::Vector3d(p.X(), p.Y(), p.Z()));
  };
  for (std::size_t i = 0; i < model->GetLinkCount(); ++i)
    start[model->GetLink(i)->GetName()] = centre(model->GetLink(i));
  std::printf("{\"dofs\":{");
  for (std::size_t i = 0; i < model->GetJointCount(); ++i)
    std::printf("%s\"%s\":%zu", i ? "," : "", model->GetJoint(i)->GetName().c_str(),
                model->GetJoint(i)->GetDegreesOfFreedom());
  const std::vector<Weld> welds = MakeWelds(description, world);

  const double seconds = std::atof(argv[3]), look = std::atof(argv[4]), step = std::atof(argv[5]);
  physics::ForwardStep::Input input;
  physics::ForwardStep::State state;
  physics::ForwardStep::Output output;
  input.Get<std::chrono::steady_clock::duration>() =
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(step));
  double gap = 0;
  std::map<std::string, Eigen::Vector3d> end = start;
  for (long i = 1; i <= std::lround(seconds / step); ++i) {
    world->Step(output, state, input);
    if (i == std::lround(look / step))
      for (auto& [name, p] : end) p = centre(model->GetLink(name));
    for (const Weld& weld : welds)
      gap = std::max(gap, (PlaceIn(weld.parent, weld.child) - weld.p_in_parent).norm());
  }
  std::printf("},\"welds\":%zu,\"gap\":%.6g,\"finite\":%s,\"links\":{", welds.size(),
              std::isfinite(gap) ? gap : 1e9, std::isfinite(gap) ? "true" : "false");
  for (std::size_t i = 0; i < model->GetLinkCount(); ++i) {
    const Link link = model->GetLink(i);
    std::printf("%s\"%s\":{\"mass\":%.12g", i ? "," : "", link->GetName().c_str(),
                description.LinkByName(link->GetName())->Inertial().MassMatrix().Mass());
    PrintVector("start", start[link->GetName()]);
    PrintVector("end", end[link->GetName()]);
    std::printf("}");
  }
  std::puts("}}");
  return 0;
}
