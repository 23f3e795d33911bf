// The constraint-embedding articulated-body algorithm on the compiled mechanism: three sweeps over
// aggregates.
#pragma once

#include "mechanics/armature.h"
#include "mechanics/embedding_cluster.h"
#include "mechanics/embedding_single.h"
#include "mechanics/uplift.h"

namespace kinemorph::embedding {

struct Sweeps {
  // One aggregate: a body alone, or a cluster. Parents come first.
  struct Step {
    int single = -1, cluster = -1;  // index into singles or clusters
  };
  Recursion recursion;
  std::vector<SingleBody> singles;
  std::vector<Cluster> clusters;
  std::vector<Step> steps;
  std::vector<int> with_bias;  // bodies: of armatures
  Eigen::VectorXd without;     // tau but for their share
  int fault = -1;
  const bool weightless;  // some body is
  ExternalForces lifted;  // the forces given, and what holds up such bodies

  Sweeps(const Mechanism& m, const Coordinates* coordinates)
      : recursion(m), with_bias(BodiesWithArmatureBias(m)), weightless(AnyWeightless(m)) {
    const std::size_t count = coordinates == nullptr ? m.bodies.size() : m.aggregates.size();
    for (std::size_t a = 0; a < count; ++a) {
      const bool alone = coordinates == nullptr || (m.aggregates[a].bodies.size() == 1 &&
                                                    coordinates->aggregates[a].rank == 0);
      const int body =
          coordinates == nullptr ? static_cast<int>(a) : m.aggregates[a].bodies.front();
      if (alone && body == 0) continue;
      const int parent = coordinates == nullptr ? m.bodies[a].parent : m.aggregates[a].parent;
      if (parent > 0) recursion.node(parent).has_children = true;
      Step& step = steps.emplace_back();
      if (alone) {
        step.single = static_cast<int>(singles.size());
        singles.emplace_back(body);
      } else {
        step.cluster = static_cast<int>(clusters.size());
        clusters.emplace_back(m, m.aggregates[a], coordinates->aggregates[a]);
      }
    }
  }
  SingleBody& single(const Step& step) { return singles[static_cast<std::size_t>(step.single)]; }
  Cluster& cluster(const Step& step) { return clusters[static_cast<std::size_t>(step.cluster)]; }

  DynamicsStatus Fault(DynamicsStatus status, const Step& step) {
    fault = step.cluster < 0 ? single(step).body() : cluster(step).aggregate().bodies.front();
    return status;
  }

  DynamicsStatus Complete(const double* q, double* v, double* gap) {
    fault = -1;
    UpdateJoints(recursion.m, q, nullptr, recursion.joints);
    for (const Step& step : steps) {
      if (step.cluster < 0) continue;
      const DynamicsStatus status = cluster(step).Complete(recursion, q, v, gap);
      if (status != DynamicsStatus::kOk) return Fault(status, step);
    }
    return DynamicsStatus::kOk;
  }

  // What the joints do with v, after their poses.
  void UpdateRates(const double* q, const double* v) {
    for (int b = 1; b < static_cast<int>(recursion.m.bodies.size()); ++b)
      if (!recursion.m.bodies[static_cast<std::size_t>(b)].constant_subspace)
        UpdateJoint(recursion.m, b, q, v, recursion.joints);
  }

  DynamicsStatus VelocitiesAndInertias(const double* q, const double* v, const double* tau,
                                       const ExternalForces* forces, bool completed) {
    fault = -1;
    if (forces != nullptr && forces->empty()) forces = nullptr;
    if (completed)
      UpdateRates(q, v);
    else
      UpdateJoints(recursion.m, q, v, recursion.joints);
    if (weightless) {
      if (forces != nullptr)
        lifted = *forces;
      else
        lifted.clear();
      AddUplift(recursion.m, recursion.joints, lifted);
      forces = &lifted;
    }
    for (const Step& step : steps) {
      if (step.cluster < 0) {
        single(step).Velocity(recursion, v, forces);
      } else if (completed) {
        cluster(step).Move(recursion, q, v, forces);
      } else if (const DynamicsStatus status = cluster(step).Velocity(recursion, q, v, forces);
                 status != DynamicsStatus::kOk) {
        return Fault(status, step);
      }
    }
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const bool ok = step->cluster < 0 ? single(*step).Inertia(recursion, tau)
                                        : cluster(*step).Inertia(recursion, tau);
      if (!ok) return Fault(DynamicsStatus::kSingularMass, *step);
    }
    return DynamicsStatus::kOk;
  }

  DynamicsStatus Run(const double* q, const double* v, const double* tau, double* qdd,
                     const ExternalForces* forces, bool completed) {
    if (!with_bias.empty()) {
      without = Eigen::Map<const Eigen::VectorXd>(tau, recursion.m.nv);
      for (const int b : with_bias) AddArmatureBias(recursion.m, b, v, -1, without);
      tau = without.data();
    }
    const DynamicsStatus status = VelocitiesAndInertias(q, v, tau, forces, completed);
    if (status != DynamicsStatus::kOk) return status;
    recursion.node(0).a << Vector3::Zero(), -recursion.m.gravity;
    for (const Step& step : steps) {
      if (step.cluster < 0) {
        single(step).Acceleration(recursion, qdd);
      } else {
        cluster(step).Acceleration(recursion, qdd);
      }
    }
    return DynamicsStatus::kOk;
  }
};

}  // namespace kinemorph::embedding
