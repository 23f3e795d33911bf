// A robot in motion: what `kinemorph simulate` does, as values.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinemorph/gateway.h"
#include "kinemorph/simulate/motion_table.h"

namespace kinemorph {

/// How a robot moves. Texts are spelled as on the command line: "JOINT=VALUE" with units.
struct MotionRequest {
  MotionMethod method = MotionMethod::kEmbedding;  ///< how loops stay closed
  SolverChoice solver = SolverChoice::kAuto;       ///< of steps that `rtol` chooses
  double time = 1,                                 ///< how long (s)
      step = 0,                                    ///< fixed steps (s); 0: chosen by `rtol`
      rtol = 1e-8,                                 ///< relative error of a step
      eps = 0.05,                     ///< of kSpf: closure errors fade in this time (s)
      rows = 0;                       ///< between samples (s); 0: `step`, or 0.01
  std::size_t max_rows = 1'000'000;   ///< samples of a table, for those who make one
  double friction = -1,               ///< of the ground; negative: nobody asks
      ground = 0;                     ///< its height against gravity (m)
  std::vector<std::string> set,       ///< positions at the start
      rate;                           ///< velocities at the start
  std::vector<std::string> hold;      ///< joints that stand still
  std::vector<std::string> armature;  ///< "JOINT=VALUE" (kg m^2, kg)
  std::vector<std::string> contact;   ///< point feet, "LINK:X,Y,Z" (m)
  std::optional<Vector3> gravity;     ///< in place of the model's (m/s^2)
  std::optional<BaseChoice> base;     ///< how the base stands; none: as the model says
  std::string controller;       ///< JSON of controllers (tools/docs/SIMULATE.md); empty: no forces
  std::string controller_name;  ///< its file name, for messages and tables
  const ResourceResolver* controller_files = nullptr;  ///< finds its tables; null: there are none
  /// Asked while the loops go to `set`: a reason ends it. None: nobody is asked.
  std::function<std::string()> interrupted = {};

  /// Time between samples that is meant (s).
  [[nodiscard]] double Interval() const;
  /// Why it would go on for longer than anybody waits: the numbers make more steps than
  /// kMostSimulationSteps, or no time at all. Empty: it ends.
  [[nodiscard]] std::string WhyEndless() const;
};

/// A motion that is ready to run. Holds all that is computed with.
class Motion {
 public:
  /// Reads the request, closes the loops, holds joints, finds velocities. Null, with errors, where
  /// that cannot be. `tables` (may be null) gets the files of tables that controllers name.
  [[nodiscard]] static std::unique_ptr<Motion> Prepare(const Robot& robot,
                                                       const MotionRequest& request,
                                                       Diagnostics& diagnostics,
                                                       std::vector<std::string>* tables = nullptr);
  /// Prepares and runs; the samples are not looked at. A motion that cannot begin has no steps.
  [[nodiscard]] static SimulationResult Simulate(const Robot& robot, const MotionRequest& request,
                                                 Diagnostics& diagnostics);
  /// Runs once. `interrupted`: asked before every step, a reason ends the run; may be empty.
  /// Messages of events go to `diagnostics`; an end before its time is an error there.
  [[nodiscard]] SimulationResult Run(const MotionObserver& observer,
                                     const std::function<std::string()>& interrupted,
                                     Diagnostics& diagnostics);
  /// An empty table with the header of this motion.
  [[nodiscard]] MotionTable Table() const;
  /// Result, events and figures as a JSON object.
  [[nodiscard]] std::string Summary(const SimulationResult& result) const;

  [[nodiscard]] const Model& model() const { return model_; }  ///< with the base as asked for
  [[nodiscard]] const std::vector<JointPlace>& joints() const { return joints_; }  ///< with `hold`
  [[nodiscard]] const MotionSystem& system() const { return *system_; }  ///< what is integrated

 private:
  Motion() = default;
  friend class MotionBuilder;
  [[nodiscard]] SimulationOptions Options() const;
  void TellEvents(const SimulationResult& result, Diagnostics& diagnostics) const;
  void TellChangePoints(const SimulationResult& result, Diagnostics& diagnostics) const;
  void TellOpened(const SimulationResult& result, Diagnostics& diagnostics) const;
  void TellStiffness(const SimulationResult& result, Diagnostics& diagnostics) const;

  MotionRequest request_;
  std::string file_;
  Model model_;
  Mechanism mechanism_;  // with joints held
  std::vector<JointPlace> joints_;
  std::unique_ptr<MotionSystem> system_;
  Eigen::VectorXd q_, v_;
};

}  // namespace kinemorph
