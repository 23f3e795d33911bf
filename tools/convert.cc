// kinemorph convert: one file.
#include "conversion.h"

namespace kinemorph::tools {

void AddConvert(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "convert",
      "convert a description; what the target cannot hold is lowered exactly or reported");
  auto request = std::make_shared<ConversionOptions>();
  AddInputOptions(*command, request->input);
  command->add_option("-o,--output,OUT", request->out, "the file to write; - is standard output")
      ->required();
  command->add_option("--to", request->to,
                      "target format: urdf, urdf+, sdf (or sdf@VERSION), mjcf, mbs; the extension "
                      "of OUT when absent");
  AddConversionOptions(*command, *request);
  command->add_flag("--verify", request->verify,
                    "prove OUT equivalent to IN and have the reference library accept it, or do "
                    "not put it in place");
  command
      ->add_option("--copy-assets", request->copy_assets,
                   "copy the meshes and textures that are found into this folder, and name them "
                   "there")
      ->type_name("DIR");
  command
      ->add_option("--mesh-uri", request->mesh_uri,
                   "what the names of copied meshes begin with, package://NAME/meshes; the path "
                   "from OUT when absent")
      ->type_name("PREFIX");
  command->callback([request, &run] {
    run = [request] {
      if (!request->mesh_uri.empty() && request->copy_assets.empty())
        throw UsageError("--mesh-uri names copies: give their folder with --copy-assets DIR");
      request->side_files = true;
      Outcome outcome;
      const int code = ConvertFile(*request, outcome);
      PrintConversion(outcome.result, *request, code == kDone ? request->out : "");
      return code;
    };
  });
}

}  // namespace kinemorph::tools
