// kinemorph check: the loss report that convert would give, without writing anything.
#include <iostream>

#include "conversion.h"

namespace kinemorph::tools {

void AddCheck(CLI::App& app, Command& run) {
  CLI::App* command =
      app.add_subcommand("check", "predict the loss report of a conversion; writes no output file");
  auto request = std::make_shared<ConversionRequest>();
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
      Diagnostics diagnostics;
      const std::optional<Model> model = LoadModel(request->input, diagnostics);
      std::optional<LossReport> report;
      if (model) report = Check(*model, OptionsFor(*request, *model), diagnostics);
      PrintDiagnostics(diagnostics, request->input);
      if (!report) return FailureCode(diagnostics);
      std::cout << (*format == "json" ? LossReportJson(*report)
                    : *format == "md" ? LossReportMarkdown(*report)
                                      : LossReportText(*report))
                << std::flush;
      if (!request->loss_report.empty()) {
        const std::string why =
            WriteWhole(request->loss_report, ReportFor(request->loss_report, *report));
        if (!why.empty()) {
          std::cerr << "kinemorph: " << why << '\n';
          return kBadInput;
        }
      }
      return CountForbidden(*report, *request) > 0 ? kWouldLose : kDone;
    };
  });
}

}  // namespace kinemorph::tools
