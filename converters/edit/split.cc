#include "edit/split.h"

#include "edit/removal.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {

// Kinds of several coordinates as products of revolute and prismatic joints, in the order in which
// their X_FM(q) is defined (kinemorph/graph/mechanics/joint_motion.h), so that coordinates, limits
// and couplings go over one by one. Links between the pieces have no mass: they are frames. Only
// ball and free joints are not such a product: their quaternion becomes three angles, which have a
// singular posture at a quarter turn of the second.
std::vector<JointKind> PiecesOf(const JointKind& kind) {
  using Pieces = std::vector<JointKind>;
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  return std::visit(
      Overloaded{
          [](const Fixed&) { return Pieces{}; }, [](const Revolute&) { return Pieces{}; },
          [](const Prismatic&) { return Pieces{}; },
          [](const Screw& k) {
            return Pieces{Revolute{k.axis}, Prismatic{k.axis}};
          },
          [](const Universal& k) {
            return Pieces{Revolute{k.axis1}, Revolute{k.axis2}};
          },
          [&](const Ball&) {
            return Pieces{Revolute{x}, Revolute{y}, Revolute{z}};
          },
          [](const Planar& k) {
            const Matrix3 basis = PlanarBasis(k.normal);
            return Pieces{Prismatic{basis.col(0)}, Prismatic{basis.col(1)}, Revolute{k.normal}};
          },
          [](const Cylindrical& k) {
            return Pieces{Revolute{k.axis}, Prismatic{k.axis}};
          },
          [&](const Free&) {
            return Pieces{Prismatic{x}, Prismatic{y}, Prismatic{z},
                          Revolute{x},  Revolute{y},  Revolute{z}};
          }},
      kind);
}

namespace {

std::vector<Subject> Pieces(const Model& model, const std::vector<JointId>& chain) {
  std::vector<Subject> pieces;
  pieces.reserve(chain.size());
  for (const JointId id : chain) pieces.push_back(SubjectOf(model.joint(id)));
  return pieces;
}

}  // namespace

Splitter::Splitter(Model& model, PassContext& context)
    : model_(model), context_(context), links_(LinkNames(model)), joints_(JointNames(model)) {}

// One rebuilding of the graph for all joints that were split; until then the first piece of a
// chain, which keeps the id of the whole joint and with it sensors, actuators and the outer end of
// couplings, still leads to the old successor.
void Splitter::Finish() {
  if (successor_.empty()) return;
  model_.Reconnect([&](JointId id) {
    const auto found = successor_.find(id);
    return std::pair(model_.predecessor(id),
                     found == successor_.end() ? model_.successor(id) : found->second);
  });
  successor_.clear();
}

void Splitter::LoseWhole(Joint joint) {
  // An armature and a limit of a ball are isotropic, of the rotation as such (MJCF range of a ball
  // joint); three angles in a row have no coordinate with this meaning.
  constexpr const char* kWhy =
      "they act on the rotation as a whole, but each of the three joints of the chain has its own";
  for (std::size_t i = 0; i < joint.axes.size(); ++i)
    LoseNumber(model_, joint, i, AxisNumber(&JointAxis::armature), kWhy, context_,
               " of the joint as a whole");
  if (IsPassive(joint)) return;
  const std::string said = AxesText(joint);
  context_
      .Lose(model_, TreeFeature(joint), SubjectOf(joint),
            "limit and dynamics of the joint as a whole are not written: " + said, kWhy)
      .source = said;
}

// A drive of a ball acts about an axis of its child; no angle of the chain is about that.
void Splitter::LoseDrives(JointId id) {
  std::erase_if(model_.actuators, [&](const Actuator& drive) {
    if (drive.joint != id) return false;
    context_
        .Lose(model_, DriveFeature(drive), SubjectOf(model_, drive),
              "the drive of the ball is not written",
              "it acts about an axis of the link, and none of the three joints of the chain does")
        .weight = Weight::kMotion;
    return true;
  });
}

std::vector<JointId> Splitter::Split(JointId id) {
  return Split(id, PiecesOf(model_.joint(id).kind));
}

std::vector<JointId> Splitter::Split(JointId id, const std::vector<JointKind>& pieces) {
  Model& model = model_;
  const Joint whole = model.joint(id);
  if (pieces.size() < 2) return {id};
  const LinkId successor = model.successor(id);

  // What is said of a ball or free joint as a whole has no single coordinate to go to.
  const bool by_axis = whole.axes.size() == pieces.size();
  if (!by_axis && !std::holds_alternative<Screw>(whole.kind)) LoseWhole(whole);
  if (std::holds_alternative<Ball>(whole.kind)) LoseDrives(id);

  // The outer frames stay where they are: X_PF on the first piece, X_SM on the last. All frames
  // between them coincide, and the pieces move them apart.
  std::string through;
  std::vector<JointId> chain{id};
  LinkId from = model.predecessor(id);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool first = i == 0, last = i + 1 == pieces.size();
    Joint piece;
    piece.name = joints_.Take(whole.name + "_" + std::to_string(i + 1));
    piece.kind = pieces[i];
    piece.role = whole.role;
    piece.scope = whole.scope;
    piece.where = whole.where;
    piece.independent = whole.independent;
    piece.commanded = whole.commanded;
    piece.axes.resize(1);
    if (by_axis) piece.axes[0] = whole.axes[i];
    if (first) piece.X_PF = whole.X_PF;
    if (last) piece.X_SM = whole.X_SM;
    if (first) piece.native = whole.native;
    LinkId to = successor;

    // The scope of the successor: a nested model of SDFormat must hold its own links, and a world
    // holds none.
    if (!last) {
      Link link;
      link.scope = model.link(successor).scope;
      link.name =
          links_.Take(NameBeside(model.link(successor), whole) + "_link" + std::to_string(i + 1));
      link.synthetic = true;
      link.where = whole.where;
      through += (through.empty() ? "'" : ", '") + link.name + "'";
      to = model.AddLink(std::move(link));
    }
    if (first) {
      model.joint(id) = std::move(piece);
      successor_[id] = to;
    } else {
      chain.push_back(model.AddJoint(from, to, std::move(piece)));
    }
    from = to;
  }
  if (const auto* screw = std::get_if<Screw>(&whole.kind)) {
    // The screw's one coordinate is the angle; the displacement follows it.
    model.joint(chain[0]).axes = whole.axes;
    model.joint(chain[1]).independent =
        // p = pitch * angle, as a mimic of the slide: q_slide - pitch q_turn = 0.
        whole.independent ? std::optional<bool>(false) : std::nullopt;
    Coupling coupling;
    coupling.name = whole.name + "_pitch";
    coupling.form = CouplingForm::kMimic;
    coupling.terms = {{{chain[1], 0}, {1, 0, 0, 0}}, {{chain[0], 0}, {-screw->pitch, 0, 0, 0}}};
    coupling.where = whole.where;
    model.couplings.push_back(std::move(coupling));
  }
  // Couplings follow: coordinate k of the whole joint is the only one of piece k. Coordinate 0
  // stays where it is, since the first piece has the id of the whole.
  if (by_axis) {
    for (int k = static_cast<int>(pieces.size()) - 1; k > 0; --k)
      MoveCoordinate(model, {id, k}, {chain[static_cast<std::size_t>(k)], 0});
  }
  Became(Called(std::string(KindName(whole.kind)) + " joint", SubjectOf(whole)),
         "split into '" + model.joint(chain.front()).name + "' .. '" +
             model.joint(chain.back()).name + "' through massless " +
             (pieces.size() > 2 ? "links " : "link ") + through,
         Pieces(model, chain), context_);
  return chain;
}

}  // namespace kinemorph
