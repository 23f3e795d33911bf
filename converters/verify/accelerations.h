// Accelerations of the links that both sides have, under gravity, the springs, damping and friction
// that both have, and the same random wrenches.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "kinemorph/graph/base/random.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "verify/carry.h"
#include "verify/values.h"

namespace kinemorph::verify {

/// Corresponding closed states, and what UpdateJoints makes of them.
struct StatePair {
  const Eigen::VectorXd &q_a, &v_a, &q_b, &v_b;
  const JointCache &joints_a, &joints_b;
};

class AccelerationComparison {
 public:
  /// `identical`: whatever the accelerations of ill-conditioned postures say, the mechanisms are
  /// one.
  AccelerationComparison(const Side& a, const Side& b, const Correspondence& match,
                         const Carrier& carrier, const std::vector<CoordinatePair>& pairs,
                         bool identical, double tolerance, VerifyResult& result);
  void Add(const StatePair& state, Random& random);
  [[nodiscard]] const Worst& worst() const { return worst_; }

 private:
  struct Dynamics {
    ConstraintEmbeddingDynamics a, b;
    Dynamics(const Mechanism& m_a, const Coordinates& c_a, const Mechanism& m_b,
             const Coordinates& c_b)
        : a(m_a, c_a), b(m_b, c_b) {}
  };
  bool PostureIsSingular(const Eigen::VectorXd& q_a, double least);
  bool MotionIsImpossible(const StatePair& state);
  double LeastResistance(const Mechanism& m, const StatePair& state) const;
  void Load();
  DynamicsStatus Compare(Dynamics& dynamics, const StatePair& state, const ExternalForces& forces_a,
                         const ExternalForces& forces_b, Worst& worst);
  void AddPassiveForces(const StatePair& state, Eigen::VectorXd& tau_a,
                        Eigen::VectorXd& tau_b) const;
  void Tell(const char* code, const std::string& who, const std::string& what);

  const Side& a_;
  const Side& b_;
  const Correspondence& match_;
  const Carrier& carrier_;
  const std::vector<CoordinatePair>& pairs_;
  bool identical_;
  VerifyResult& result_;
  ClosureSolver solver_;
  Dynamics as_is_;
  Mechanism loaded_a_, loaded_b_;  // with the same inertia added to every link that both have
  std::unique_ptr<Dynamics> loaded_;
  Worst worst_;
  bool passive_ = true;         // forces of springs, dampers and friction
  std::set<std::string> told_;  // codes: each is said once
};

}  // namespace kinemorph::verify
