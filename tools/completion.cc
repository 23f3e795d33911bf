// kinemorph completion: a shell completion script, made from the options themselves so that it
// cannot fall behind.
#include <iostream>

#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/checks/feature.h"
#include "session.h"

namespace kinemorph::tools {
namespace {

using WordList = std::vector<std::string>;

std::string Joined(const WordList& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// What may follow an option: the words that its check names, features, formats.
WordList ValuesOf(const CLI::Option& option) {
  const std::string& name = option.get_single_name();
  WordList values;
  if (name == "drop" || name == "allow") {
    for (const Feature feature : kFeatures) values.emplace_back(FeatureName(feature));
  } else if (name == "to" || name == "from") {
    for (const Format& format : AllFormats()) {
      if (name == "from" && format.read == nullptr) continue;
      values.emplace_back(format.name);
      for (const std::string_view version : format.versions)
        if (name == "to") values.push_back(std::string(format.name) + "@" + std::string(version));
    }
  } else {
    const std::string type = option.get_type_name();  // TEXT:{native,program}
    const std::size_t begin = type.find('{'), end = type.rfind('}');
    if (begin == std::string::npos || end == std::string::npos) return values;
    std::string word;
    for (const char c : type.substr(begin + 1, end - begin - 1) + ",") {
      if (c != ',')
        word += c;
      else
        values.push_back(std::exchange(word, ""));
    }
  }
  return values;
}

WordList NamesOf(const CLI::Option& option) {
  WordList names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

std::vector<const CLI::App*> Subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
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
    names.push_back(each->get_name());
    WordList words;
    std::cout << "    " << each->get_name() << ")\n      case \"$before\" in\n";
    for (const CLI::Option* option : each->get_options()) {
      const WordList own = NamesOf(*option), values = ValuesOf(*option);
      words.insert(words.end(), own.begin(), own.end());
      if (own.empty() || values.empty()) continue;
      if (option->get_expected_min() == 0) {
        for (const std::string& value : values) words.push_back(own.front() + "=" + value);
        continue;
      }
      std::string any;
      for (const std::string& name : own) any += (any.empty() ? "" : "|") + name;
      std::cout << "        " << any << ") values=\"" << Joined(values) << "\" ;;\n";
    }
    std::cout << "      esac\n      words=\"" << Joined(words) << "\" ;;\n";
  }
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
    for (const CLI::Option* option : each->get_options()) {
      if (NamesOf(*option).empty()) continue;
      std::cout << "complete -c kinemorph -n '__fish_seen_subcommand_from " << each->get_name()
                << "'";
      for (const std::string& name : option->get_lnames()) std::cout << " -l " << name;
      for (const std::string& name : option->get_snames()) std::cout << " -s " << name;
      if (const WordList values = ValuesOf(*option); !values.empty())
        std::cout << (option->get_expected_min() > 0 ? " -x" : "") << " -a "
                  << ForFish(Joined(values));
      else if (option->get_expected_max() > 0)
        std::cout << " -r";
      std::cout << " -d " << ForFish(option->get_description()) << '\n';
    }
  }
}

}  // namespace

void AddCompletion(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "completion", "print a completion script: eval \"$(kinemorph completion bash)\"");
  auto shell = std::make_shared<std::string>("bash");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->capture_default_str();
  command->callback([shell, &app, &run] {
    run = [shell, &app] {
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
