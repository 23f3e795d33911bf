#include "plan/accounting.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/checks/contacts.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

// Elements are found again by their origin, never by name, and each has a fate: it is in the model
// (as which kinds), what is still said of it, and what losses and lowerings told. Whatever was
// listed at the start and has no fate is an error of a pass. Mass has no owner: it is compared as a
// sum.
constexpr Feature kMass =
    Feature::kMasslessLink;  // that a link has a mass: the feature it is without
constexpr Feature kTensor = Feature::kRotatedInertia;  // that a link has moments of inertia

bool Weighs(const Link& link) { return link.inertial && link.inertial->mass > 0; }
bool Turns(const Link& link) { return link.inertial && !link.inertial->I_I.isZero(0); }

// Mass that has an effect, whichever link it stands on (kg).
double TotalMass(const Model& model) {
  double sum = 0;
  for (const LinkId id : Links(model))
    if (Weighs(model.link(id)) && !IsWorld(model, id)) sum += model.link(id).inertial->mass;
  return sum;
}

// What is said of an element, by its kind.
class Sayings {
 public:
  explicit Sayings(const Model& model)
      : any_self_collide_(
            std::any_of(model.scopes.begin(), model.scopes.end(),
                        [](const Scope& scope) { return scope.self_collide.has_value(); })) {}

  FeatureSet operator()(const Model& model) const {
    return FeaturesSaid(model) | Of({{Feature::kSelfCollision, any_self_collide_}});
  }
  FeatureSet operator()(const Link& link) const {
    return FeaturesSaid(link) |
           Of({{kMass, Weighs(link)},
               {kTensor, Turns(link)},
               {Feature::kUnknownMass, link.inertial && !link.inertial->unknown.empty()},
               {Feature::kLinkGravity, Weighs(link) && link.gravity == false}});
  }
  FeatureSet operator()(const Inertial&) const { return {}; }  // of the link
  // Of the visual. An ambient colour alone is its colour.
  FeatureSet operator()(const Material& m) const {
    FeatureSet said = FeaturesSaid(m);
    const bool repeated = !m.ambient || !m.diffuse || m.ambient == m.diffuse;
    if (repeated && !m.specular && !m.emissive) said.reset(Position(Feature::kMaterialLighting));
    return said;
  }
  // That a limit is on one side only, or an effort not symmetric, is part of it.
  template <class Other>
  FeatureSet operator()(const Other& other) const {
    if constexpr (HasFields<Other>) return FeaturesSaid(other);
    return {};
  }

 private:
  static FeatureSet Of(std::initializer_list<std::pair<Feature, bool>> list) {
    FeatureSet said;
    for (const auto& [feature, holds] : list) said[Position(feature)] = holds;
    return said;
  }

  bool any_self_collide_;
};

// The world, links that no file names and joints that hold nothing need not be found again.
bool Counts(const Model& model, const Link& link) {
  return &link != &model.link(kWorld) && !link.synthetic;
}
bool Counts(const Model&, const Joint& joint) { return !joint.implicit || !joint.native.empty(); }
template <class Item>
bool Counts(const Model&, const Item&) {
  return requires(const Item& item) { item.where; }
  &&!std::same_as<Item, Scope> && !std::same_as<Item, Inertial> && !std::same_as<Item, Material>;
}

// Calls element(kind, name, where) for every element that counts, said(origin, features) and
// native(data, where, origin of its owner).
template <class OnElement, class OnSaid, class OnNative>
void EachEntry(const Model& model, const OnElement& element, const OnSaid& said,
               const OnNative& native) {
  const Sayings said_of(model);
  std::uint32_t owner = 0;
  ForEachElement(model, [&]<class Item>(const Item& item, const Element& at) {
    constexpr bool kWhole = std::same_as<Item, Model>;
    constexpr bool kOfAnother = std::same_as<Item, Inertial> || std::same_as<Item, Material>;
    if constexpr (kWhole) {
      said(0, said_of(item));
    } else {
      const std::uint32_t origin = at.where.origin;
      const bool counts = Counts(model, item);
      // An inertial and a material have no name of their own: they count where the link or visual
      // does that was visited just before.
      if (!kOfAnother) owner = counts ? origin : 0;
      if (counts) element(at.kind, at.name, at.where);
      if (counts || (kOfAnother && owner != 0)) said(origin, said_of(item));
    }
    if constexpr (HasNativeList<const Item>) {
      for (const NativeData& data : item.native)
        if (data.element != kComputedInertia)  // another way to say mass and moments
          native(data, PlaceOfPart(data.where, at.where), owner);
    }
  });
}

// A loop joint that becomes a joint of the tree is the same element.
std::uint32_t Bit(SubjectKind kind) {
  const SubjectKind plain = kind == SubjectKind::kLoopJoint ? SubjectKind::kJoint : kind;
  return std::uint32_t{1} << static_cast<std::uint32_t>(plain);
}

// What became of the element of an origin.
struct Fate {
  std::uint32_t kinds = 0;  // it is in the model as
  FeatureSet said, lost;
  bool lowered = false;

  // With the element, or with what a loss takes along.
  [[nodiscard]] bool Lost(Feature feature) const {
    return lost.any() && std::any_of(kFeatures.begin(), kFeatures.end(), [&](Feature other) {
             return lost[Position(other)] && Covers(other, feature);
           });
  }
};

// That a joint's damping is lost says nothing of the joint.
bool TakesElement(const FeatureSet& lost) {
  return lost.any() && std::any_of(kFeatures.begin(), kFeatures.end(), [&](Feature feature) {
           return lost[Position(feature)] &&
                  In(feature,
                     feature_group::kElements | feature_group::kShapes | feature_group::kStructure);
         });
}

bool IsModel(const Subject& subject) {
  return subject.kind == SubjectKind::kModel || subject.kind == SubjectKind::kWorldModel;
}

}  // namespace

Inventory::Inventory(const Model& model) : mass_(TotalMass(model)) {
  const auto at = [this](std::uint32_t origin) -> Listed& {
    if (origin >= listed_.size()) listed_.resize(origin + 1);
    return listed_[origin];
  };
  listed_.emplace_back();
  EachEntry(
      model,
      [&](SubjectKind kind, std::string_view name, SourceLocation where) {
        Listed& item = at(where.origin);
        item.there = true, item.kind = kind, item.name = name, item.where = where;
      },
      [&](std::uint32_t origin, const FeatureSet& said) { at(origin).said |= said; },
      [&](const NativeData& data, SourceLocation where, std::uint32_t owner) {
        at(where.origin) = {true, SubjectKind::kNative, data.element, where, owner, {}};
      });
}

std::vector<Inventory::Item> Inventory::Unaccounted(const Model& now,
                                                    const LossReport& report) const {
  std::vector<Fate> fates(listed_.size());
  Fate nobody;
  const auto fate = [&](std::uint32_t origin) -> Fate& {
    return origin < fates.size() ? fates[origin] : nobody;
  };
  EachEntry(
      now,
      [&](SubjectKind kind, std::string_view, SourceLocation where) {
        fate(where.origin).kinds |= Bit(kind);
      },
      [&](std::uint32_t origin, const FeatureSet& said) { fate(origin).said |= said; },
      [&](const NativeData&, SourceLocation where, std::uint32_t) {
        fate(where.origin).kinds |= Bit(SubjectKind::kNative);
      });

  // The report: losses by feature; a loss of the whole model stands at origin 0.
  Fate& whole = fates.front();
  for (const Loss& loss : report.losses) {
    const std::uint32_t origin = loss.subject.where.origin;
    if (origin > 0) fate(origin).lost.set(Position(loss.feature));
    if (IsModel(loss.subject)) whole.lost.set(Position(loss.feature));
  }
  // The last first: what stands for an element may have become something else itself.
  for (auto lowering = report.lowerings.rbegin(); lowering != report.lowerings.rend(); ++lowering) {
    const std::uint32_t origin = lowering->subject.where.origin;
    if (origin == 0 && !IsModel(lowering->subject)) continue;
    fate(origin).lowered = true;
    for (const Subject& into : lowering->into) {
      if (into.where.origin == 0) continue;
      fate(origin).said |= fate(into.where.origin).said;
      fate(origin).lost |= fate(into.where.origin).lost;
    }
  }

  // An item is accounted for if it stands in the model, was lost as an element, was lowered to
  // others, or went with its owner. Then whatever was said of it must be said still, or be lost by
  // name.
  std::vector<Item> missing;
  for (std::size_t origin = 0; origin < listed_.size(); ++origin) {
    const Listed& item = listed_[origin];
    const Fate& became = fates[origin];
    const bool gone = item.there && (became.kinds & Bit(item.kind)) == 0;
    const bool lost = gone && TakesElement(became.lost);
    const Fate& owner = fates[item.owner];
    const bool with_owner = item.owner > 0 && TakesElement(owner.lost) &&
                            (owner.kinds & Bit(listed_[item.owner].kind)) == 0;
    if (gone && !lost && !became.lowered && !with_owner)
      missing.push_back({item.kind, Feature::kCount, item.name, item.where});
    const FeatureSet unsaid = item.said & ~became.said;
    if (lost || unsaid.none()) continue;
    for (const Feature feature : kFeatures) {
      if (!unsaid[Position(feature)] || became.Lost(feature)) continue;
      // Mass and moments go to another link, with its gravity; transparency into the colour. What
      // models and links say of self-collision is said otherwise.
      const bool carried =
          In(feature, feature_group::kCarried) || feature == Feature::kSelfCollision;
      if (carried && became.lowered) continue;
      // Who starts where the zero was moved to says nothing of it.
      const bool moved =
          became.said[Position(Feature::kPositionOffset)] || became.Lost(Feature::kPositionOffset);
      if (feature == Feature::kInitialPosition && became.lowered && moved) continue;
      // What is nearest to a tensor of negative moments is none.
      if (feature == kTensor && became.Lost(Feature::kUnphysicalInertia)) continue;
      missing.push_back({item.kind, feature, item.name, item.where});
    }
  }

  // Mass in kg: what was there and what passes added (--massless), to 1e-9 of the total.
  double added = 0;
  for (const AddedInertia& inertia : report.added) added += inertia.mass;
  if (std::abs(TotalMass(now) - added - mass_) > 1e-9 * std::max(mass_, TotalMass(now)))
    missing.push_back({SubjectKind::kModel, kMass, now.name, {}});
  return missing;
}

std::string Text(const Inventory::Item& item) {
  const std::string element = Text(Subject{item.kind, item.name, {}, {}, item.where});
  if (item.feature == kMass) return "mass of " + element;
  if (item.feature == kTensor) return "moments of inertia of " + element;
  return item.feature == Feature::kCount
             ? element
             : std::string(FeatureTitle(item.feature)) + " of " + element;
}

}  // namespace kinemorph
