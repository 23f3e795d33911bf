// kinemorph completion: a shell completion script, or all commands and options as JSON, made from the
// options themselves so that neither can fall behind.
#include <iostream>

#include "command/command_data.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

using WordList = std::vector<std::string>;

// Each shell completes from a script that is printed here in full: subcommands, their options and
// the words that an option takes. File names are left to the shell.

std::string Joined(const WordList& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// bash, and zsh through its emulation. An option with `=VALUE` alone (--strict=motion) has its
// values as words of their own.
void PrintForBash(const CLI::App& app) {
  WordList names;
  std::cout << "_kinemorph() {\n"
               "  local words=\"\" values=\"\" current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
               "  local before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
               "  case \"${COMP_WORDS[1]}\" in\n";
  for (const CLI::App* each : Subcommands(app)) {
    // One case for each subcommand: the word before the cursor may be an option that takes words.
    names.push_back(each->get_name());
    WordList words;
    std::cout << "    " << each->get_name() << ")\n      case \"$before\" in\n";
    for (const OptionData& option : DataOf(*each).options) {
      const WordList &own = option.names, &values = option.choices;
      words.insert(words.end(), own.begin(), own.end());
      if (values.empty()) continue;
      // Such an option never has its value as the next word: the next word would be an argument.
      if (option.value_optional) {
        for (const std::string& value : values) words.push_back(own.back() + "=" + value);
        continue;
      }
      std::string any;
      for (const std::string& name : own) any += (any.empty() ? "" : "|") + name;
      std::cout << "        " << any << ") values=\"" << Joined(values) << "\" ;;\n";
    }
    std::cout << "      esac\n      words=\"" << Joined(words) << "\" ;;\n";
  }
  // In this order: the subcommand, values of the option before, options, files.
  std::cout << "  esac\n"
               "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
               "    COMPREPLY=($(compgen -W \""
            << Joined(names)
            << " --help --version\" -- \"$current\"))\n"
               "  elif [ -n \"$values\" ]; then\n"
               "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
               "  elif [ \"${current#-}\" != \"$current\" ]; then\n"
               "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
               "  else\n"
               "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
               "  fi\n}\ncomplete -o filenames -F _kinemorph kinemorph\n";
}

std::string ForFish(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

void PrintForFish(const CLI::App& app) {
  for (const CLI::App* each : Subcommands(app)) {
    std::cout << "complete -c kinemorph -n __fish_use_subcommand -f -a " << each->get_name()
              << " -d " << ForFish(each->get_description()) << '\n';
    for (const OptionData& option : DataOf(*each).options) {
      std::cout << "complete -c kinemorph -n '__fish_seen_subcommand_from " << each->get_name()
                << "'";
      // fish writes long and short names apart, and without their hyphens.
      for (const std::string& name : option.names)
        std::cout << (name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1));
      if (!option.choices.empty())
        std::cout << (option.value_optional ? "" : " -x") << " -a "
                  << ForFish(Joined(option.choices));
      else if (!option.value.empty())
        std::cout << " -r";
      std::cout << " -d " << ForFish(option.about) << '\n';
    }
  }
}

}  // namespace

void AddCompletion(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "completion", "Print a script that completes commands and options in a shell.");
  auto shell = std::make_shared<std::string>("bash");
  command
      ->add_option(
          "SHELL", *shell,
          "the shell: bash, zsh or fish; json prints every command and option for programs")
      ->type_name("WORD")
      ->check(OneOf({"bash", "zsh", "fish", "json"}))
      ->capture_default_str();
  command->callback([shell, &app, &run] {
    run = [shell, &app] {
      if (*shell == "json") {
        std::cout << CommandsJson(app) << '\n';
        return kDone;
      }
      if (*shell == "fish") {
        PrintForFish(app);
        return kDone;
      }
      // As a file of a completion folder, and for eval.
      if (*shell == "zsh")
        std::cout << "#compdef kinemorph\nautoload -Uz bashcompinit && bashcompinit\n";
      PrintForBash(app);
      return kDone;
    };
  });
}

}  // namespace kinemorph::tools
