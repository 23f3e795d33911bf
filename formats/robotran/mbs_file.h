// An .mbs file as data, one struct per element. What is only drawn (2D diagram, 3D display flags)
// is kept as it stands.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/source_location.h"
#include "kinemorph/graph/base/spatial.h"
#include "xml_reader.h"

namespace kinemorph::mbs {

enum class Nature { kIndependent, kDependent, kDriven };

struct FileJoint {
  std::string name;
  bool rotation = true;  ///< R or T
  int k = 0;             ///< 0, 1, 2 for the 1, 2, 3 of the type
  Nature nature = Nature::kIndependent;
  double q = 0, qd = 0, qdd = 0;  ///< initialvalue; 0 when absent
  bool actuated = false;
  bool symbols = false, symbol_q = false, symbol_qd = false, symbol_qdd = false;
  NativeElement extforce, graphics;  ///< as they stand, empty when absent
  SourceLocation where;
};

struct FilePoint {
  std::string name;
  Vector3 p = Vector3::Zero();               ///< in the body frame, m
  NativeElement sensor, extforce, graphics;  ///< as they stand, empty when absent
  std::string sensor_name, extforce_name;
  SourceLocation where;
};

enum class ShapeKind { kBox, kCylinder, kCone, kSphere, kInline };

struct FileShape {
  ShapeKind kind = ShapeKind::kBox;
  std::string name;
  bool hide = false;
  Vector3 position = Vector3::Zero(), scale = Vector3::Ones();
  Vector3 rotation = Vector3::Zero();  ///< current-frame Rx Ry Rz, rad
  std::array<int, 3> color{};          ///< 0..255
  std::optional<std::array<int, 3>> specular;
  std::optional<double> shininess;
  double transparency = 0;         ///< 0 opaque .. 1
  Vector3 size = Vector3::Zero();  ///< box: full extents
  double radius = 0, height = 0;
  std::string url;
  SourceLocation where;
  /// The same element, wherever it stands.
  [[nodiscard]] bool SameAs(const FileShape& other) const;
};

/// graphics of a body or the base.
struct FileGraphics {
  NativeElement x2D;  ///< as it stands
  std::vector<std::string>
      flags;  ///< x3D_com, x3D_points, x3D_lines, x3D_frame: names of empty elements, in order
  bool has_shapes = false;  ///< an x3D_shapes element, maybe empty
  std::vector<FileShape> shapes;
};

struct FileInertia {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
};

struct FileBody {
  std::string name, parent, parent_point;
  std::vector<FileJoint> joints;
  std::optional<double> mass;
  std::optional<Vector3> com;
  std::optional<FileInertia> inertia;  ///< about the centre of mass, body axes
  std::vector<FilePoint> points;
  FileGraphics graphics;
  SourceLocation where, parent_where;
};

struct Endpoint {
  std::string body, point;
  SourceLocation where;
};

enum class CutKind { kSolid, kBall, kRod };

struct FileCut {
  CutKind kind = CutKind::kBall;
  std::string name;
  Endpoint ends[2];
  double length = 0;  ///< rod
  std::array<bool, 3> ignore{};
  NativeElement graphics;  ///< as it stands
  SourceLocation where;
};

struct FileLink {  ///< a force element
  std::string name;
  Endpoint ends[2];
  NativeElement element;  ///< as it stands
  SourceLocation where;
};

struct UserConstraint {
  std::string name;
  std::vector<std::string> joints;
  SourceLocation where;
};

struct UserParameter {
  std::string name, type;  ///< scalar, vector, state, integer, lut1D, lut2D, structure
  std::vector<double> values;
  SourceLocation where = {};
};

struct UserModel {
  std::string name;
  std::vector<UserParameter> parameters;
  bool plain = true;      ///< a name and parameters of a name, a type and numbers, nothing else
  NativeElement element;  ///< as read, where it is not ours; written instead of `parameters` then
  SourceLocation where;
};

struct UserVariable {
  std::string name;
  NativeElement element;  ///< as it stands
  SourceLocation where;
};

struct MbsFile {
  std::string name, version;
  Vector3 gravity = Vector3::Zero();
  std::string base_name;
  std::vector<FilePoint> base_points;
  FileGraphics base_graphics;  ///< x2D holds base_body
  std::vector<FileBody> bodies;
  std::vector<FileCut> cuts;  ///< solids, balls, rods
  std::vector<FileLink> links;
  std::vector<UserConstraint> user_constraints;
  std::vector<UserModel> user_models;
  std::vector<UserVariable> user_variables;
  NativeElement x3D;  ///< as it stands
};

/// The file below `root`; every problem is reported with its line, and as much as possible is kept.
[[nodiscard]] MbsFile ParseFile(const xml::Element& root);

/// The text, in the order and with the elements every published loader wants.
[[nodiscard]] std::string PrintFile(const MbsFile& file);

[[nodiscard]] NativeElement ShapeElement(const FileShape& shape);

/// Letters, digits and '_', not starting with a digit: what MBsysC can turn into a macro.
[[nodiscard]] bool IsLegalName(std::string_view name);

}  // namespace kinemorph::mbs
