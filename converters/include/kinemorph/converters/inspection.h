/// What a model is: what `kinemorph inspect` prints, for bindings and pages too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/closures/dead_centre.h"
#include "kinemorph/graph/closures/explicit_closure.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A loop joint by names.
struct InspectedLoop {
  std::string name;         ///< as authored
  std::string type;         ///< its kind, as KindName says it
  std::string predecessor;  ///< link P
  std::string successor;    ///< link S
  std::string nca;          ///< their nearest common ancestor in the spanning tree
};

/// How the dependent coordinates of an aggregate with loops or couplings follow from the others.
struct InspectedClosure {
  std::vector<std::string> links;               ///< sorted; without synthetic ones
  int mobility = 0;                             ///< of the aggregate
  ClosureDescription description;               ///< how it is solved, and why so
  std::vector<int> independent;                 ///< velocities of its independent coordinates
  DeadCentreSearch dead_centres;                ///< within the limits
  std::optional<ClosureComparison> comparison;  ///< with Newton, where that you asked for
};

/// A drive, seen from its joint.
struct InspectedDrive {
  std::string joint;         ///< that it moves
  std::string kind;          ///< what it is commanded: "position", "velocity", "effort"; or "other"
  std::optional<double> kp,  ///< of a servo of positions (N m/rad, N/m)
      kd,                    ///< of a servo (N m s/rad, N s/m)
      effort,                ///< the largest it gives (N m, N); nothing: any
      target;                ///< where the file commands it to be; nothing: it does not
};

/// Numbers are in m, kg and rad.
struct Inspection {
  std::string name;                ///< of the model
  std::string format;              ///< that it was read from: "urdf", "urdf+", "sdf", "mjcf", "mbs"
  std::string root;                ///< first link behind the world; empty: there are no links
  std::size_t links = 0;           ///< without the world and synthetic ones
  std::size_t joints = 0;          ///< of the spanning tree, without implicit ones
  std::size_t loops = 0;           ///< loop joints
  std::size_t couplings = 0;       ///< of every form
  Coordinates coordinates;         ///< rank, mobility, declarations
  bool says_independence = false;  ///< some joint says whether it is independent
  /// Aggregate links by the names of their links, sorted; without the world and synthetic links.
  std::vector<std::vector<std::string>> aggregates;
  std::vector<std::optional<std::size_t>> parents;  ///< by aggregate link; none: on the world
  std::vector<InspectedClosure> closures;           ///< of aggregates with constraint rows
  std::vector<InspectedLoop> loop_joints;           ///< in document order
  std::vector<InspectedDrive> drives;               ///< of joints, in document order
  /// Where joints of one coordinate start (rad, m), as the file says it.
  std::vector<std::pair<std::string, double>> start;
  std::vector<std::string> cut_reasons;       ///< of loop joints that the author did not choose
  std::vector<std::string> coordinate_names;  ///< by velocity
  std::vector<std::string> independent;       ///< velocity coordinates, as declared or as chosen
  std::vector<std::string> dependent;         ///< the other ones of aggregates with loops
  std::vector<std::string> stuck;    ///< independent ones that cannot move (StuckCoordinates)
  double total_mass = 0;             ///< kg
  Vector3 p_WCcm = Vector3::Zero();  ///< centre of mass at q = 0, world axes
};

/// Looks at the model with this spanning tree. `compare_closures`: hold the closed forms against
/// Newton at random closed states, which takes longer.
[[nodiscard]] Inspection Inspect(const Model& model, const SpanningTree& tree,
                                 bool compare_closures = false);

/// All of it as one object, with the messages of reading.
[[nodiscard]] std::string InspectionJson(const Inspection& inspection,
                                         const Diagnostics& diagnostics);

}  // namespace kinemorph
