// What Robotran MBS holds.
#include "cells.h"
#include "kinemorph/formats/xml_tags.h"
#include "mbs.h"

namespace kinemorph {
namespace {

using namespace cells;
using enum Feature;

constexpr std::string_view kMbsNone = "MBS has no place for it";
constexpr std::string_view kUserCode =
    "MBS has no element for this relation: the file lists the relation under user_constraints, and "
    "user code must enforce it (the report has the code in C)";
constexpr std::string_view kMbsNoCollision = "MBS has no collision geometry";
constexpr std::string_view kMbsNumber =
    "kept as a number in user_models; nothing in Robotran acts on it";

// A loop joint is a cut, with a copy body where its kind asks for one; numbers without an element
// go to user_models, which Robotran keeps and does not obey (`remarks`).
constexpr Row<1> kRows[] = {
    {kJointFixed, {N("a driven joint held at zero")}},
    {kJointRevolute, {N()}},
    {kJointContinuous, {N()}},
    {kJointPrismatic, {N()}},
    {kJointScrew,
     {U("remarks",
        "a rotation and a translation; user code must enforce the pitch (the report has it in "
        "C)")}},
    {kJointUniversal, {N("two joints of one body")}},
    {kJointBall, {N("three joints of one body")}},
    {kJointPlanar, {N("three joints of one body")}},
    {kJointCylindrical, {N("two joints of one body")}},
    {kJointFree, {N("six joints of one body")}},

    {kLoopFixed, {N("solid cut")}},
    {kLoopRevolute, {N("ball or solid cut")}},
    {kLoopPrismatic, {N("solid cut")}},
    {kLoopScrew,
     {U("remarks", "a solid cut; user code must enforce the pitch (the report has it in C)")}},
    {kLoopUniversal, {N("solid cut")}},
    {kLoopBall, {N("ball cut")}},
    {kLoopPlanar, {N("solid cut")}},
    {kLoopCylindrical, {N("solid cut")}},
    {kLoopAncestor, {N()}},
    {kLoopAxisData, {N("numbers in user_models")}},

    {kCouplingMimic, {U("couplings", kUserCode)}},
    {kCouplingRatio, {U("couplings", kUserCode)}},
    {kCouplingGearbox, {U("couplings", kUserCode)}},
    {kCouplingPolynomial, {U("couplings", kUserCode)}},
    {kCouplingLinear, {U("couplings", kUserCode)}},
    {kIndependent, {N("nature")}},

    {kJointFrameOffset, {N()}},
    {kReversedJoint, {L("orient_joints", "the joint is turned round, its axis negated")}},
    {kWorldJoint, {N()}},
    {kFloatingBase, {N("six joints")}},
    {kSeveralModels,
     {P("select_model",
        "one robot per file: joints between them make one; else --model NAME chooses")}},
    {kNestedModel, {L("flatten_models", "names joined with '::'")}},
    {kStaticModel, {L("static_models", "its joints are locked, and it is fixed to the world")}},
    {kFrame, {N("a point; its orientation is kept in user_models")}},
    {kGravity, {N()}},
    {kNameClash, {P("names", "renamed, with a map; equal names of an MBS file stay")}},
    {kReservedName, {N()}},

    {kMasslessLink, {N()}},
    {kRotatedInertia, {L("inertia_axes", "tensor turned into the body axes")}},
    {kUnphysicalInertia, {N("written as it is")}},
    {kUnknownMass, {X("a replacement is written")}},
    {kLinkGravity, {X("gravity acts on every body")}},
    {kSelfCollision, {X(kMbsNoCollision)}},

    {kPositionLimit, {U("remarks", kMbsNumber)}},
    {kOneSidedLimit, {U("remarks", kMbsNumber)}},
    {kEffortLimit, {U("remarks", kMbsNumber)}},
    {kAsymmetricEffortLimit, {U("remarks", kMbsNumber)}},
    {kVelocityLimit, {U("remarks", kMbsNumber)}},
    {kAccelerationLimit, {U("remarks", kMbsNumber)}},
    {kJerkLimit, {U("remarks", kMbsNumber)}},
    {kDamping, {U("remarks", kMbsNumber)}},
    {kFriction, {U("remarks", kMbsNumber)}},
    {kSpring, {U("remarks", kMbsNumber)}},
    {kArmature, {U("remarks", kMbsNumber)}},
    {kLimitCompliance, {U("remarks", kMbsNumber)}},
    {kSafety, {U("remarks", kMbsNumber)}},
    {kCalibration, {U("remarks", kMbsNumber)}},
    {kPositionOffset, {U("remarks", kMbsNumber)}},
    {kInitialPosition, {N("initialvalue")}},

    {kVisual, {N()}},
    {kCollision, {X(kMbsNoCollision)}},
    {kShapeBox, {N()}},
    {kShapeSphere, {N()}},
    {kShapeCylinder, {N()}},
    {kShapeCapsule, {L("shapes", "a cylinder and two spheres")}},
    {kShapeCone, {N()}},
    {kShapeEllipsoid, {N("a sphere with three scales")}},
    {kShapePlane, {X("MBS has no plane")}},
    {kShapeMesh, {P("shapes", "the file is named; MBSysPad opens .wrl and .obj only")}},
    {kShapeMeshScale, {N()}},
    {kShapeSubmesh, {X("MBS takes the whole mesh")}},
    {kShapePolyline, {X("MBS has no polyline")}},
    {kShapeNative, {P("native_data", kNativeOnly)}},
    {kMaterialColor, {P("shapes", "rounded to steps of 1/255")}},
    {kMaterialTexture, {X("MBS has no textures")}},
    {kMaterialLighting, {P("shapes", "a specular colour; no ambient or emissive one")}},
    {kTransparency, {N()}},
    {kSurfaceFriction, {X(kMbsNoCollision)}},

    {kSensor, {P("native_data", kNativeOnly)}},
    {kMotor, {P("native_data", "a flag on the joint and its gear as a number in user_models")}},
    {kServo,
     {P("native_data",
        "a flag on the joint and its gear as a number in user_models; its control law is not "
        "written")}},
    {kActuator,
     {P("native_data",
        "a flag on the joint and its gear as a number in user_models; its control law is not "
        "written")}},
    {kContactExclusion, {X(kMbsNoCollision)}},
    {kNativeData, {P("native_data", kNativeOnly)}},
};
constexpr Table<1> kTable(kRows, X(kMbsNone));

Capability MbsCell(Feature feature, const WriteOptions&) { return kTable(feature); }

TargetTraits MbsTraits(const WriteOptions&) {
  TargetTraits t;
  t.native_format = "mbs";
  t.native_zeros_say_nothing = true;
  t.motors = true;
  return t;
}

Likeness LikeMbs(std::string_view text) {
  return RootElementName(text) == "mbsDescR7" ? Likeness::kItsOwn : Likeness::kForeign;
}

}  // namespace

Format MbsFormat() {
  Format f;
  f.silent_gravity = Vector3(0, 0, -9.81);
  f.name = "mbs";
  f.joints_in_a_row = true;
  f.drives.one_a_joint = true;  // it is a flag
  f.title = "Robotran MBS";
  f.extensions = {".mbs"};
  f.likeness = LikeMbs;
  f.read = ReadMbs;
  f.write = WriteMbs;
  f.dialects = {{"mbs", {}}};
  f.capability = MbsCell;
  f.content_weights = MbsContentWeights;
  f.traits = MbsTraits;
  f.refuses = MbsRefuses;
  return f;
}

}  // namespace kinemorph
