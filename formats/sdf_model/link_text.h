// Prints what is in a link, for files of SDFormat and for <gazebo> blocks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"
#include "sdf_model/sdf_version.h"
#include "xml_writer.h"

namespace kinemorph::sdformat {

/// <pose>, with relative_to when it is not empty; nothing for an identity in the default frame.
void WritePose(xml::Writer& out, const RigidTransform& X, const std::string& relative_to = "",
               double scale = 1);
/// The elements that came from SDFormat itself; those of other formats have no place here.
void WriteNative(xml::Writer& out, const std::vector<NativeData>& native);

class LinkText {
 public:
  /// `refuse` is told what the version cannot say.
  LinkText(xml::Writer& out, const Model& model, Version version,
           std::function<void(SourceLocation, Statement)> refuse)
      : out_(out), model_(model), version_(version), refuse_(std::move(refuse)) {}
  /// All but its pose, its sensors and what was kept of it.
  void Write(const Link& link, const std::string& name);

 private:
  void WriteInertial(const Inertial& inertial);
  [[nodiscard]] bool WriteComputedInertial(const Inertial& inertial);
  void WriteVisual(const Visual& visual, const std::string& name);
  void WriteCollision(const Collision& collision, const std::string& name);
  bool WriteGeometry(const Shape& shape, SourceLocation where, const std::string& subject);
  void WriteMaterial(const Material& material);

  xml::Writer& out_;
  const Model& model_;
  Version version_;
  std::function<void(SourceLocation, Statement)> refuse_;
};

}  // namespace kinemorph::sdformat
