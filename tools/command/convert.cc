// kinemorph convert: one file.
#include "host/program.h"
#include "host/working.h"
#include "ros/ros_package.h"
#include "session/all_models.h"
#include "session/conversion.h"

namespace kinemorph::tools {

// Most options are those of the library's request (AddOptions); here are only those that need files
// or a terminal. The work is in session/conversion.cc.
void AddConvert(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "convert",
      "Convert a robot description to another format, and list what that format cannot hold.");
  auto request = std::make_shared<ConversionOptions>();
  AddInputOptions(*command, request->input);
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("-o,--output,OUT", request->out,
                   "the file to write; - writes to standard output")
      ->type_name("FILE")
      ->required();
  AddOptions<ConversionRequest>(*command, *request);
  AddReportOption(*command, *request);
  AddAssetOptions(*command, *request);
  auto all_models = std::make_shared<bool>(false);
  StartGroup(*command, kOutputGroup);
  command->add_flag("--all-models", *all_models,
                    "write each model of a world to its own file in the folder OUT");
  auto package = std::make_shared<std::string>();
  command
      ->add_option("--package-out", *package,
                   "write a ROS 2 package of this name beside OUT: the URDF, its meshes, a launch "
                   "file and an RViz view")
      ->type_name("NAME");
  command->callback([request, all_models, package, &run] {
    run = [request, all_models, package] {
      // Wrong use first, before a folder is made.
      CheckAssetOptions(*request);
      if (!package->empty() && *all_models)
        throw UsageError("--package-out: a package holds one robot: name it with --model");
      if (*all_models) return ConvertAllModels(*request);
      // `made` removes the folders of a package again that are still empty when the command ends.
      MadeFolders made;
      if (!package->empty()) AimAtPackage(*package, *request, made);
      Outcome outcome;
      int code = kDone;
      // The line of progress is gone before messages are printed.
      {
        const Working working((request->verify ? "converting and proving '" : "converting '") +
                                  request->input.path + "'",
                              ShowsWork(request->input));
        code = ConvertFile(*request, outcome);
        if (code == kDone && !package->empty() && !WritePackage(*package, *request, outcome))
          code = kBadInput;
      }
      PrintConversion(outcome.result, *request, code == kDone ? request->out : "");
      return code;
    };
  });
}

}  // namespace kinemorph::tools
