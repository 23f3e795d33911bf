// Which links of a model can touch: by self-collision, joints, masks and exclusions, as its format
// has it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// The world, or a root link of that name, which stands for it (a custom of URDF).
[[nodiscard]] bool IsWorld(const Model& model, LinkId id);

/// By scope: the outermost model that holds it, by index. The world is none, and holds itself.
[[nodiscard]] std::vector<std::uint32_t> OutermostModels(const Model& model);

/// Two links, the smaller id first.
using LinkPair = std::pair<LinkId, LinkId>;

/// A link of one model, and one of another that has its shapes.
using LinkMatch = std::pair<LinkId, LinkId>;

/// Whether shapes of these masks touch, as far as masks say: any bit of the type of either is in
/// the affinity of the other, as in MuJoCo and ODE.
[[nodiscard]] inline bool Meet(const ContactMask& a, const ContactMask& b) {
  return (a.type & b.affinity) != 0 || (b.type & a.affinity) != 0;
}

/// What differs between two models, in links of the first.
struct ContactDifferences {
  std::vector<LinkPair> only_a,  ///< collide in the first only
      only_b;                    ///< collide in the second only
  bool all = true;               ///< false: there are more than were asked for
};

/// The pairs of links that collide: both have shapes, they can move against each other (links that
/// fixed joints hold together cannot, nor can two that stand on the world), and the rule, the
/// masks, the exclusions and the pairs of the model say so. One rule for classes of links and a
/// list of exceptions: the cost is linear in links and joints, and a pair costs nothing before it
/// is asked for.
class Contacts {
 public:
  /// By the rule of the model's format.
  explicit Contacts(const Model& model) : Contacts(model, model.contact_rule) {}
  /// Whether a shape counts, by its link and its place among the link's collisions.
  using Counts = std::function<bool(LinkId, std::size_t)>;
  /// As if this were the rule of its format. `welds_hold`: fixed loop joints hold links together as
  /// any other fixed joint does; MuJoCo lets what its welds hold collide. `counts`: none, all do.
  Contacts(const Model& model, ContactRule rule, bool welds_hold = true, const Counts& counts = {});

  /// Whether two links of the model collide.
  [[nodiscard]] bool Collide(LinkId a, LinkId b) const;
  /// The pairs that collide, sorted; no more than `most`.
  [[nodiscard]] std::vector<LinkPair> Pairs(
      std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  /// What differs from `b`, over the links that have shapes in both. One of either model may be
  /// several of the other: links that were merged, shapes of the world that stand on a link of
  /// their own. Stops after `most` pairs.
  [[nodiscard]] ContactDifferences Compare(const Contacts& b, const std::set<LinkMatch>& matches,
                                           std::size_t most) const;
  /// The same; `b_of_a` has the counterpart of each link, or kNoLink.
  [[nodiscard]] ContactDifferences Compare(const Contacts& b, const std::vector<LinkId>& b_of_a,
                                           std::size_t most) const;
  /// The same for a model of the same links.
  [[nodiscard]] ContactDifferences Compare(
      const Contacts& b, std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  /// What is written of a shape, or else what its format has for it.
  [[nodiscard]] ContactMask MaskOf(const Collision& shape) const {
    return has_masks_ ? shape.contact_mask.value_or(unwritten_) : unwritten_;
  }
  /// Links that cannot move against each other have the same number; those that stand on the world
  /// that of the world.
  [[nodiscard]] std::uint32_t GroupOf(LinkId link) const { return group_[Index(link)]; }
  /// The link has shapes that collide with anything.
  [[nodiscard]] bool HasShapes(LinkId link) const { return class_[Index(link)] != kNoClass; }

  /// Links with shapes: number of the outermost model that one is part of; the world has the
  /// largest number.
  [[nodiscard]] std::uint32_t ModelOf(LinkId link) const { return ClassOf(link).model; }
  /// Links with shapes: it collides with links of its own model.
  [[nodiscard]] bool CollidesWithItsModel(LinkId link) const { return ClassOf(link).self; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kNoClass = kNone;
  struct Class {
    std::uint32_t model;  // the outermost one that the link is part of; kNone: the world
    bool self;            // collides with links of its own model
    std::uint32_t masks;  // those of its shapes, in masks_
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 stumbles over what is generated
    friend auto operator<=>(const Class&, const Class&) = default;
  };
  void Classify(const Model& model, const Counts& counts);
  void FindParents(const Model& model);
  [[nodiscard]] bool MasksMeet(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool ClassesCollide(const Class& a, const Class& b) const;
  // Links of one number do not touch each other; kNone: nothing keeps them apart.
  [[nodiscard]] static std::uint32_t Quiet(const Class& c) { return c.self ? kNone : c.model; }
  [[nodiscard]] const Class& ClassOf(LinkId link) const { return classes_[class_[Index(link)]]; }
  template <class Visit>
  void VisitExceptions(Visit&& visit) const;

  ContactRule rule_;
  ContactMask unwritten_;
  bool has_masks_;
  std::vector<Class> classes_;
  std::vector<std::vector<ContactMask>> masks_;
  std::vector<std::uint32_t> class_, group_;  // by link
  std::vector<std::uint32_t> body_;    // by link: what fixed joints of the tree hold together
  std::vector<std::uint32_t> parent_;  // by body: the one it hangs on, where that counts
  std::vector<std::vector<LinkId>> members_;  // by body, those with shapes
  std::set<LinkPair> never_, always_;
};

/// The pairs of links of a model that collide, sorted; no more than `most`.
[[nodiscard]] inline std::vector<LinkPair> CollidingPairs(
    const Model& model, std::size_t most = std::numeric_limits<std::size_t>::max()) {
  return Contacts(model).Pairs(most);
}

}  // namespace kinemorph
