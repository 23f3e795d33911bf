#include "plan/accounting.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "kinemorph/graph/model/elements.h"
#include "plan/key_counts.h"

namespace kinemorph {
namespace {

constexpr Feature kMass =
    Feature::kMasslessLink;  // that a link has a mass: the feature it is without
constexpr Feature kTensor = Feature::kRotatedInertia;  // that a link has moments of inertia

using Item = Inventory::Item;

// A loop joint that becomes a joint of the tree is the same element.
SubjectKind Plain(SubjectKind kind) {
  return kind == SubjectKind::kLoopJoint ? SubjectKind::kJoint : kind;
}

// That a limit is on one side only, or an effort not symmetric, is part of it.
FeatureSet SaidOf(const Joint& joint) {
  FeatureSet said = CoordinateFeatures(joint);
  said.reset(Position(Feature::kOneSidedLimit));
  said.reset(Position(Feature::kAsymmetricEffortLimit));
  said[Position(Feature::kIndependent)] = joint.independent.has_value();
  return said;
}

bool Weighs(const Link& link) { return link.inertial && link.inertial->mass > 0; }
bool Turns(const Link& link) { return link.inertial && !link.inertial->I_I.isZero(0); }

// Mass that has an effect, whichever link it stands on (kg); a root link called "world" is the
// world.
double TotalMass(const Model& model) {
  double sum = 0;
  for (const LinkId id : Links(model)) {
    const bool world =
        model.link(id).name == "world" && boost::in_degree(Index(id), model.graph()) == 0;
    if (Weighs(model.link(id)) && !world) sum += model.link(id).inertial->mass;
  }
  return sum;
}

// Enters the elements of a model in a book: Add(kind, name, where) gives a handle for
// Native(element, where, handle) and Said(feature, handle).
template <class Book>
class BookKeeper {
 public:
  BookKeeper(const Model& model, Book book) : model_(model), book_(static_cast<Book&&>(book)) {
    ForEachElement(model, [this]<class Of>(const Of& item, const Element& element) {
      Enter(item);
      if constexpr (HasNativeList<const Of>) {
        for (const NativeData& data : item.native)
          if (data.element != kComputedInertia)  // another way to say mass and moments
            book_.Native(data.element, data.where.line > 0 ? data.where : element.where, now_);
      }
    });
  }

 private:
  template <class Of>
  void Add(SubjectKind kind, const Of& item) {
    now_ = book_.Add(kind, item.name, item.where);
  }
  void SaidIf(bool said, Feature feature) {
    if (said) book_.Said(feature, now_);
  }

  void Enter(const Model& model) {
    whole_ = now_ = book_.Add(SubjectKind::kModel, {}, {});
    SaidIf(model.gravity.has_value(), Feature::kGravity);
    SaidIf(std::any_of(model.scopes.begin(), model.scopes.end(),
                       [](const Scope& scope) { return scope.self_collide.has_value(); }),
           Feature::kSelfCollision);
  }
  void Enter(const Scope&) { now_ = whole_; }
  void Enter(const Link& link) {
    now_ = whole_;
    // The world, and links that no file names, need not be found again.
    if (&link == &model_.link(kWorld) || link.synthetic) return;
    Add(SubjectKind::kLink, link);
    SaidIf(Weighs(link), kMass);
    SaidIf(Turns(link), kTensor);
    SaidIf(link.inertial && !link.inertial->unknown.empty(), Feature::kUnknownMass);
    SaidIf(link.self_collide.has_value(), Feature::kSelfCollision);
    SaidIf(Weighs(link) && link.gravity == false, Feature::kLinkGravity);
  }
  void Enter(const Inertial&) {}  // of the link
  void Enter(const Visual& visual) {
    Add(SubjectKind::kVisual, visual);
    SaidOfShape(visual.shape);
    SaidIf(visual.transparency.value_or(0) != 0, Feature::kTransparency);
  }
  void Enter(const Material& m) {  // of the visual
    SaidIf(m.diffuse.has_value(), Feature::kMaterialColor);
    SaidIf(m.texture.has_value(), Feature::kMaterialTexture);
    SaidIf((m.ambient && m.diffuse && m.ambient != m.diffuse) || m.specular || m.emissive,
           Feature::kMaterialLighting);
  }
  void Enter(const Collision& collision) {
    Add(SubjectKind::kCollision, collision);
    SaidOfShape(collision.shape);
    SaidIf(collision.mu || collision.mu2 || collision.torsional || collision.rolling,
           Feature::kSurfaceFriction);
    SaidIf(collision.contact_mask.has_value(), Feature::kSelfCollision);
  }
  void Enter(const Joint& joint) {
    if (joint.implicit && joint.native.empty()) return;
    Add(SubjectKind::kJoint, joint);
    const FeatureSet said = SaidOf(joint);
    for (const Feature feature : kFeatures) SaidIf(said[Position(feature)], feature);
  }
  void Enter(const Coupling& coupling) { Add(SubjectKind::kCoupling, coupling); }
  void Enter(const Frame& frame) { Add(SubjectKind::kFrame, frame); }
  void Enter(const Sensor& sensor) { Add(SubjectKind::kSensor, sensor); }
  void Enter(const Actuator& actuator) { Add(SubjectKind::kActuator, actuator); }
  void Enter(const ContactExclusion& pair) { Add(SubjectKind::kContactExclusion, pair); }
  void SaidOfShape(const Shape& shape) {
    const auto* mesh = std::get_if<Mesh>(&shape);
    if (mesh == nullptr) return;
    SaidIf(mesh->scale != Vector3::Ones(), Feature::kShapeMeshScale);
    SaidIf(mesh->submesh || mesh->center_submesh, Feature::kShapeSubmesh);
  }

  using Handle = decltype(std::declval<Book&>().Add(SubjectKind::kModel, {}, {}));
  const Model& model_;
  Book book_;
  Handle whole_{}, now_{};
};

// 64 bits of what an item is known by. Two different items meet in one key once in a million files
// of a million items.
using Key = KeyCounts::Key;
Key KeyOf(SubjectKind kind, Feature feature, std::string_view name, SourceLocation where) {
  Key key = std::hash<std::string_view>()(name);
  for (const Key part : {static_cast<Key>(Plain(kind)), static_cast<Key>(feature),
                         static_cast<Key>(where.file), static_cast<Key>(where.line)})
    key = (key ^ part) * 0x9E3779B97F4A7C15ULL + (key >> 29);
  return key;
}

struct Listing {
  std::vector<Item>& items;
  std::size_t Add(SubjectKind kind, std::string_view name, SourceLocation where) {
    items.push_back({kind, Feature::kCount, std::string(name), where, Inventory::kNobody});
    return items.size() - 1;
  }
  void Native(std::string_view element, SourceLocation where, std::size_t owner) {
    items.push_back({SubjectKind::kNative, Feature::kCount, std::string(element), where, owner});
  }
  void Said(Feature feature, std::size_t owner) {
    items.push_back({items[owner].kind, feature, items[owner].name, items[owner].where, owner});
  }
};

// What is in the model afterwards. The name alone tells a joint or link that a pass made of another
// one.
struct Present {
  KeyCounts counts;
  struct Handle {
    SubjectKind kind;
    std::string_view name;
    SourceLocation where;
  };
  Handle Add(SubjectKind kind, std::string_view name, SourceLocation where) {
    Count(kind, Feature::kCount, name, where);
    return {kind, name, where};
  }
  void Native(std::string_view element, SourceLocation where, const Handle&) {
    Count(SubjectKind::kNative, Feature::kCount, element, where);
  }
  void Said(Feature feature, const Handle& of) { Count(of.kind, feature, of.name, of.where); }
  void Count(SubjectKind kind, Feature feature, std::string_view name, SourceLocation where) {
    counts.Add(KeyOf(kind, feature, name, where));
    if (!name.empty()) counts.Add(KeyOf(kind, feature, {}, where));
    if (where.line > 0) counts.Add(KeyOf(kind, feature, name, {}));
  }
  bool Holds(SubjectKind kind, Feature feature, std::string_view name, SourceLocation where) const {
    return counts.Of(KeyOf(kind, feature, name, where)) > 0;
  }
};

// What the report tells of an element, by name and place, or by name where one of the two has no
// place.
class Told {
 public:
  explicit Told(const LossReport& report) {
    for (const Loss& loss : report.losses) {
      Tell(lost_, loss.subject, loss.feature);
      // The element is lost as often as a thing is said of it that takes all of it.
      for (const SourceLocation where : {loss.subject.where, SourceLocation{}}) {
        const auto key = [&](Feature feature) {
          return KeyOf(loss.subject.kind, feature, loss.subject.name, where);
        };
        std::size_t& whole = lost_[key(Feature::kCount)];
        if (In(loss.feature, feature_group::kElements))
          ++whole;
        else
          whole = std::max<std::size_t>(whole, 1);
        if (loss.subject.where.line == 0) break;
      }
      features_.set(Position(loss.feature));
    }
    for (const Lowering& lowering : report.lowerings)
      Tell(lowered_, lowering.subject, Feature::kCount);
    for (const NameChange& change : report.names)
      renamed_[KeyOf(change.kind, Feature::kCount, change.from, {})] = change.to;
    for (const Lowering& lowering : report.lowerings)
      for (const std::string& into : lowering.into)
        into_.emplace(KeyOf(lowering.subject.kind, Feature::kCount, lowering.subject.name, {}),
                      into);
  }
  /// `times`: so many alike are missing, and so many losses there must be.
  bool Lost(const Item& item, Feature feature, std::size_t times = 1) const {
    const auto found = lost_.find(KeyOf(item.kind, feature, item.name, item.where));
    return found != lost_.end() && found->second >= times;
  }
  bool Renamed(const Item& item) const {
    return renamed_.contains(KeyOf(item.kind, Feature::kCount, item.name, {}));
  }
  /// What is said of the element, by its own name or with what a loss takes along.
  bool LostSaid(const Item& element, Feature said) const {
    return std::any_of(kFeatures.begin(), kFeatures.end(), [&](Feature lost) {
      return features_[Position(lost)] && Covers(lost, said) && Lost(element, lost);
    });
  }
  bool Lowered(const Item& item) const { return Knows(lowered_, item, Feature::kCount); }

  /// The names that the element may have now.
  std::vector<std::string> NamesOf(const Item& item) const {
    std::vector<std::string> names{item.name};
    for (std::size_t i = 0; i < names.size() && names.size() < 64; ++i) {
      const Key key = KeyOf(item.kind, Feature::kCount, names[i], {});
      const auto found = renamed_.find(key);
      if (found != renamed_.end()) AddNew(found->second, names);
      for (auto [it, end] = into_.equal_range(key); it != end; ++it) AddNew(it->second, names);
    }
    return names;
  }

 private:
  static void AddNew(const std::string& name, std::vector<std::string>& names) {
    for (const std::string& known : names)
      if (known == name) return;
    names.push_back(name);
  }
  using Counts = std::unordered_map<Key, std::size_t>;
  static void Tell(Counts& counts, const Subject& subject, Feature feature) {
    ++counts[KeyOf(subject.kind, feature, subject.name, subject.where)];
    if (subject.where.line > 0) ++counts[KeyOf(subject.kind, feature, subject.name, {})];
  }
  static void Tell(std::unordered_set<Key>& set, const Subject& subject, Feature feature) {
    set.insert(KeyOf(subject.kind, feature, subject.name, subject.where));
    set.insert(KeyOf(subject.kind, feature, subject.name, {}));
  }
  static bool Knows(const std::unordered_set<Key>& set, const Item& item, Feature feature) {
    return set.contains(KeyOf(item.kind, feature, item.name, item.where));
  }

  Counts lost_;
  FeatureSet features_;  // of losses
  std::unordered_set<Key> lowered_;
  std::unordered_map<Key, std::string> renamed_;
  std::unordered_multimap<Key, std::string> into_;
};

// What models say of their self-collision is said otherwise, or lost.
bool TellsOfModel(const Model& now, const Told& word) {
  const auto as = [](const std::string& name) {
    return Item{SubjectKind::kModel, Feature::kCount, name, {}, Inventory::kNobody};
  };
  return word.Lowered(as(now.name)) ||
         std::any_of(now.scopes.begin(), now.scopes.end(), [&](const Scope& scope) {
           return word.Lost(as(scope.name), Feature::kSelfCollision);
         });
}

}  // namespace

Inventory::Inventory(const Model& model) : mass_(TotalMass(model)) {
  BookKeeper(model, Listing{items_});
}

std::vector<Item> Inventory::Unaccounted(const Model& now, const LossReport& report) const {
  Present present;
  present.counts.Reserve(2 * items_.size());
  BookKeeper<Present&>(now, present);
  KeyCounts before;
  before.Reserve(items_.size());
  for (const Item& item : items_) before.Add(KeyOf(item.kind, item.feature, item.name, item.where));
  std::optional<Told> told;  // mostly nothing needs to be asked for
  const auto ask = [&]() -> const Told& { return told ? *told : told.emplace(report); };
  std::vector<Item> missing;
  const auto there = [&](const Item& item) {
    const Key key = KeyOf(item.kind, item.feature, item.name, item.where);
    if (present.counts.Of(key) >= before.Of(key)) return true;
    if (item.name.empty()) return false;
    // Parts of many links have one name: a renamed one is found by its place.
    const bool part = item.kind == SubjectKind::kVisual || item.kind == SubjectKind::kCollision;
    if (part && item.where.line > 0 && ask().Renamed(item) &&
        present.Holds(item.kind, item.feature, {}, item.where))
      return true;
    for (const std::string& name : ask().NamesOf(item)) {
      if (name == item.name) continue;
      if (present.Holds(item.kind, item.feature, name, item.where) ||
          present.Holds(item.kind, item.feature, name, {}))
        return true;
    }
    return false;
  };
  std::vector<const Item*> gone;
  KeyCounts with_owner;  // what went with the element that it hung on
  for (const Item& item : items_) {
    if (item.kind == SubjectKind::kModel && item.feature == Feature::kCount) continue;
    if (there(item)) continue;
    if (item.feature == Feature::kCount && item.owner != kNobody &&
        ask().Lost(items_[item.owner], Feature::kCount) && !there(items_[item.owner]))
      with_owner.Add(KeyOf(item.kind, item.feature, item.name, item.where));
    else
      gone.push_back(&item);
  }
  for (const Item* each : gone) {
    const Item& item = *each;
    const Told& word = ask();
    if (item.feature == Feature::kCount) {
      const Key key = KeyOf(item.kind, item.feature, item.name, item.where);
      const std::size_t left = present.counts.Of(key) + with_owner.Of(key);
      const std::size_t times = before.Of(key) - std::min(left, before.Of(key));
      if (word.Lost(item, Feature::kCount, std::max<std::size_t>(times, 1)) || word.Lowered(item))
        continue;
    } else {
      // What is said goes with the element, or by its own name, here or at what the element became.
      const Item& element = items_[item.owner];
      bool explained = word.Lost(element, Feature::kCount) && !there(element);
      // Mass and moments go to another link, with its gravity; transparency into the colour.
      if (In(item.feature, feature_group::kCarried)) explained = explained || word.Lowered(element);
      explained = explained ||
                  (item.feature == Feature::kGravity &&
                   word.Lost({SubjectKind::kModel, item.feature, now.name, {}, 0}, item.feature));
      if (item.feature == Feature::kSelfCollision && element.kind == SubjectKind::kModel)
        explained = explained || TellsOfModel(now, word);
      for (const std::string& name : word.NamesOf(element)) {
        Item as = element;
        as.name = name;
        explained = explained || word.LostSaid(as, item.feature);
        as.where = {};
        explained = explained || (name != element.name && word.LostSaid(as, item.feature));
      }
      if (explained) continue;
    }
    missing.push_back(item);
  }
  double added = 0;
  for (const AddedInertia& inertia : report.added) added += inertia.mass;
  if (std::abs(TotalMass(now) - added - mass_) > 1e-9 * std::max(mass_, TotalMass(now)))
    missing.push_back({SubjectKind::kModel, kMass, now.name, {}, kNobody});
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
