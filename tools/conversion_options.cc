// The options of a conversion, as `convert`, `check` and `batch` have them.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "asset_copies.h"
#include "conversion.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/formats.h"
#include "mesh_converter.h"
#include "outputs.h"
#include "program.h"
#include "reference_library.h"
#include "sha256.h"
#include "xacro.h"

namespace kinemorph::tools {

void AddChoiceOptions(CLI::App& command, ConversionOptions& request) {
  command.add_option("--cut", request.library.cut, "make this joint a loop joint, repeatable")
      ->type_name("JOINT")
      ->allow_extra_args(false);
  command
      .add_option("--independent", request.library.independent,
                  "make this joint's coordinates independent, repeatable; the rest is chosen")
      ->type_name("JOINT")
      ->allow_extra_args(false);
}

namespace {

// A word for every profile of every format; the table of formats says for whom each is.
void AddProfiles(CLI::App& command, std::string& profile) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const std::string_view name : AllProfiles()) words.emplace_back(name, ProfileNamed(name));
  std::string abouts;
  for (const Format& format : AllFormats())
    for (const Dialect& dialect : format.dialects)
      if (!dialect.about.empty())
        abouts += (abouts.empty() ? "" : ", ") + std::string(dialect.about);
  AddChoice<std::string>(command, "--profile", profile, words,
                         "for whom a format is written: " + abouts);
}

// Options whose words stand for values of the library.
void AddWordOptions(CLI::App& command, ConvertOptions& library) {
  AddChoice<BaseChoice>(command, "--base", library.base,
                        {{"fixed", BaseChoice::kFixed},
                         {"floating", BaseChoice::kFloating},
                         {"auto", BaseChoice::kAuto}},
                        "is the base fixed to the world, floating, or as the source says");
  AddChoice<bool>(command, "--root", library.base_as_root, {{"world", false}, {"base", true}},
                  "URDF's root above a fixed base: a link 'world', or the base itself");
  AddProfiles(command, library.target.options.profile);
  AddChoice<LoopChoice>(
      command, "--loops", library.target.options.loops,
      {{"gazebo", LoopChoice::kGazebo},
       {"detachable", LoopChoice::kDetachable},
       {"none", LoopChoice::kNone}},
      "loops of plain URDF: joints in <gazebo> (the default); halves of links that a plugin of gz "
      "sim welds; or none");
  command.add_flag("--physx", library.target.options.physx,
                   "USD with the attributes of PhysX in place of Newton's");
  command.add_option("--model", library.model, "which model of a world with several")
      ->type_name("NAME");
  command
      .add_option(
          "--sidecar", library.target.options.side_cars,
          "write beside OUT what it cannot hold, repeatable: hyrodyn, the loops and "
          "coordinates of a URDF as submechanisms.yml; gepetto, the same as robot.yaml, "
          "pairs of frames; srdf, passive joints, pairs of links that do not collide, armature and "
          "start positions; ros2_control, a block in the URDF with command interfaces of the "
          "independent joints, and the SRDF; isaaclab, the driven and passive joints of a USD "
          "stage and "
          "where they start, in Python")
      ->check(CLI::IsMember({"hyrodyn", "gepetto", "srdf", "ros2_control", "isaaclab"}))
      ->allow_extra_args(false);
  command
      .add_option("--hardware-plugin", library.target.options.hardware_plugin,
                  "the class that drives the joints, for --sidecar ros2_control")
      ->type_name("CLASS");
  AddChoice<bool>(command, "--frames", library.keep_frames, {{"keep", true}, {"drop", false}},
                  "what becomes of named frames where the target has none");
  AddChoice<bool>(command, "--fixed", library.merge_fixed, {{"keep", false}, {"merge", true}},
                  "fixed joints in Robotran MBS: keep the links, or merge them");
  AddChoice<bool>(
      command, "--actuators", library.motors, {{"keep", false}, {"motor", true}},
      "drives as in the source, or a motor for every joint with an effort limit and for every "
      "drive that the target cannot hold");
  AddChoice<MimicChoice>(
      command, "--mimic", library.mimic,
      {{"exact", MimicChoice::kExact}, {"fit", MimicChoice::kFit}},
      "what becomes of loops where the target has mimics alone: those that are linear "
      "(exact), or others too, by the best line over the limits (fit)");
}

}  // namespace

const std::map<std::string, Weight>& StrictWords() {
  static const std::map<std::string, Weight> kStrict = {
      {"any", Weight::kLooks}, {"interface", Weight::kInterface}, {"motion", Weight::kMotion}};
  return kStrict;
}

void AddConversionOptions(CLI::App& command, ConversionOptions& request) {
  command
      .add_flag("--strict{any}", request.strict,
                "write nothing and exit with 3 if anything would be lost; =interface leaves out "
                "looks, =motion leaves out names, sensors, "
                "frames too")
      ->check(CLI::IsMember(StrictWords()));
  command
      .add_option("--drop", request.drop,
                  "leave this feature out on purpose (see `kinemorph formats`) and say "
                  "nothing of it, repeatable")
      ->type_name("FEATURE")
      ->allow_extra_args(false);
  AddChoiceOptions(command, request);
  AddWordOptions(command, request.library);
  command
      .add_option("--massless", request.library.massless, "give links without mass this mass (kg)")
      ->type_name("EPS")
      ->check(PositiveNumber());
  command
      .add_option("--loss-report", request.loss_report,
                  "write the loss report to FILE.json or FILE.md")
      ->type_name("FILE");
}

void AddAssetOptions(CLI::App& command, ConversionOptions& request) {
  command
      .add_option("--copy-assets", request.copy_assets,
                  "copy the meshes and textures that are found into this folder, and name them "
                  "there")
      ->type_name("DIR");
  command
      .add_option("--mesh-uri", request.mesh_uri,
                  "what the names of copied meshes begin with, package://NAME/meshes; the path "
                  "from OUT when absent")
      ->type_name("PREFIX");
  command.add_flag(
      "--convert-meshes", request.convert_meshes,
      "with --copy-assets: meshes that the target cannot open (.dae for MuJoCo) become "
      "OBJ there, by the program assimp");
  command.add_flag("--scene", request.scene,
                   "MuJoCo: write OUT_scene.xml too, which puts the robot on a floor, in the "
                   "posture 'home' that closes its loops");
}

}  // namespace kinemorph::tools
