// What ROS 2 must be told beside a URDF: SRDF, and the block of ros2_control in it.
#pragma once

#include <string>

#include "kinemorph/formats/format.h"
#include "xml_writer.h"

namespace kinemorph::urdf_format {

/// `stem`.srdf: passive joints, pairs of links that do not collide, armature, where joints start.
/// `files` gives meshes, whose extent says which links never touch; null: none. Precondition:
/// coordinates are declared independent or dependent.
[[nodiscard]] SideFile SrdfFile(const Model& model, const std::string& stem,
                                const ResourceResolver* files, Diagnostics& diagnostics);

/// <ros2_control>: command interfaces of the independent joints, states of all.
void WriteRos2Control(const Model& model, const std::string& plugin, xml::Writer& out);

}  // namespace kinemorph::urdf_format
