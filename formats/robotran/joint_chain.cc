#include "joint_chain.h"

#include <algorithm>
#include <limits>

#include "rotation_chain.h"

namespace kinemorph::mbs {
namespace {

// The chain consists of motions about coordinate axes with rotations between them. Before each
// motion the rotation P may be any that brings a coordinate axis onto the motion's axis; the rest
// of the constant goes on to the next motion. Which P costs the fewest joints over all is a search:
// each joint that is saved is a coordinate less in every equation.

// The rotation P before a motion and the coordinate axis k that carries it: P e_k is the motion's
// axis in the frame before P.
struct Placement {
  Matrix3 P = Matrix3::Identity();
  int k = 0;
};

std::vector<Placement> Placements(const Vector3& direction) {
  std::vector<Placement> all;
  for (int k = 0; k < 3; ++k) {
    for (const Matrix3& P : RotationsThatTurn(k, direction)) all.push_back({P, k});
  }
  // Few factors first, so that the search below meets a good chain early; stable, so that ties keep
  // the order x, y, z.
  std::stable_sort(all.begin(), all.end(), [](const Placement& a, const Placement& b) {
    return NumFactors(a.P) < NumFactors(b.P);
  });
  return all;
}

// Depth-first search over the placements of all motions, cut where the chain is already as long as
// the best one.
class Search {
 public:
  Search(const std::vector<AxisMotion>& motions, const std::vector<RigidTransform>& constants)
      : motions_(motions), constants_(constants) {
    Matrix3 whole = Matrix3::Identity();
    // No chain is shorter than the product of its constants, which stays when all motions are zero:
    // a chain of this length ends the search.
    for (const RigidTransform& constant : constants) whole = whole * constant.R;
    shortest_possible_ = NumFactors(Snapped(whole));
    Visit(0, Snapped(constants[0].R), 0);
  }
  [[nodiscard]] const std::vector<Placement>& best() const { return best_; }

 private:
  // `rest`: the rotation still due, from the current frame of the chain to the frame it stands for.
  // At most as deep as a joint has axes.
  void Visit(std::size_t i, const Matrix3& rest, int length) {
    if (i == motions_.size()) {
      length += NumFactors(rest);
      if (length < best_length_) best_length_ = length, best_ = chosen_;
      return;
    }
    const Matrix3& next = constants_[i + 1].R;
    if (Whole(i)) {  // first as it stands: all constants before the motion, none after it
      for (int k = 0; k < 3; ++k)
        if (motions_[i].axis == Vector3::Unit(k)) Try(i, {rest, k}, next, length);
      if (best_length_ == shortest_possible_) return;
    }
    if (tries_left_ <= 0) return;
    for (const Placement& placement : Placements(rest * motions_[i].axis)) {
      Try(i, placement, placement.P.transpose() * rest * next, length);
    }
  }

  // With P = rest the frame after the motion is the nominal one again.
  [[nodiscard]] bool Whole(std::size_t i) const {
    return constants_[i + 1].R == Matrix3::Identity() && motions_[i].axis.cwiseAbs().sum() == 1 &&
           motions_[i].axis.minCoeff() == 0;
  }

  void Try(std::size_t i, const Placement& placement, const Matrix3& rest, int length) {
    const int longer = length + NumFactors(placement.P);
    if (longer >= best_length_ || best_length_ == shortest_possible_ || --tries_left_ < 0) return;
    chosen_.push_back(placement);
    Visit(i + 1, Snapped(rest), longer);
    chosen_.pop_back();
  }

  const std::vector<AxisMotion>& motions_;
  const std::vector<RigidTransform>& constants_;
  std::vector<Placement> chosen_, best_;
  int best_length_ = std::numeric_limits<int>::max();
  int tries_left_ = 1000;      // one motion has fewer than 40 placements; three in general position
                               // have 40^3, mostly equally long
  int shortest_possible_ = 0;  // with all motions at zero the chain is the product of the constants
};

void AppendRotation(const Matrix3& R, std::vector<ChainJoint>& chain) {
  for (const AxisRotation& factor : ShortestFactors(R))
    chain.push_back({true, factor.k, -1, factor.angle});
}

void AppendTranslation(const Vector3& p, std::vector<ChainJoint>& chain) {
  for (int k = 0; k < 3; ++k) {
    if (Snapped(p[k]) != 0) chain.push_back({false, k, -1, p[k]});
  }
}

}  // namespace

std::vector<ChainJoint> ShortestChain(const std::vector<AxisMotion>& motions,
                                      const std::vector<RigidTransform>& constants) {
  const Search search(motions, constants);
  std::vector<ChainJoint> chain;

  // The factors as they were chosen, with the translations carried into the frames in which the
  // chain stands at them.
  Matrix3 rest = Snapped(constants[0].R);
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Placement& placement = search.best()[i];
    AppendRotation(placement.P, chain);
    chain.push_back({motions[i].rotation, placement.k, static_cast<int>(i), 0});
    rest = placement.P == rest ? Matrix3(Matrix3::Identity())
                               : Snapped(Matrix3(placement.P.transpose() * rest));
    AppendTranslation(rest * constants[i + 1].p, chain);
    rest = Snapped(Matrix3(rest * constants[i + 1].R));
  }
  AppendRotation(rest, chain);
  return chain;
}

}  // namespace kinemorph::mbs
