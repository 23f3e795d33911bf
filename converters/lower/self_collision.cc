// What collides with what, as the target says it.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "edit/model_edit.h"
#include "kinemorph/graph/checks/contacts.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// A binary file has elements and no lines.
bool IsAuthored(const ContactExclusion& e) { return !(e.where == SourceLocation()); }

constexpr std::size_t kMostPairs = 100'000;  // that are looked at one by one
constexpr std::size_t kFreeBits = 15;        // of SDFormat's 16; the rest have them all
// What libsdformat gives a shape without a word has bits 0 to 7.
constexpr std::uint32_t kLastSharedBit = 1U << 7;
constexpr std::size_t kMostSharing = 500;  // links, whose pairs are looked at one by one

// Formats say who collides with whom by masks of shapes (MJCF, SDFormat), by words of models and
// links (SDFormat), by pairs, or by "joined links do not". What the source means is a set of pairs
// of links (Contacts), and whatever is written is judged by the pairs that it gives: words are
// tried from the fewest on, and the pairs that are left over are exclusions where the target has
// those, else losses.
using Masks = std::vector<std::vector<std::optional<ContactMask>>>;  // by link and collision

Masks MasksOf(const Model& model) {
  Masks masks(model.num_links());
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    for (const Collision& c : model.link(LinkId{v}).collisions) masks[v].push_back(c.contact_mask);
  return masks;
}

void SetMasks(Model& model, const Masks& masks) {
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    std::vector<Collision>& collisions = model.link(LinkId{v}).collisions;
    for (std::size_t i = 0; i < collisions.size(); ++i)
      collisions[i].contact_mask = i < masks[v].size() ? masks[v][i] : std::nullopt;
  }
}

std::size_t CountOf(const Masks& masks) {
  std::size_t count = 0;
  for (const auto& link : masks)
    for (const auto& mask : link) count += mask ? 1 : 0;
  return count;
}

std::size_t CountOf(const ContactDifferences& differ) {
  return differ.only_a.size() + differ.only_b.size();
}

// As the target will have it: without the loops that it cannot hold, which keep their links apart.
Contacts Written(const Model& model, const PassContext& context, bool welds_hold) {
  const auto goes = [&](JointId id) {
    if (model.joint(id).role != JointRole::kLoop) return false;
    const Feature loop = LoopFeature(model.joint(id).kind);
    return context.Lost(loop) || context.Of(loop).pass == "mimics";  // it has run
  };
  bool any = false;
  for (const JointId id : Joints(model)) any = any || goes(id);
  if (!any) return {model, context.traits.contact_rule, welds_hold};
  // A copy, so that the pairs can be counted before the loops go.
  Model less = model;
  static_cast<void>(less.RemoveJoints(goes));
  return {less, context.traits.contact_rule, welds_hold};
}

Masks NoMasks(const Model& model) { return Masks(model.num_links()); }

std::string HowMany(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// Words of self-collision that the target has none for: masks say it.
void ForgetWords(Model& model, PassContext& context) {
  bool said = false;
  for (Scope& scope : model.scopes) {
    said = said || scope.self_collide;
    scope.self_collide.reset();
  }
  if (said) context.Lowered(SubjectOf(model), "its self-collision is written shape by shape");
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    if (!link.self_collide) continue;
    context.Lowered(SubjectOf(link), "its self-collision is written shape by shape");
    link.self_collide.reset();
  }
}

// --- to bodies that collide unless one hangs on the other --------------------------------------

// Few exclusions are less to read than masks on all shapes, and a file of several robots can still
// include this one.
bool ExclusionsSuffice(const ContactDifferences& bare, const Masks& masks) {
  return bare.all && bare.only_a.empty() && bare.only_b.size() < CountOf(masks);
}

// A shape that collides with nothing, and is no mere looks, reacts to what nothing is.
void MarkUntouched(Model& model) {
  constexpr std::uint32_t kNobody = std::uint32_t{1} << 30;
  Masks masks = MasksOf(model);
  for (const auto& link : masks)
    for (const auto& mask : link)
      if (mask && (mask->type & kNobody) != 0) return;  // somebody is
  for (auto& link : masks)
    for (auto& mask : link)
      if (mask == ContactMask{0, 0}) mask->affinity = kNobody;
  SetMasks(model, masks);
}

void ToBodies(Model& model, PassContext& context) {
  const std::vector<Feature>& dropped = context.options.drop;
  const bool exclude =
      std::find(dropped.begin(), dropped.end(), Feature::kContactExclusion) == dropped.end();
  const Contacts wanted(model);
  const auto got = [&] { return Written(model, context, false); };
  const Masks masks = MasksOf(model);
  // Exclusions without a place are a pass's own; those of a file are the author's and stay.
  std::erase_if(model.contact_exclusions, [](const ContactExclusion& e) { return !IsAuthored(e); });
  model.contact_rule = context.traits.contact_rule;
  if (!context.masks_are_authored) {
    SetMasks(model, NoMasks(model));
    // More than there are masks do not suffice, however many more.
    const ContactDifferences bare = wanted.Compare(got(), std::min(kMostPairs, CountOf(masks)));
    if (!ExclusionsSuffice(bare, masks)) SetMasks(model, masks);
  }
  const ContactDifferences left = wanted.Compare(got());
  if (exclude)
    for (const auto& [a, b] : left.only_b)
      model.contact_exclusions.push_back({a, b, model.link(b).where});
  for (const auto& [a, b] : left.only_a) model.contact_pairs.push_back({a, b, model.link(b).where});
  const std::size_t masked = CountOf(MasksOf(model));
  if (masked + left.only_a.size() + left.only_b.size() > 0)
    context.Lowered(SubjectOf(model),
                    "the masks of what collides: " + HowMany(masked, "mask") + ", " +
                        HowMany(model.contact_exclusions.size(), "exclusion") + " and " +
                        HowMany(left.only_a.size(), "pair") + " of links");
  MarkUntouched(model);
  ForgetWords(model, context);
}

// --- to models and links that collide with themselves, or do not -------------------------------

bool ModelsSay(const Model& model) {
  return std::any_of(model.scopes.begin(), model.scopes.end(),
                     [](const Scope& scope) { return scope.self_collide.has_value(); });
}

std::vector<LinkId> LinksThatSay(const Model& model) {
  std::vector<LinkId> speaking;
  for (const LinkId id : Links(model))
    if (model.link(id).self_collide) speaking.push_back(id);
  return speaking;
}

class Choice {
 public:
  Choice(Model& model, int mask_bits, PassContext& context)
      : model_(model),
        by_pairs_(context.traits.contact_rule == ContactRule::kUnlessTreeJoined),
        mask_bits_(by_pairs_ ? 0 : mask_bits),
        context_(context),
        wanted_(model),
        authored_(MasksOf(model)),
        models_say_(ModelsSay(model)),
        speaking_(LinksThatSay(model)),
        exclusions_(std::move(model.contact_exclusions)) {
    model_.contact_exclusions.clear();
    model_.contact_pairs.clear();
    model_.contact_rule = context.traits.contact_rule;
  }

  void Run() {
    // From what is easiest to read: no word at all, all links, the author's own masks where they
    // fit into the target's bits, bits that links share which touch, bits that keep neighbours
    // apart; last words of single links, which gz sim does not read. The first that is exact ends
    // it; else the best stands.
    const std::vector<bool> none(model_.num_links(), false), all(model_.num_links(), true);
    const Masks no_masks = NoMasks(model_);
    const bool bits = mask_bits_ > 0;
    const bool masked = bits && CountOf(authored_) > 0 && Fits();
    const auto attempt = [&](const std::vector<bool>& self, const Masks& masks) {
      if (!exact_) Try(self, masks);
    };
    attempt(none, no_masks);
    if (!by_pairs_) attempt(all, no_masks);
    if (masked) attempt(none, Filled());
    if (masked) attempt(all, Filled());
    if (!exact_ && !by_pairs_) {
      const ContactDifferences more = Apply(all, no_masks);
      if (bits) attempt(all, BySharedBits(more));
      if (bits) attempt(all, ByNeighbours(more));
      attempt(Unforced(more), no_masks);
    }
    if (masked && !exact_) attempt(Unforced(Apply(all, Filled())), Filled());
    best_();
    if (context_.Native(Feature::kContactExclusion)) KeepExclusions();
    TellOfMasks();
    if (by_pairs_) TellOfShapes();
    Report(wanted_.Compare(Written(model_, context_, true), kMostPairs));
  }

 private:
  ContactDifferences Apply(const std::vector<bool>& self, const Masks& masks) {
    // One word of the model where it says the same as a word on every link.
    const bool whole = !model_.scopes.empty() && self == std::vector<bool>(self.size(), true);
    for (Scope& scope : model_.scopes) {
      scope.self_collide.reset();
      if (whole && !scope.is_world) scope.self_collide = true;
    }
    for (const LinkId id : Links(model_)) {
      Link& link = model_.link(id);
      link.self_collide.reset();
      if (!whole && self[Index(id)] && wanted_.HasShapes(id)) link.self_collide = true;
    }
    SetMasks(model_, masks);
    return wanted_.Compare(Written(model_, context_, true), kMostPairs);
  }

  // Keeps it where it is better than all before.
  void Try(const std::vector<bool>& self, const Masks& masks) {
    const ContactDifferences differ = Apply(self, masks);
    const std::size_t count = CountOf(differ);
    if (best_ && count >= fewest_) return;
    fewest_ = count;
    exact_ = count == 0;
    best_ = [this, self, masks] { static_cast<void>(Apply(self, masks)); };
  }

  // Links that are in no pair which must not collide.
  [[nodiscard]] std::vector<bool> Unforced(const ContactDifferences& more) const {
    std::vector<bool> self(model_.num_links(), true);
    for (const auto& [a, b] : more.only_b) self[Index(a)] = self[Index(b)] = false;
    return self;
  }

  // One mask per shape, for both what it is and what it touches: gz-physics reads the type
  // (`category_bitmask`) from version 10 on, older ones compare `collide_bitmask` with
  // `collide_bitmask`. Links of a pair that must not collide share no bit. A bit starts with two
  // links that have none in common and must collide, or with a link that has none (the ground of a
  // world has them all), and goes to all that may touch whoever has it already.
  [[nodiscard]] Masks BySharedBits(const ContactDifferences& more) const {
    const std::set<LinkPair> forbidden(more.only_b.begin(), more.only_b.end());
    std::map<LinkId, std::uint32_t> bits;
    for (const auto& [a, b] : forbidden) bits[a] = bits[b] = 0;
    Masks masks = NoMasks(model_);
    if (bits.size() > kMostSharing) return masks;
    std::set<LinkPair> open;  // must collide, and share no bit yet
    for (auto a = bits.begin(); a != bits.end(); ++a)
      for (auto b = std::next(a); b != bits.end(); ++b)
        if (wanted_.Collide(a->first, b->first)) open.emplace(a->first, b->first);
    for (std::uint32_t bit = 1; bit <= kLastSharedBit; bit <<= 1) {
      std::set<LinkId> together;
      if (!open.empty()) {
        together = {open.begin()->first, open.begin()->second};
      } else {
        const auto bare =
            std::ranges::find(bits, 0U, &std::pair<const LinkId, std::uint32_t>::second);
        if (bare == bits.end()) break;
        together = {bare->first};
      }
      for (auto& link : bits) {
        const LinkId id = link.first;
        if (std::ranges::any_of(
                together, [&](LinkId other) { return forbidden.contains(std::minmax(id, other)); }))
          continue;
        together.insert(id);
        link.second |= bit;
      }
      std::erase_if(open, [&](const LinkPair& pair) {
        return together.contains(pair.first) && together.contains(pair.second);
      });
    }
    for (const auto& [link, own] : bits)
      masks[Index(link)].assign(model_.link(link).collisions.size(), ContactMask{own, own});
    return masks;
  }

  // A bit for all links that shall not collide with the same others; those leave it out.
  [[nodiscard]] Masks ByNeighbours(const ContactDifferences& more) const {
    std::map<LinkId, std::set<LinkId>> neighbours;
    for (const auto& [a, b] : more.only_b) neighbours[a].insert(b), neighbours[b].insert(a);
    std::map<std::set<LinkId>, std::uint32_t> bit_of;
    for (const auto& [link, others] : neighbours)
      bit_of.emplace(others, bit_of.size() < kFreeBits ? 2U << bit_of.size() : 0U);
    Masks masks = NoMasks(model_);
    for (const auto& [link, others] : neighbours) {
      // Two shapes meet if one's type is in the other's affinity: each leaves the bits of its
      // neighbours out.
      const std::uint32_t own = bit_of.at(others);
      if (own == 0) continue;  // no bit is left
      ContactMask mask{own, 0xffff};
      for (const LinkId other : others) mask.affinity &= ~bit_of.at(neighbours.at(other));
      masks[Index(link)].assign(model_.link(link).collisions.size(), mask);
    }
    return masks;
  }

  [[nodiscard]] bool Fits() const {
    const std::uint32_t too_high = ~((1U << mask_bits_) - 1);
    for (const auto& link : authored_)
      for (const auto& mask : link)
        if (mask && ((mask->type | mask->affinity) & too_high) != 0) return false;
    return true;
  }
  // Those that are not written are 1 and 1 in the source.
  [[nodiscard]] Masks Filled() const {
    Masks masks = authored_;
    for (auto& link : masks)
      for (auto& mask : link)
        if (!mask) mask = ContactMask{};
    return masks;
  }

  // The target names pairs too: the author's, and those that its other words leave.
  void KeepExclusions() {
    for (const ContactExclusion& e : exclusions_)
      if (IsAuthored(e)) model_.contact_exclusions.push_back(e);
    const auto left = wanted_.Compare(Written(model_, context_, true), kMostPairs);
    for (const auto& [a, b] : left.only_b)
      model_.contact_exclusions.push_back({a, b, model_.link(b).where});
  }

  // What the words of models, links and joints say too.
  void TellOfMasks() {
    for (std::uint32_t v = 0; v < model_.num_links(); ++v) {
      const Link& link = model_.link(LinkId{v});
      for (std::size_t i = 0; i < link.collisions.size(); ++i)
        if (authored_[v][i] && !link.collisions[i].contact_mask)
          context_.Lowered(SubjectOf(link, link.collisions[i]),
                           "the source says this of models and links");
    }
  }

  // The target filters links. Of a link whose shapes touch others than one another do, all touch
  // what one of them does.
  void TellOfShapes() {
    const ContactMask unwritten = wanted_.MaskOf(Collision());
    std::set<ContactMask> all;
    for (const auto& link : authored_)
      for (const auto& mask : link) all.insert(mask.value_or(unwritten));
    for (const LinkId id : Links(model_)) {
      const Masks::value_type& own = authored_[Index(id)];
      const bool alike = std::ranges::all_of(own, [&](const auto& mask) {
        return std::ranges::all_of(all, [&](const ContactMask& other) {
          return Meet(mask.value_or(unwritten), other) ==
                 Meet(own.front().value_or(unwritten), other);
        });
      });
      if (!alike)
        context_.Lose(model_, Feature::kSelfCollision, SubjectOf(model_.link(id)),
                      "all shapes of the link touch what any of these shapes touches",
                      "the target keeps links apart, not shapes");
    }
  }

  void Report(const ContactDifferences& left) {
    std::set<LinkPair> lost(left.only_b.begin(), left.only_b.end());
    for (const ContactExclusion& e : exclusions_) {
      // No file has it, or it is written.
      if (!IsAuthored(e) || context_.Native(Feature::kContactExclusion)) continue;
      const Subject subject = SubjectOf(model_, e);
      if (lost.erase(std::minmax(e.a, e.b)) == 0)
        context_.Lowered(subject, "the two links do not collide in the target either");
      else
        context_
            .Lose(model_, Feature::kContactExclusion, subject,
                  "the exclusion is not written; the two links may collide",
                  "the target cannot exclude two links only")
            .weight = Weight::kMotion;
    }
    Tell({lost.begin(), lost.end()}, "may collide with ");
    Tell(left.only_a, "no longer collides with ");
    if (!left.all)
      context_.Lose(model_, Feature::kSelfCollision, SubjectOf(model_),
                    "too many pairs of links collide differently to list them", kWhy);
    for (const Scope& scope : model_.scopes)
      if (scope.self_collide)
        context_.Lowered(SubjectOf(scope), "its links collide with each other");
    for (const LinkId id : speaking_)
      if (const Link& link = model_.link(id); !link.self_collide)
        context_.Lowered(SubjectOf(link), "the link touches the same others without its own flag");
    if (models_say_ && !ModelsSay(model_))
      context_.Lowered(SubjectOf(model_), "its links say whether they collide with each other");
  }

  void Tell(const std::vector<LinkPair>& pairs, const std::string& what) {
    std::map<LinkId, std::vector<std::string>> by_link;
    for (const auto& [a, b] : pairs) by_link[a].push_back(model_.link(b).name);
    for (auto& [link, others] : by_link) {
      std::string names;
      for (std::size_t i = 0; i < others.size() && i < kShown; ++i)
        names += (i > 0 ? ", '" : "'") + others[i] + "'";
      if (others.size() > kShown)
        names += " and " + std::to_string(others.size() - kShown) + " more";
      context_
          .Lose(model_, Feature::kSelfCollision, SubjectOf(model_.link(link)), what + names, kWhy)
          .others = std::move(others);
    }
  }

  static constexpr std::size_t kShown = 8;
  static constexpr const char* kWhy =
      "the target decides by model, link and joint which links collide";
  Model& model_;
  const bool by_pairs_;  // the target reads no word of models and links
  const int mask_bits_;
  PassContext& context_;
  const Contacts wanted_;
  const Masks authored_;
  const bool models_say_;
  const std::vector<LinkId> speaking_;
  const std::vector<ContactExclusion> exclusions_;
  std::function<void()> best_;
  std::size_t fewest_ = 0;
  bool exact_ = false;
};

// Masks of a source that decides as the target does, which has none.
void LeaveMasksOut(Model& model, PassContext& context) {
  const Masks masks = MasksOf(model);
  if (CountOf(masks) == 0) return;
  const Contacts wanted(model);
  SetMasks(model, NoMasks(model));
  const ContactDifferences left = wanted.Compare(Contacts(model), kMostPairs);
  std::map<LinkId, std::vector<std::string>> changed;  // the links that each touches otherwise
  for (const auto* pairs : {&left.only_a, &left.only_b})
    for (const auto& [a, b] : *pairs)
      changed[a].push_back(model.link(b).name), changed[b].push_back(model.link(a).name);
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    const Link& link = model.link(LinkId{v});
    for (std::size_t i = 0; i < masks[v].size(); ++i) {
      if (!masks[v][i]) continue;
      const Subject subject = SubjectOf(link, link.collisions[i]);
      if (const auto others = changed.find(LinkId{v}); others != changed.end())
        context
            .Lose(model, Feature::kSelfCollision, subject, "its bit masks are not written",
                  "the target has no bit masks")
            .others = others->second;
      else
        context.Lowered(subject, "its bit masks keep nothing of the model apart");
    }
  }
}

}  // namespace

void SelfCollision::operator()(Model& model, PassContext& context) const {
  const bool own = model.format == context.traits.native_format && model.dialect != "drake";
  if (context.traits.contact_rule == ContactRule::kUnlessTreeJoined) {
    if (model.contact_rule != context.traits.contact_rule && !context.Lost(Feature::kCollision))
      Choice(model, 0, context).Run();
    return;
  }
  if (!own && model.contact_rule == ContactRule::kAll) {
    if (context.traits.contact_rule == ContactRule::kAll) return;  // the writer lists the pairs
    if (context.traits.contact_rule == ContactRule::kUnlessParent)
      ToBodies(model, context);
    else
      Choice(model, mask_bits, context).Run();
  } else if (!model.contact_exclusions.empty() && !context.Native(Feature::kContactExclusion) &&
             model.contact_rule == context.traits.contact_rule &&
             model.contact_rule == ContactRule::kUnlessJoined) {
    Choice(model, mask_bits, context).Run();
  } else if (!own && mask_bits == 0) {
    LeaveMasksOut(model, context);
  }
}

}  // namespace kinemorph
