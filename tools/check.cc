// kinemorph check: the loss report that convert would give, without writing anything.
#include <iostream>

#include "conversion.h"
#include "kinemorph/graph/base/printable.h"
#include "outputs.h"
#include "xacro.h"

namespace kinemorph::tools {

void AddCheck(CLI::App& app, Command& run) {
  CLI::App* command =
      app.add_subcommand("check", "predict the loss report of a conversion; writes no output file");
  auto request = std::make_shared<ConversionOptions>();
  AddInputOptions(*command, request->input);
  command
      ->add_option("--to", request->to,
                   "target format: urdf, urdf+, sdf (or sdf@VERSION), mjcf, mbs, usda")
      ->required();
  AddConversionOptions(*command, *request);
  using Printer = std::string (*)(const LossReport&);
  const Printer as_text = LossReportText;
  auto print = std::make_shared<Printer>(as_text);
  AddChoice<Printer>(*command, "--format", *print,
                     {{"text", as_text}, {"json", LossReportJson}, {"md", LossReportMarkdown}},
                     "how the report is printed on standard output");
  command->callback([request, print, as_text, &run] {
    run = [request, print, as_text]() -> int {
      ConversionRequest library = RequestFor(*request);
      RefuseInputs({request->loss_report}, {request->input.path});
      RefuseForeign(request->loss_report, LossReportMark(request->loss_report));
      Diagnostics messages;
      std::optional<Robot> robot = LoadRobot(request->input, messages);
      ConversionResult result;
      library.in = NameOf(request->input);
      if (robot) result = ConvertRobot(std::move(*robot), library);
      messages.Append(result.diagnostics);
      result.diagnostics = std::move(messages);
      TranslateResult(request->input, result);
      const bool screen = *print == as_text && request->input.form == MessageForm::kText &&
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
        std::cout << (*print)(result.report);
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
