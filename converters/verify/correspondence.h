// Which link of A is which link of B, and how their frames differ.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/mechanism.h"
#include "verify/names.h"

namespace kinemorph::verify {

class Excuses;

[[nodiscard]] inline std::size_t U(int i) { return static_cast<std::size_t>(i); }
/// kg and kg m^2: what arithmetic leaves where zero is meant, and the least mass that a target may
/// demand of every body.
inline constexpr double kNoise = 3e-15;
inline constexpr double kMissing = 1e300;  ///< an error beyond measure; a check says 1 instead

/// Collects the largest error of one kind, and what is to be said of each.
class Worst {
 public:
  Worst(std::string what, double tolerance) : check_{std::move(what), 0, tolerance, {}, {}} {}
  /// `text`: the two values; empty where the error says all.
  void Add(double error, const std::string& element, const std::string& text = {}) {
    if (!(error < kMissing)) error = 1;  // NaN too
    if (error > check_.tolerance) failed_.emplace_back(element, text);
    if (check_.worst.empty() || error > check_.max_error)
      check_.max_error = error, check_.worst = element;
  }
  void Miss(const std::string& element, const std::string& text) { Add(kMissing, element, text); }
  /// It differs, and may.
  void Except(const std::string& text) { check_.excepted.push_back(text); }
  /// It differs, and may where that is `excused`.
  void Differ(bool excused, const std::string& element, const std::string& text,
              double error = kMissing) {
    if (excused)
      Except(text);
    else
      Add(error, element, text);
  }
  [[nodiscard]] bool made() const { return !check_.worst.empty() || !check_.excepted.empty(); }
  [[nodiscard]] const VerifyCheck& check() const { return check_; }
  struct Failed {
    std::string element, text;
    Failed(std::string element_in, std::string text_in)
        : element(std::move(element_in)), text(std::move(text_in)) {}
  };
  [[nodiscard]] const std::vector<Failed>& failed() const { return failed_; }

 private:
  VerifyCheck check_;
  std::vector<Failed> failed_;
};

/// |a - b| relative to the value, but no finer than 1e-5 of `scale` (so that round-off of zeros
/// does not count).
[[nodiscard]] double RelativeError(double a, double b, double scale);

/// "0.3 0 0.4 against 0.32 0 0.4": six digits of each, or all where those show no difference.
[[nodiscard]] std::string BothValues(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// One of the two models, compiled.
struct Side {
  Model model;  // a copy: what the report says is lost is taken out
  Mechanism m;
  Coordinates coordinates;
  const Model* original = nullptr;  // as given
  bool base_specified = true;
  LinkId world_link = kNoLink;  // a root link named "world" stands for the world
};

/// What people call a body: by the joint that moves it.
[[nodiscard]] inline std::string BodyName(const Side& side, int b) {
  const Body& body = side.m.bodies[U(b)];
  return body.joint == kNoJoint ? side.model.link(body.link).name
                                : side.model.joint(body.joint).name;
}

struct Correspondence {
  Renames renames;
  std::vector<LinkId> b_of_a, a_of_b;       // kNoLink where there is none; the worlds correspond
  std::vector<RigidTransform> X_ab;         // by link of A: B's frame of it in A's
  std::map<LinkId, RigidTransform> X_back;  // by link of A: the same, as a conversion back has it
  RigidTransform X_BA;                      // A's world in B's
  bool held = false;                        // both bases are held at the root
};

/// Matches the links; says in `result` which ones with mass have no counterpart.
[[nodiscard]] Correspondence MatchLinks(const Side& a, const Side& b, const VerifyOptions& options);
/// The same correspondence, from B to A.
[[nodiscard]] Correspondence Inverse(const Side& a, const Correspondence& match);
/// Aligns the worlds (after compiling) and finds re-based frames where no report gives them.
void AlignFrames(const Side& a, const Side& b, const VerifyOptions& options, Correspondence& match);

/// Links held together by joints without motion, on both sides, and which group of A is which of B.
/// Group 0 holds the world.
struct RigidGroups {
  struct Bodies {
    std::vector<int> group;         // by body: the body at the top of its group
    std::vector<RigidTransform> X;  // by body: its pose in that one
  };
  struct Match {
    int b = 0;
    RigidTransform X_ba;  // the frame of A's group in that of B's
  };
  Bodies a, b;
  std::unordered_map<int, Match> b_of_a;
};
[[nodiscard]] RigidGroups GroupRigidLinks(const Side& a, const Side& b,
                                          const Correspondence& match);

/// Masses, centres of mass and inertias, link by link or, where rigidly joined links were merged,
/// group by group.
/// The mass of a link that is the world is compared only as what a file says.
void CompareMasses(const Side& a, const Side& b, const Correspondence& match,
                   const RigidGroups& groups, const VerifyOptions& options, Excuses& excuses,
                   std::vector<Worst>& checks);

/// "::", spaces, dashes, slashes and dots as "_": how formats without them spell names.
[[nodiscard]] std::string PlainName(const std::string& name);

}  // namespace kinemorph::verify
