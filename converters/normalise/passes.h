// The passes of this room in the order in which they run: what each requires and what it ensures, and
// what the recipe of a target may ask of it.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: no limit of a joint is 1e16 or more in magnitude, nor infinite;
/// SDFormat before 1.10 and many URDF files spell "unlimited" so. The mechanism is the same, hence
/// no report.
void Unlimited(Model& model, PassContext& context);

/// Requires: nothing. Ensures: a root link called "world" that carries joints is the world vertex
/// itself, with all that stood on it but its mass, which is lost. A link "world" below a joint, or
/// without any, stays an ordinary link.
void BindWorldLink(Model& model, PassContext& context);

/// Requires: nothing. Ensures: where the model states no gravity and the target would mean another
/// one by that than the source does, it is stated.
void SilentGravity(Model& model, PassContext& context);

/// Requires: the model as it was read. Ensures: where the target says where joints start and the source
/// says it by a keyframe, the joints have the initial positions of that. Each is a loss that names it.
void Keyframes(Model& model, PassContext& context);

/// Requires: nothing. Ensures: with --model NAME only that model is left, its names without the
/// leading "NAME::". Without it, a target that holds one robot gets an error that lists the models.
void SelectModel(Model& model, PassContext& context);

/// Requires a selected model. Ensures, where the target decides by another rule than the source
/// which links collide, that masks and exclusions say it all (ContactRule::kAll), whatever becomes
/// of models, joints and links. Words of self-collision stay, and mean nothing any more.
void ExplicitContacts(Model& model, PassContext& context);

/// Ensures: no scope is static; the joints inside what was one are fixed joints, as many as hold
/// its links together, and one fixed joint from the world holds each part. Joints that close a
/// cycle among them, and couplings of theirs, have no effect and go.
void StaticModels(Model& model, PassContext& context);

/// Requires: a valid model. Ensures: no joint is undecided; tree joints span all links
/// (ChooseSpanningTree, with --cut). The reason of each cut that the author did not make is kept
/// for the note. Where the target cannot hold loop joints between a link and its own ancestor, cuts
/// move to another joint of the loop if that is closed at q = 0.
struct ChooseTree {
  static constexpr std::string_view kName = "choose_tree";
  bool links_beside_tree = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{links_beside_tree, "links of `<gazebo>` blocks stay beside the tree of URDF"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures, for every root link and every link on a fixed or free joint
/// from the world:
///   --base fixed     a fixed joint from the world;
///   --base floating  a free joint from the world;
///   --base auto      what the source says. Unsaid (URDF) stays unsaid where the target can leave
///                    it so; where the target must know, the base is fixed, with a note. A free
///                    base that no joint spells out (SDFormat) becomes unsaid for a target with one
///                    root link, and a free joint for one that needs it said.
/// A note says what programs make of a floating joint that is written, where they differ.
/// Roots of a static model are fixed.
struct DecideBase {
  static constexpr std::string_view kName = "base";
  bool must_be_said = false, free_is_implicit = false, links_beside_tree = false;
  bool silence_is_free = false;  ///< for who reads the target, which has words for both
  std::string_view floating_is_read_as = {};  ///< what other programs make of a floating joint
  [[nodiscard]] AskedWords Asked() const {
    return {{must_be_said, "the base is fixed or free: the format has no \"unspecified\""},
            {free_is_implicit, "what nothing ties to the world is free, and no joint says so"},
            {links_beside_tree, "links of `<gazebo>` blocks have no base"},
            {silence_is_free, "a note says that what nothing ties to the world is free"},
            {!floating_is_read_as.empty(), "a note says what programs make of a floating joint"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: nothing. Ensures: everything belongs to one scope; names keep their "::".
void FlattenModels(Model& model, PassContext& context);

/// Requires: roles decided. Ensures: every loop joint is closed at q = 0, with X_FM(0) the identity,
/// as the target takes one frame of it from there. A model drawn open is moved to the assembled
/// configuration nearest to the drawing: the successor frames take the displacement, limits, springs
/// and couplings are measured from there, and position_offset keeps the author's coordinate. A loop
/// that cannot be assembled is lost.
struct Assemble {
  static constexpr std::string_view kName = "assemble";
  bool may_stay_open = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{may_stay_open, "a loop that nothing closes, or that was drawn open, stays open"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures, where the table gives the declaration of independent
/// coordinates to it: every moving joint of the tree is declared, as its author has it, else by
/// choice (AnalyseCoordinates). Where motors are asked for, it is known which joints depend on
/// others.
void ClosedNatures(Model& model, PassContext& context);

/// Requires: roles decided. Ensures: every tree joint leads from the parent to the child. The axis
/// is negated and the frames change places, so that coordinates keep their values, limits and
/// couplings; a universal joint's two coordinates change places.
void OrientJoints(Model& model, PassContext& context);

}  // namespace kinemorph
