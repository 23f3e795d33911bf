// kinemorph convert: one file.
#include "all_models.h"
#include "conversion.h"
#include "program.h"
#include "ros_package.h"

namespace kinemorph::tools {

void AddConvert(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "convert",
      "convert a description; what the target cannot hold is lowered exactly or reported");
  auto request = std::make_shared<ConversionOptions>();
  AddInputOptions(*command, request->input);
  command->add_option("-o,--output,OUT", request->out, "the file to write; - is standard output")
      ->required();
  command->add_option(
      "--to", request->to,
      "target format: urdf, urdf+, sdf (or sdf@VERSION), mjcf, mbs, usda; the extension "
      "of OUT when absent");
  AddConversionOptions(*command, *request);
  command->add_flag("--verify", request->verify,
                    "prove OUT equivalent to IN and have the reference library accept it, or do "
                    "not put it in place");
  AddAssetOptions(*command, *request);
  auto all_models = std::make_shared<bool>(false);
  command->add_flag("--all-models", *all_models,
                    "write each model of a world to a file of its name in the folder OUT");
  auto package = std::make_shared<std::string>();
  command
      ->add_option("--package-out", *package,
                   "write a package of this name for ROS 2 beside OUT: the URDF, its meshes, a "
                   "launch file and a view")
      ->type_name("NAME");
  command->callback([request, all_models, package, &run] {
    run = [request, all_models, package] {
      CheckAssetOptions(*request);
      if (!package->empty() && *all_models)
        throw UsageError("--package-out: a package holds one robot: name it with --model");
      if (*all_models) return ConvertAllModels(*request);
      MadeFolders made;
      if (!package->empty()) AimAtPackage(*package, *request, made);
      Outcome outcome;
      int code = ConvertFile(*request, outcome);
      if (code == kDone && !package->empty() && !WritePackage(*package, *request, outcome))
        code = kBadInput;
      PrintConversion(outcome.result, *request, code == kDone ? request->out : "");
      return code;
    };
  });
}

}  // namespace kinemorph::tools
