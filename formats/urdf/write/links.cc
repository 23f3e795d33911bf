// Links: inertials, visuals, collisions, shapes, materials.
#include "kinemorph/graph/base/overloaded.h"
#include "write/writer.h"

namespace kinemorph::urdf_format {

void RobotWriter::WriteOrigin(const RigidTransform& X, bool always) {
  if (!always && X.IsExactlyIdentity()) return;
  out_.Open("origin").Attribute("xyz", X.p).Attribute("rpy", RpyFromRotation(X.R)).Close();
}

void RobotWriter::WriteLink(LinkId id) {
  const Link& link = model_.link(id);
  const std::string owner = About("link", LinkName(id));
  out_.Open("link").Attribute("name", LinkName(id));
  // The tensor is about the centre of mass in the axes of <origin>, as the model has it (kg, m, kg
  // m^2).
  if (link.inertial) {
    const Inertial& inertial = *link.inertial;
    out_.Open("inertial");
    WriteOrigin(inertial.X_LI, false);
    out_.Open("mass").Attribute("value", inertial.mass).Close();
    const Matrix3& I = inertial.I_I;
    out_.Open("inertia")
        .Attribute("ixx", I(0, 0))
        .Attribute("ixy", I(0, 1))
        .Attribute("ixz", I(0, 2))
        .Attribute("iyy", I(1, 1));
    out_.Attribute("iyz", I(1, 2)).Attribute("izz", I(2, 2)).Close();
    WriteInnerNative(inertial.native, owner);
    out_.Close();
  } else if (NeedsZeroInertial(id)) {
    out_.Open("inertial").Open("mass").Attribute("value", 0.0).Close().Open("inertia");
    for (const char* entry : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) out_.Attribute(entry, 0.0);
    out_.Close().Close();
  }
  for (const Visual& visual : link.visuals) {
    out_.Open("visual");
    if (!visual.name.empty()) out_.Attribute("name", visual.name);
    WriteOrigin(visual.X_LG, false);
    WriteShape(visual.shape, owner, visual.where);
    WriteMaterial(visual, owner);
    WriteInnerNative(visual.native, owner);
    out_.Close();
  }
  for (const Collision& collision : link.collisions) {
    out_.Open("collision");
    if (!collision.name.empty()) out_.Attribute("name", collision.name);
    WriteOrigin(collision.X_LG, false);
    WriteShape(collision.shape, owner, collision.where);
    WriteInnerNative(drake_ ? WithFriction(collision) : collision.native, owner);
    out_.Close();
  }
  WriteInnerNative(link.native, owner);
  out_.Close();
}

void RobotWriter::WriteShape(const Shape& shape, const std::string& owner, SourceLocation where) {
  // What URDF lacks has been replaced or dropped, with a loss, by the passes `shapes` and
  // `drop_unsupported`; a shape that comes here all the same is an error.
  const auto refuse = [&](const std::string& what) {
    Refuse("shape-not-lowered", where, {owner, "URDF has no " + what});
  };
  out_.Open("geometry");
  std::visit(
      Overloaded{
          [&](const Box& s) { out_.Open("box").Attribute("size", s.size).Close(); },
          [&](const Sphere& s) { out_.Open("sphere").Attribute("radius", s.radius).Close(); },
          [&](const Cylinder& s) {
            out_.Open("cylinder")
                .Attribute("radius", s.radius)
                .Attribute("length", s.length)
                .Close();
          },
          [&](const Capsule& s) {
            out_.Open("capsule")
                .Attribute("radius", s.radius)
                .Attribute("length", s.length)
                .Close();
          },
          [&](const Mesh& s) {
            if (s.submesh) refuse("submesh selection");
            out_.Open("mesh").Attribute("filename", s.uri);
            if (s.scale != Vector3::Ones()) out_.Attribute("scale", s.scale);
            out_.Close();
          },
          [&](const Cone&) { refuse("cone"); },
          [&](const Ellipsoid&) { refuse("ellipsoid"); },
          [&](const Plane&) { refuse("plane"); },
          [&](const Polyline&) { refuse("polyline"); },
          [&](const NativeShape& s) {
            if (s.data.format == "urdf")
              out_.Native(s.data.content);
            else
              refuse("shape '" + s.type + "'");
          },
      },
      shape);
  out_.Close();
}

// A link without mass says so where it stands for a frame, or for a part of a joint that moves
// something: PyBullet and DART take a link without <inertial> for 1 kg. At the end of the tree, and
// where shapes may be meant to weigh, nothing is said: a link that moves with no mass at all is
// worse there. Nor of the root, whose inertia KDL warns of, nor of a frame on what has no mass of
// its own: libsdformat makes one link of the two, and divides by their mass. GRBDA reads the
// inertial of every link but the root, be it there or not.
bool RobotWriter::NeedsZeroInertial(LinkId id) const {
  if (id == kWorld || beside_tree_[Index(id)]) return false;
  const JointId up = tree_.parent_joint[Index(id)];
  if (up == kNoJoint) return false;
  if (grbda_) return true;
  if (std::holds_alternative<Fixed>(model_.joint(up).kind)) {
    const auto& of_parent = model_.link(tree_.parent[Index(id)]).inertial;
    return of_parent && of_parent->mass > 0;
  }
  const Link& link = model_.link(id);
  return weighs_[Index(id)] && link.visuals.empty() && link.collisions.empty();
}

// The first use defines a material; later ones name it.
void RobotWriter::WriteMaterial(const Visual& visual, const std::string& owner) {
  if (!visual.material || !HasContent(*visual.material) || HasOwnMaterialText(visual)) return;
  const Material& material = *visual.material;
  const std::string& name = material_names_.at(KeyOf(material));
  out_.Open("material").Attribute("name", name);
  if (defined_materials_.insert(name).second) WriteMaterialContent(material, owner);
  out_.Close();
}

void RobotWriter::WriteMaterialContent(const Material& material, const std::string& owner) {
  if (material.diffuse) {
    const Rgba& c = *material.diffuse;
    out_.Open("color").Attribute("rgba", {c[0], c[1], c[2], c[3]}).Close();
  }
  if (material.texture) out_.Open("texture").Attribute("filename", *material.texture).Close();
  WriteInnerNative(material.native, owner);
}

}  // namespace kinemorph::urdf_format
