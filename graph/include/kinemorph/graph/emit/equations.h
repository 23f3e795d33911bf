// The equations of motion of a mechanism as programs, and as files: C99, MATLAB, FMU.
//
//   kin      poses of the links                    R, p of each link in the world
//   phi      constraint rows that are kept         phi (rank); zero where the loops are closed
//   K        their Jacobian                        dphi/dt = K v
//   k_rhs    right-hand side of K qdd = k          k = -(dK/dt) v
//   close    Newton along the tangent              q from a guess, the independent ones held
//   G, g_rhs explicit form                         v = G v_q, qdd = G a_q + g
//   M, bias  spanning tree                         M qdd + bias = tau + passive + K^T lambda
//   passive  springs and viscous damping of joints
//   fd       forward dynamics                      qdd from q (closed), v_q, tau
//   spf_rhs  the singularly perturbed formulation  an explicit ODE in (q, v_q)
//   feet     points that may stand on the ground   p in the world
//   impact   some of them come to stand            v and impulses from q, v_q, and which of them
//
// The SPF is the paper form: v = G v_q in the dynamics, dq/dt = v - J_z^-1 phi / epsilon on the
// dependent coordinates, so that phi decays as exp(-t / epsilon). Quaternions follow
// Q' = 1/2 Q (0, omega) + (1 - |Q|^2) Q / (2 epsilon).
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/emit/program.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/foot.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// A scalar coordinate or velocity.
struct ExportedScalar {
  std::string joint;       ///< as the model has it
  std::string name;        ///< with the component: "hip[1]", "base.w"
  std::string identifier;  ///< unique among its kind, a C name when something stands before it
  std::string unit;        ///< "rad", "m", "1", "rad/s", "m/s"
  double lower =
             -std::numeric_limits<double>::infinity(),  ///< limit of a position (rad, m); infinite
                                                        ///< where unlimited, and for velocities
      upper = std::numeric_limits<double>::infinity();  ///< as `lower`
  bool reversed = false;  ///< the joint points against the tree; coordinates are its own
  // The rest is of velocities, as Mechanism has it.
  double armature = 0,  ///< on the diagonal of M (kg m^2, kg); 0 for positions, as what follows
      damping = 0,      ///< viscous (N m s/rad, N s/m)
      friction = 0,     ///< Coulomb (N m, N); told, and in simulations alone
      stiffness = 0,    ///< of a spring (N m/rad, N/m)
      reference = 0;    ///< where the spring is slack (rad, m)
};

/// A link whose mass a simulation may change; its inertia about its centre of mass keeps step.
struct ExportedMass {
  std::string link;        ///< as the model has it
  std::string identifier;  ///< unique among masses
  int body = 0;            ///< index into Mechanism::bodies
  double mass = 0;         ///< as the model has it (kg), more than zero
};

/// A frame whose pose a simulation tells.
struct ExportedFrame {
  std::string name;        ///< as the user has it
  std::string identifier;  ///< unique among frames; MakeEquations gives it
  int body = 0;            ///< index into Mechanism::bodies: B, which it moves with
  RigidTransform X_BF;     ///< its pose in B
};

/// What closes loops: Newton on blocks of them, whose numbers two programs give.
struct ExportedClosing {
  /// An aggregate in loops: they are solved together.
  struct Block {
    std::vector<int> velocities;  ///< columns, as indices into v
    int rows = 0;                 ///< of those that are kept
  };
  std::vector<Block> blocks;      ///< in the order of the rows
  std::vector<double> row_units,  ///< by kept row: 1, or the characteristic length (m) of a length
      units;                      ///< by velocity: the same
  std::vector<int> rates,  ///< by position: the velocity that is its rate; of a part of a ball
                           ///< or free joint -1 - that joint's first velocity
      joints;              ///< by velocity: itself; of a ball or free joint its first one
  std::vector<Program> programs;  ///< "loops": phi, and K by blocks; "move": positions after a step
};

/// The programs of a mechanism, and what their arrays mean.
struct Equations {
  std::string name;                       ///< a C identifier
  std::string model_name;                 ///< as the model has it
  std::vector<ExportedScalar> positions,  ///< entries of q
      velocities;                         ///< entries of v, tau and qdd
  std::vector<std::string> links;         ///< order of kin
  std::vector<std::string> rows;          ///< of phi and K: "loop1.vx"
  std::vector<int> kept;                  ///< the same rows as indices into the stacked K
  std::vector<int> independent;           ///< by column of G: index into v
  std::vector<bool> dependent;            ///< by velocity
  Eigen::VectorXd assembled;              ///< a closed q (nq)
  Vector3 gravity;                        ///< m/s^2, world axes
  std::vector<ExportedMass> masses;       ///< order of the input "scale" of rhs; for simulations
  std::vector<ExportedFrame> frames;      ///< order of "frames"; for simulations
  std::vector<Foot> feet;                 ///< order of "feet" and of the impulses of "impact"
  ExportedClosing closing;                ///< what "close" is made of
  std::vector<Program> programs;  ///< those named above but "close", or those of a simulation
  /// By name; null where it is not among them.
  [[nodiscard]] const Program* Find(std::string_view program) const;
};

/// What MakeEquations shall record.
struct EquationOptions {
  /// For simulators: "rhs", which is spf_rhs with Coulomb friction and soft limits, with gravity
  /// and factors of the masses as inputs, and with v as an output; and where there are `frames`, "frames": their poses in the world.
  bool simulation = false;
  std::vector<ExportedFrame> frames;  ///< of a simulation; identifiers are not looked at
  std::vector<Foot> feet;             ///< else: where there are any, "feet" and "impact"
  std::size_t max_steps = 2000000;    ///< of a program
};

/// Records them. `name` of the model, as it is. Nothing, with the reason in `why`, where the loops
/// cannot be closed, the independent coordinates do not determine the rest, a motion meets no
/// inertia, nothing moves, or a program gets too long.
[[nodiscard]] std::optional<Equations> MakeEquations(const Mechanism& mechanism,
                                                     const Coordinates& coordinates,
                                                     std::string_view name,
                                                     const EquationOptions& options,
                                                     std::string& why);

/// "close" as a program without steps: what goes in and comes out. It iterates, which a list of steps
/// cannot: exported code has it written out.
[[nodiscard]] Program CloseSignature(const Equations& equations);

/// A file to be written.
struct ExportedFile {
  std::string name,  ///< in an FMU its path in the archive, with "/"
      text;          ///< all of it
};
/// NAME.h, NAME.c, README.txt.
[[nodiscard]] std::vector<ExportedFile> ExportC(const Equations& equations);
/// NAME_FUNCTION.m each, NAME_info.m, README.txt.
[[nodiscard]] std::vector<ExportedFile> ExportMatlab(const Equations& equations);
/// The two standards of FMUs.
enum class FmiVersion {
  kFmi2,  ///< 2.0
  kFmi3,  ///< 3.0
};
/// What stands in the archive NAME.fmu but for binaries, by path; of equations for a simulation.
/// For model exchange and co-simulation.
[[nodiscard]] std::vector<ExportedFile> ExportFmu(const Equations& equations,
                                                  FmiVersion version = FmiVersion::kFmi2);

}  // namespace kinemorph
