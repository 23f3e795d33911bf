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
  StartGroup(command, kMechanismGroup);
  command
      .add_option("--cut", request.library.cut,
                  "make this joint the loop joint of its loop: the tree is cut there")
      ->type_name("JOINT")
      ->allow_extra_args(false);
  command
      .add_option("--independent", request.library.independent,
                  "make the coordinates of this joint independent; kinemorph chooses the others")
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
        abouts += (abouts.empty() ? "" : "; ") + std::string(dialect.about);
  AddChoice<std::string>(command, "--profile", profile, words,
                         "the program that the file is written for. " + abouts);
}

// Options whose words stand for values of the library.
void AddWordOptions(CLI::App& command, ConvertOptions& library) {
  StartGroup(command, kMechanismGroup);
  AddChoice<BaseChoice>(command, "--base", library.base,
                        {{"fixed", BaseChoice::kFixed},
                         {"floating", BaseChoice::kFloating},
                         {"auto", BaseChoice::kAuto}},
                        "fix the base to the world, let the base float, or do as the source says");
  AddChoice<bool>(
      command, "--root", library.base_as_root, {{"world", false}, {"base", true}},
      "the root link of a URDF with a fixed base: an extra link 'world', or the base itself");
  AddProfiles(command, library.target.options.profile);
  AddChoice<LoopChoice>(
      command, "--loops", library.target.options.loops,
      {{"gazebo", LoopChoice::kGazebo},
       {"detachable", LoopChoice::kDetachable},
       {"none", LoopChoice::kNone}},
      "where plain URDF keeps loops. gazebo (the default): in joints of <gazebo> blocks. "
      "detachable (SDFormat too): in split links that a plugin of gz sim welds together. none: "
      "nowhere");
  StartGroup(command, kInputGroup);
  command.add_option("--model", library.model, "the model to take from a world that holds several")
      ->type_name("NAME");
  StartGroup(command, kOutputGroup);
  command.add_flag("--physx", library.target.options.physx,
                   "write USD with the attributes of PhysX instead of those of Newton");
  command
      .add_option(
          "--sidecar", library.target.options.side_cars,
          "also write a file beside OUT with what OUT cannot hold. hyrodyn: the loops and "
          "coordinates of a URDF, as submechanisms.yml. gepetto: the same as pairs of frames, as "
          "robot.yaml. srdf: passive joints, pairs of links that do not collide, armature and "
          "start positions. ros2_control: a block in the URDF with command interfaces of the "
          "independent joints, and the SRDF. isaaclab: the driven and passive joints of a USD "
          "stage and their start positions, as Python")
      ->type_name("WORD")
      ->check(OneOf({"hyrodyn", "gepetto", "srdf", "ros2_control", "isaaclab"}))
      ->allow_extra_args(false);
  command
      .add_option("--hardware-plugin", library.target.options.hardware_plugin,
                  "the C++ class that drives the joints; --sidecar ros2_control needs one")
      ->type_name("CLASS");
  StartGroup(command, kMechanismGroup);
  AddChoice<bool>(command, "--frames", library.keep_frames, {{"keep", true}, {"drop", false}},
                  "named frames in a target that has none: keep them as links, or drop them");
  AddChoice<bool>(
      command, "--fixed", library.merge_fixed, {{"keep", false}, {"merge", true}},
      "links on fixed joints in Robotran MBS: keep them, or merge them with their parents");
  AddChoice<bool>(
      command, "--actuators", library.motors, {{"keep", false}, {"motor", true}},
      "keep the drives of the source; or write a motor for every joint with an effort limit, and "
      "for every drive that the target cannot hold");
  AddChoice<MimicChoice>(
      command, "--mimic", library.mimic,
      {{"exact", MimicChoice::kExact}, {"fit", MimicChoice::kFit}},
      "loops in a target that has mimic joints only. exact: keep loops whose joints follow each "
      "other linearly. fit: also fit a line to the others, over the limits of the joints");
}

}  // namespace

const std::map<std::string, Weight>& StrictWords() {
  static const std::map<std::string, Weight> kStrict = {
      {"any", Weight::kLooks}, {"interface", Weight::kInterface}, {"motion", Weight::kMotion}};
  return kStrict;
}

void AddConversionOptions(CLI::App& command, ConversionOptions& request) {
  StartGroup(command, kLossGroup);
  command
      .add_flag("--strict{any}", request.strict,
                "write nothing and exit with code 3 if the target cannot hold everything. "
                "interface: losses of looks are allowed. motion: so are losses of names, sensors "
                "and frames")
      ->type_name("WORD")
      ->check(OneOf({"any", "interface", "motion"}));
  command
      .add_option("--drop", request.drop,
                  "leave this feature out on purpose, without a message; `kinemorph formats` lists "
                  "the features")
      ->type_name("FEATURE")
      ->allow_extra_args(false);
  AddChoiceOptions(command, request);
  AddWordOptions(command, request.library);
  command
      .add_option("--massless", request.library.massless,
                  "the mass (kg) that links without mass are given")
      ->type_name("KG")
      ->check(PositiveNumber());
  StartGroup(command, kLossGroup);
  command
      .add_option("--loss-report", request.loss_report,
                  "write the list of all losses to FILE.json or FILE.md")
      ->type_name("FILE");
}

void AddAssetOptions(CLI::App& command, ConversionOptions& request) {
  StartGroup(command, kMeshGroup);
  command
      .add_option("--copy-assets", request.copy_assets,
                  "copy meshes and textures into this folder, and let OUT name the copies")
      ->type_name("DIR");
  command
      .add_option("--mesh-uri", request.mesh_uri,
                  "with --copy-assets: how the names of copies begin, such as "
                  "package://NAME/meshes; without this option, OUT has paths relative to OUT")
      ->type_name("PREFIX");
  command.add_flag(
      "--convert-meshes", request.convert_meshes,
      "with --copy-assets: convert meshes that the target cannot open (.dae for MuJoCo) to OBJ, "
      "by the program assimp");
  StartGroup(command, kOutputGroup);
  command.add_flag("--scene", request.scene,
                   "for MuJoCo: also write OUT_scene.xml, in which the robot stands on a floor in "
                   "a posture that closes the loops");
}

}  // namespace kinemorph::tools
