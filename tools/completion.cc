// kinemorph completion: a shell completion script, made from the options themselves so that it
// cannot fall behind.
#include <iostream>

#include "session.h"

namespace kinemorph::tools {

void AddCompletion(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "completion", "print a completion script: eval \"$(kinemorph completion bash)\"");
  auto shell = std::make_shared<std::string>("bash");
  command->add_option("SHELL", *shell, "bash or zsh")
      ->check(CLI::IsMember({"bash", "zsh"}))
      ->capture_default_str();
  command->callback([shell, &app, &run] {
    run = [shell, &app] {
      if (*shell == "zsh") std::cout << "autoload -Uz bashcompinit && bashcompinit\n";
      std::cout << "_kinemorph() {\n  local words=\"\" current=\"${COMP_WORDS[COMP_CWORD]}\"\n  "
                   "case \"${COMP_WORDS[1]}\" in\n";
      std::string names;
      for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
        names += (names.empty() ? "" : " ") + each->get_name();
        std::cout << "    " << each->get_name() << ") words=\"";
        for (const CLI::Option* option : each->get_options()) {
          for (const std::string& name : option->get_lnames()) std::cout << "--" << name << ' ';
          for (const std::string& name : option->get_snames()) std::cout << '-' << name << ' ';
        }
        std::cout << "\" ;;\n";
      }
      std::cout << "  esac\n"
                   "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "    COMPREPLY=($(compgen -W \""
                << names
                << " --help --version\" -- \"$current\"))\n"
                   "  elif [ \"${current#-}\" != \"$current\" ]; then\n"
                   "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                   "  else\n"
                   "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
                   "  fi\n}\ncomplete -o filenames -F _kinemorph kinemorph\n";
      return kDone;
    };
  });
}

}  // namespace kinemorph::tools
