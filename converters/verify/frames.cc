// Frames, and links that only one side has.
#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "verify/content.h"

namespace kinemorph::verify {
namespace {

// A frame of A may be a frame in B, or a massless link where B's format has no frames; a massless
// link may have become a frame. Both are looked for by name in one list of places, and compared by
// where they stand in their rigid group. Links with mass were compared before.
class Frames : Compared {
 public:
  Frames(const Compared& sides, NativeText& native) : Compared(sides), native_(native) {
    for (const LinkId id : Links(b_.model))
      places_[b_.model.link(id).name] = {b_.m.body_of[Index(id)], RigidTransform{}};
    for (const Frame& frame : b_.model.frames)
      places_[frame.name] = {b_.m.body_of[Index(frame.link)], frame.X_LF},
      frames_of_b_.emplace(frame.name, &frame);
  }

  void Run(std::vector<Worst>& checks) {
    CompareLinks();
    for (const Frame& frame : a_.model.frames) {
      if (const Frame* other = Find(SubjectKind::kFrame, SubjectOf(frame), frame.link, frame.X_LF))
        native_.Compare(frame.native, other->native, SubjectOf(frame));
    }
    for (const LinkId id : Links(a_.model)) {
      if (match_.b_of_a[Index(id)] == kNoLink && !a_.model.link(id).synthetic &&
          groups_.b_of_a.contains(groups_.a.group[U(a_.m.body_of[Index(id)])]))
        Find(SubjectKind::kLink, SubjectOf(a_.model.link(id)), id, match_.X_ab[Index(id)]);
    }
    if (excuses_.same_format() || options_.assumed) CompareThoseOfB();
    AddMade({&frames_}, checks);
  }

 private:
  struct Place {  // in B
    int body = 0;
    RigidTransform X;  // in that body
  };

  // A link that moves, without mass and without anything behind it, is missing all the same.
  void CompareLinks() {
    const auto leaves = [&](const Side& side, const std::vector<LinkId>& other, bool in_a) {
      const std::size_t bodies = side.m.bodies.size();
      std::vector<bool> leads(bodies, false);  // to a link that both have, or to a loop
      for (const Aggregate& g : side.m.aggregates) {
        for (const LoopConstraint& loop : g.loops)
          for (const int end : {loop.predecessor, loop.successor})
            if (end >= 0) leads[U(g.bodies[U(end)])] = true;
      }
      const std::vector<int>& group = in_a ? groups_.a.group : groups_.b.group;

      // From the tips inwards: what leads to a shared link, or to a loop, shows there. What is left
      // moves nothing that both sides have.
      for (std::size_t i = bodies; i-- > 1;) {
        const Body& body = side.m.bodies[i];
        if (other[Index(body.link)] != kNoLink) leads[i] = true;
        if (leads[i]) leads[U(body.parent)] = true, leads[U(group[i])] = true;
      }
      for (std::size_t i = 1; i < bodies; ++i) {
        const Link& link = side.model.link(side.m.bodies[i].link);
        if (leads[i] || leads[U(group[i])] || link.synthetic ||
            other[Index(side.m.bodies[i].link)] != kNoLink)
          continue;
        // What is rigid with the world does not move.
        if (group[i] == 0) continue;
        const Subject subject = SubjectOf(link);
        if (in_a ? excuses_.Take(Feature::kMasslessLink, subject)
                 : excuses_.TakeOfB(Feature::kMasslessLink, subject))
          continue;
        frames_.Miss(link.name, Text(subject) + ", which moves, is not in " + (in_a ? "B" : "A"));
      }
    };
    leaves(a_, match_.b_of_a, true);
    leaves(b_, match_.a_of_b, false);
  }

  // A frame of A is a frame of B or a massless link of B; the frame.
  const Frame* Find(SubjectKind kind, const Subject& subject, LinkId link,
                    const RigidTransform& X_LF) {
    const std::string& name = subject.name;
    const int body = a_.m.body_of[Index(link)];
    const auto group = groups_.b_of_a.find(groups_.a.group[U(body)]);
    const auto error = [&](const auto& of) {
      return PoseError(group->second.X_ba * groups_.a.X[U(body)] * X_LF,
                       groups_.b.X[U(of->second.body)] * of->second.X, a_.m.length);
    };
    auto place = places_.end();
    // Under its new name or the old one: of two places the nearer one.
    for (const std::string& candidate : {match_.renames.Of(kind, subject.where, name), name}) {
      const auto at = places_.find(candidate);
      if (at == places_.end() || group == groups_.b_of_a.end() ||
          group->second.b != groups_.b.group[U(at->second.body)])
        continue;
      if (place == places_.end() || error(at) < error(place)) place = at;
    }
    if (place == places_.end()) {
      ConcludeMissing(kind, subject);
      return nullptr;
    }
    const bool other_thing = kind == SubjectKind::kFrame && !frames_of_b_.contains(place->first);
    if (other_thing && error(place) > frames_.check().tolerance &&
        excuses_.Take(Feature::kFrame, subject)) {  // a link that has the name of a lost frame
      frames_.Except(Text(subject) + " is missing");
      return nullptr;
    }
    frames_.Add(error(place), name);
    found_in_b_.insert(place->first);
    const auto frame = frames_of_b_.find(place->first);
    return frame == frames_of_b_.end() ? nullptr : frame->second;
  }

  void ConcludeMissing(SubjectKind kind, const Subject& subject) {
    // Rigid with another link, and its mass is compared there.
    const bool merged = kind == SubjectKind::kLink && Converted();
    if (merged && options_.report != nullptr) excuses_.Except(Feature::kMasslessLink, subject);
    if (merged || excuses_.Take(Feature::kFrame, subject) ||
        excuses_.Take(Feature::kMasslessLink, subject))
      frames_.Except(Text(subject) + " is missing");
    else
      frames_.Miss(subject.name, Text(subject) + " is not in B");
  }

  void CompareThoseOfB() {
    // Not told: what the conversion itself wrote, and links of A that B has as frames.
    std::set<std::string> added;  // by the conversion
    if (excuses_.written() != nullptr) {
      for (const Frame& frame : excuses_.written()->frames) added.insert(frame.name);
      for (const LinkId id : Links(*excuses_.written()))
        added.insert(excuses_.written()->link(id).name);
    }
    std::set<std::string> in_a;  // links that may be frames in B
    for (const LinkId id : Links(a_.model))
      if (match_.b_of_a[Index(id)] == kNoLink) in_a.insert(a_.model.link(id).name);
    for (const Frame& frame : b_.model.frames) {
      if (found_in_b_.contains(frame.name) || in_a.contains(frame.name) ||
          added.contains(frame.name) || StandsInA(frame, in_a))
        continue;
      const std::string told = Text(SubjectOf(frame)) + " is not in A";
      frames_.Differ(excuses_.TakeOfB(Feature::kFrame, SubjectOf(frame)), frame.name, told);
    }
    for (const LinkId id : Links(b_.model)) {
      const Link& link = b_.model.link(id);
      if (match_.a_of_b[Index(id)] == kNoLink && !link.synthetic &&
          !found_in_b_.contains(link.name) && id != b_.world_link && !added.contains(link.name) &&
          IsRigidInA(id))
        ConcludeLinkOfB(link);
    }
  }

  // Its group is one of A's.
  [[nodiscard]] bool IsRigidInA(LinkId id) const {
    const int group = groups_.b.group[U(b_.m.body_of[Index(id)])];
    return std::any_of(groups_.b_of_a.begin(), groups_.b_of_a.end(),
                       [&](const auto& g) { return g.second.b == group; });
  }

  void ConcludeLinkOfB(const Link& link) {
    const std::string told = Text(SubjectOf(link)) + " is not in A";
    if (excuses_.same_format()) return frames_.Miss(link.name, told);
    // Rigid with another link, and its mass is compared there.
    excuses_.Except(Feature::kMasslessLink, SubjectOf(link));
    frames_.Except(told);
  }

  // Under a name that the other format spells otherwise.
  static bool StandsInA(const Frame& frame, const std::set<std::string>& links_of_a) {
    return std::any_of(links_of_a.begin(), links_of_a.end(), [&](const std::string& name) {
      return PlainName(name) == PlainName(frame.name);
    });
  }

  NativeText& native_;
  std::unordered_map<std::string, Place> places_;
  std::unordered_map<std::string, const Frame*> frames_of_b_;
  std::set<std::string> found_in_b_;
  Worst frames_{"frames", options_.tolerance};
};

}  // namespace

void CompareFrames(const Compared& sides, NativeText& native, std::vector<Worst>& checks) {
  Frames(sides, native).Run(checks);
}

}  // namespace kinemorph::verify
