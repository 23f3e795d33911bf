// kinemorph check: the loss report that convert would give, without writing anything.
#include <iostream>

#include "conversion.h"
#include "kinemorph/graph/base/printable.h"
#include "outputs.h"
#include "side_cars.h"
#include "xacro.h"

namespace kinemorph::tools {

void AddCheck(CLI::App& app, Command& run) {
  CLI::App* command =
      app.add_subcommand("check", "predict the loss report of a conversion; writes no output file");
  auto request = std::make_shared<ConversionOptions>();
  AddInputOptions(*command, request->input);
  command
      ->add_option("--to", request->to,
                   "target format: urdf, urdf+, sdf (or sdf@VERSION), mjcf, mbs")
      ->required();
  AddConversionOptions(*command, *request);
  auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "how the report is printed on standard output")
      ->check(CLI::IsMember({"text", "json", "md"}))
      ->capture_default_str();
  command->callback([request, format, &run] {
    run = [request, format]() -> int {
      ConversionRequest library = RequestFor(*request);
      std::optional<FileResolver> resolver;
      library.side_cars = [&](Model& model, Diagnostics& said) {
        return AddSideCars(request->input, *resolver, model, said);
      };
      RefuseInputs({request->loss_report}, {request->input.path});
      RefuseForeign(request->loss_report, LossReportMark(request->loss_report));
      Diagnostics messages;
      const std::optional<std::string> text = ReadInput(request->input, messages);
      ConversionResult result;
      if (text) {
        library.in = NameOf(request->input);
        library.resolver = &resolver.emplace(ResolverFor(request->input));
        result = RunConversion(*text, library);
      }
      messages.Append(result.diagnostics);
      result.diagnostics = std::move(messages);
      TranslateResult(request->input, result);
      const bool screen = *format == "text" && request->input.diagnostics == "text" &&
                          !request->input.verbose && !request->input.quiet;
      Input said = request->input;
      said.quiet = said.quiet || screen;  // the screen says the rest
      PrintDiagnostics(result.diagnostics, said);
      const bool told = result.end == ConversionEnd::kDone || result.forbidden > 0;
      if (!told) return static_cast<int>(result.end);
      if (screen) {
        ScreenOptions options;
        options.silent = library.options.drop;
        std::cout << ConversionScreen(result, request->input.path, "", options);
      } else {
        std::cout << (*format == "json" ? LossReportJson(result.report)
                      : *format == "md" ? LossReportMarkdown(result.report)
                                        : LossReportText(result.report));
      }
      std::cout << std::flush;
      if (!request->loss_report.empty()) {
        const std::string why =
            WriteWhole(request->loss_report, ReportFor(request->loss_report, result.report));
        if (!why.empty()) {
          std::cerr << "kinemorph: " << Printable(why) << '\n';
          return kBadInput;
        }
      }
      return static_cast<int>(result.end);
    };
  });
}

}  // namespace kinemorph::tools
