// Pieces of SDFormat text shared by the writer's files.
#pragma once

#include <string>
#include <vector>

#include "pose_text.h"
#include "sdf_model/link_text.h"
#include "write/plan.h"
#include "xml_writer.h"

namespace kinemorph::sdformat {

/// Writes models, links and joints; `plan` collects what cannot be said.
class TextWriter {
 public:
  explicit TextWriter(WritePlan& plan)
      : plan_(plan), model_(plan.model()), version_(plan.version()) {}
  [[nodiscard]] std::string Write();

 private:
  void WriteScope(int scope);
  void WriteGravity();
  void WriteFrame(int scope, const Frame& frame);
  void WriteSensors(const std::vector<std::size_t>& sensors);

  void WriteLink(int scope, LinkId id);  // links.cc

  void WriteJoint(int scope, JointId id);  // joints.cc
  void WriteWeldPlugin(NativeElement plugin, int scope, const std::string& parent,
                       const std::string& child);
  void WriteAxis(int scope, const char* element, const Vector3& axis_M, const Matrix3& R_WM,
                 const JointAxis* properties, Coordinate coordinate);
  void WriteMimic(int scope, Coordinate coordinate);
  void WriteJointPhysics(const Joint& joint);
  void WriteDrakeElements(int scope);  // drake.cc
  void WriteDrakeJoint(int scope, JointId id);
  void WriteGearbox(int scope, const Coupling& coupling);
  [[nodiscard]] bool GearboxAxes(const Coupling& coupling, Vector3& axis1_W,
                                 Vector3& axis2_W) const;

  WritePlan& plan_;
  const Model& model_;
  Version version_;
  xml::Writer out_;
};

}  // namespace kinemorph::sdformat
