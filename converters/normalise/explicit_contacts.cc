// What collides with what, said one way for all formats before the passes change the tree.
#include <algorithm>
#include <map>

#include "kinemorph/graph/checks/contacts.h"
#include "normalise/passes.h"

namespace kinemorph {
namespace {

// MuJoCo lets two shapes touch where one's type meets the other's affinity in a bit; SDFormat and
// URDF say by model whether links of it touch one another. The sources' rule is brought into masks
// here, and pairs that masks cannot say become exclusions. Bit 0 is the world and whatever is no
// robot; 30 more are for robots.
constexpr std::uint32_t kWorldBit = 1;
constexpr std::size_t kModelBits = 30;

void MaskAll(Link& link, ContactMask mask) {
  for (Collision& collision : link.collisions) collision.contact_mask = mask;
}

// Links of one model by whether they collide with it.
struct Robot {
  std::vector<LinkId> plain, self;
};

// Robots of which not all links collide with all others, in order.
std::vector<Robot> RobotsInNeed(const Model& model, const Contacts& wanted) {
  std::map<std::uint32_t, Robot> robots;
  for (const LinkId id : Links(model)) {
    if (!wanted.HasShapes(id)) continue;
    Robot& robot = robots[wanted.ModelOf(id)];
    (wanted.CollidesWithItsModel(id) ? robot.self : robot.plain).push_back(id);
  }
  std::vector<Robot> need;
  for (auto& entry : robots) {
    Robot& robot = entry.second;
    // A robot whose links all move as one has nothing to touch by itself.
    const bool moves = std::any_of(robot.plain.begin(), robot.plain.end(), [&](LinkId id) {
      return wanted.GroupOf(id) != wanted.GroupOf(robot.plain.front());
    });
    if (moves) need.push_back(std::move(robot));
  }
  return need;
}

// A robot that does not collide with itself takes part in what others are, and is nothing itself;
// several need a bit each. What has no bit left is excluded pair by pair.
void SetBits(Model& model, const std::vector<Robot>& robots) {
  if (robots.size() == 1 && robots[0].self.empty()) {
    for (const LinkId id : robots[0].plain) MaskAll(model.link(id), {0, kWorldBit});
    return;
  }
  // All bits up to the last robot's, the world's too. A robot without self-collision leaves its own
  // bit out of what it reacts to.
  const std::size_t count = std::min(robots.size(), kModelBits);
  const auto all = static_cast<std::uint32_t>((std::uint64_t{2} << count) - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bit = 2U << i;
    for (const LinkId id : robots[i].plain) MaskAll(model.link(id), {bit, all & ~bit});
    for (const LinkId id : robots[i].self) MaskAll(model.link(id), {bit, all});
  }
}

bool HasMasks(const Model& model) {
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    for (const Collision& collision : model.link(LinkId{v}).collisions)
      if (collision.contact_mask) return true;
  return false;
}

}  // namespace

void ExplicitContacts(Model& model, PassContext& context) {
  // Drake has another rule than those whose formats it reads.
  const bool same_rule = model.contact_rule == context.traits.contact_rule,
             own = model.format == context.traits.native_format &&
                   (same_rule || model.contact_rule != ContactRule::kUnlessTreeJoined);
  // Shapes of the world may move to a link of the robot, whose own links then touch them otherwise.
  if (own || (same_rule && model.link(kWorld).collisions.empty()) ||
      context.Lost(Feature::kCollision))
    return;
  const Contacts wanted(model);
  if (model.contact_rule == ContactRule::kUnlessJoined) {
    context.masks_are_authored = HasMasks(model);
    if (!context.masks_are_authored) {
      SetBits(model, RobotsInNeed(model, wanted));
    } else {
      // Masks of the author stay as they are; shapes without one get SDFormat's default, all 16
      // bits.
      for (std::uint32_t v = 0; v < model.num_links(); ++v)
        for (Collision& collision : model.link(LinkId{v}).collisions)
          if (!collision.contact_mask) collision.contact_mask = ContactMask{0xffff, 0xffff};
    }
  }
  model.contact_rule = ContactRule::kAll;

  // What touches by the new rule and did not by the old one is excluded pair by pair, which is
  // always right.
  for (const auto& [a, b] : wanted.Compare(Contacts(model)).only_b)
    model.contact_exclusions.push_back({a, b, {}});
}

}  // namespace kinemorph
