// What collides with what: the articulation with itself or not, and filtered pairs of bodies and of
// shapes.
#include <algorithm>

#include "read/builder.h"

namespace kinemorph::usd {
namespace {

constexpr std::size_t kMostPairs = 100'000;
constexpr std::size_t kBits = 16;  // what a shape without a mask collides with

}  // namespace

// USD lets all bodies collide but those that a joint ties. A switch of the articulation turns off
// the collisions within the robot, filtered pairs turn off single ones.
void Builder::ReadContacts() {
  model_.contact_rule = ContactRule::kUnlessJoined;
  std::optional<bool> self;
  for (PrimId i = 0; i < stage_.num_prims(); ++i) {
    if (!stage_.Stands(i)) continue;
    for (const char* name :
         {"newton:selfCollisionEnabled", "physxArticulation:enabledSelfCollisions"})
      // One articulation that collides with itself is enough: the model has one switch.
      if (const auto said = stage_.Boolean(i, name)) self = self.value_or(false) || *said;
  }
  model_.scopes[0].self_collide = self.value_or(true);
  ReadFilters();
  MaskShapes();
  // No joint keeps a body from what stands on the world.
  if (model_.link(kWorld).collisions.empty()) return;
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    const std::pair<LinkId, LinkId> pair =
        std::minmax(model_.predecessor(id), model_.successor(id));
    if (pair.first == kWorld && !std::holds_alternative<Free>(joint.kind) &&
        !std::holds_alternative<Fixed>(joint.kind) &&
        !model_.link(pair.second).collisions.empty() && !excluded_.contains(pair))
      model_.contact_pairs.push_back({kWorld, pair.second, joint.where});
  }
}

void Builder::ReadFilters() {
  for (PrimId i = 0; i < stage_.num_prims(); ++i) {
    if (!stage_.Stands(i)) continue;
    const std::uint32_t line = stage_.LineOf(i, "physics:filteredPairs");
    for (const std::string& path : stage_.Targets(i, "physics:filteredPairs")) {
      const PrimId other = layer_.FindPath(path, i);
      if (other == kNoPrim)
        Say(Severity::kWarning, "usd-target", line,
            {stage_.Named(i),
             "'physics:filteredPairs' names '" + path +
                 "', which is not a prim of this file; kinemorph ignores the entry"});
      else
        FilterPair(i, other, line);
    }
  }
}

// A body, or what stands on the world: all its shapes. Else one shape.
// A prim that is no body and no shape stands for all that is fixed to the world.
void Builder::FilterPair(PrimId a, PrimId b, std::uint32_t line) {
  const auto whole = [&](PrimId i) {
    return stage_.IsBody(i) || (!collision_of_.contains(i) && stage_.BodyOf(i) == kNoPrim);
  };
  const LinkId x = LinkOf(a), y = LinkOf(b);
  if (whole(a) && whole(b)) {
    if (x != y && excluded_.insert(std::minmax(x, y)).second)
      model_.contact_exclusions.push_back({x, y, Where(a, line)});
    return;
  }
  for (const ShapeRef& one : ShapesOf(a))
    for (const ShapeRef& other : ShapesOf(b))
      if (one.first != other.first && shape_pairs_.size() < kMostPairs)
        shape_pairs_.emplace_back(one, other);
}

std::vector<ShapeRef> Builder::ShapesOf(PrimId prim) const {
  std::vector<ShapeRef> shapes;
  if (const auto found = collision_of_.find(prim); found != collision_of_.end())
    return {found->second};
  const LinkId link = LinkOf(prim);
  for (std::size_t i = 0; i < model_.link(link).collisions.size(); ++i)
    shapes.emplace_back(link, i);
  return shapes;
}

// Pairs of shapes as masks: what is filtered alike is one bit, which no other of its kind answers
// to. Two links none of whose shapes meet are excluded as a whole.
// The model has masks of bits for shapes: bits say what a shape is, affinities what it meets.
void Builder::MaskShapes() {
  std::map<ShapeRef, std::set<ShapeRef>> filters;
  for (const auto& [a, b] : shape_pairs_) filters[a].insert(b), filters[b].insert(a);
  std::map<std::pair<LinkId, LinkId>, std::size_t> pairs;
  for (const auto& [shape, others] : filters)
    for (const ShapeRef& other : others)
      if (shape < other) ++pairs[std::minmax(shape.first, other.first)];
  // All pairs of two links: one exclusion says it, and needs no bits.
  for (const auto& [links, count] : pairs) {
    const std::size_t all =
        model_.link(links.first).collisions.size() * model_.link(links.second).collisions.size();
    if (count != all) continue;
    if (excluded_.insert(links).second)
      model_.contact_exclusions.push_back(
          {links.first, links.second, model_.link(links.second).where});
    for (auto& [shape, others] : filters)
      std::erase_if(others, [&, of = shape.first, both = links](const ShapeRef& other) {
        return std::pair<LinkId, LinkId>(std::minmax(of, other.first)) == both;
      });
  }
  std::map<std::set<ShapeRef>, std::uint32_t> bit_of;
  for (const auto& [shape, others] : filters)
    if (!others.empty()) bit_of.emplace(others, static_cast<std::uint32_t>(bit_of.size()));
  if (bit_of.size() > kBits) {
    const LinkId link = filters.begin()->first.first;
    Say(Severity::kWarning, "usd-filters", model_.link(link).where,
        {"link", model_.link(link).name,
         "pairs of shapes are filtered in more ways than masks can say; they collide"});
    return;
  }
  for (const auto& [shape, others] : filters) {
    if (others.empty()) continue;
    // Each shape is the bit of its own filter, and loses the bits of those that it must not meet.
    ContactMask mask{1U << bit_of.at(others), 0xffff};
    for (const ShapeRef& other : others) mask.affinity &= ~(1U << bit_of.at(filters.at(other)));
    model_.link(shape.first).collisions[shape.second].contact_mask = mask;
  }
}

}  // namespace kinemorph::usd
