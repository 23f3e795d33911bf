#include "templates.h"

#include <algorithm>
#include <array>

namespace kinemorph::xml {

// Two kinds of files look like robots and are programs that print one: templates (ERB of Gazebo's
// old models, Jinja of PX4) and xacro. Read as they stand, they would give a model with parts that
// are not meant, so they are refused with the command that expands them.

namespace {

// Whether places, asked for in ascending order, stand in a comment or a CDATA section. One pass
// over the text in all.
class Hidden {
 public:
  explicit Hidden(std::string_view text) : text_(text) {}
  bool operator()(std::size_t at) {
    // Both ends move forward only, which makes the whole linear.
    while (end_ <= at) {
      begin_ = std::min(text_.find("<!", end_), text_.size());
      const bool comment = text_.substr(begin_, 4) == "<!--",
                 data = text_.substr(begin_, 9) == "<![CDATA[";
      if (begin_ == text_.size()) {
        end_ = begin_;
        return false;
      }
      end_ = comment ? text_.find("-->", begin_) : data ? text_.find("]]>", begin_) : begin_ + 2;
      if (!comment && !data) begin_ = end_;  // hides nothing
      end_ = std::min(end_, text_.size());
    }
    return at >= begin_;
  }

 private:
  std::string_view text_;
  std::size_t begin_ = 0, end_ = 0;
};

void Report(const Context& context, std::string code, std::size_t line, Statement statement,
            std::string note) {
  context.diagnostics
      ->Add(MakeDiagnostic(Severity::kError, std::move(code), context.file_name,
                           static_cast<std::uint32_t>(line), "", std::move(statement)))
      .notes.push_back(std::move(note));
}

// The file's name as a command can be given it.
std::string FileOf(const Context& context) {
  return context.file_name.empty() || context.file_name[0] == '<' ? "FILE" : context.file_name;
}
std::string OutOf(const Context& context) {
  return context.format == "urdf"  ? "robot.urdf"
         : context.format == "sdf" ? "robot.sdf"
         : context.format == "mbs" ? "robot.mbs"
                                   : "robot.xml";
}

}  // namespace

bool RefuseTemplate(std::string_view text, const Context& context) {
  // '{' and '%' are rare in descriptions of robots, '<' is not.
  // Marks in comments are talk about templates. The search ends at the first mark that is none of
  // this.
  const auto find = [&](char c, const auto& holds) {
    Hidden hidden(text);
    for (std::size_t at = text.find(c); at != std::string_view::npos; at = text.find(c, at + 1))
      if (holds(at) && !hidden(at)) return at;
    return std::string_view::npos;
  };
  const auto closed = [&](std::size_t at, std::string_view end) {  // on its own line
    return text.substr(at, text.find('\n', at) - at).find(end) != std::string_view::npos;
  };
  const std::size_t erb = find('%', [&](std::size_t at) { return at > 0 && text[at - 1] == '<'; });
  // {{ and {% that end on their line: a mere brace in a plugin's text does not.
  const std::size_t jinja = find('{', [&](std::size_t at) {
    const std::string_view two = text.substr(at, 2);
    return (two == "{%" && closed(at, "%}")) || (two == "{{" && closed(at, "}}"));
  });
  const std::size_t at = std::min(erb, jinja);
  if (at == std::string_view::npos) return true;
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::string to = FileOf(context) + " > " + OutOf(context);
  Report(context, "template-not-expanded", static_cast<std::size_t>(line),
         std::string("the file is a template (") + (at == erb ? "ERB" : "Jinja") +
             "), which has to be expanded before it describes a robot",
         at == erb ? "run: erb " + to : "run: jinja2 " + to);
  return false;
}

bool RefuseXacro(const ParsedText& parsed, const Context& context) {
  const Node& root = *parsed.begin();
  // The prefix is whatever is bound to xacro's namespace.
  // The program xacro itself goes by the prefix alone; a file with another one means it all the
  // same.
  constexpr std::string_view kPrefix = "xacro:";
  std::string prefix(kPrefix);
  bool declared = false;
  for (const NodeAttribute* a = root.attributes; a != root.attributes + root.num_attributes; ++a) {
    if (!a->name.starts_with("xmlns:") ||
        (a->name != "xmlns:xacro" && a->value.find("xacro") == std::string_view::npos))
      continue;
    declared = true;
    prefix = std::string(a->name.substr(6)) + ":";
  }
  // Words with a prefix of their own (<xacro:anything>) are not enough: a macro's name may be
  // foreign content.
  constexpr std::array<std::string_view, 8> kProgram = {
      "macro", "property", "include", "arg", "if", "unless", "insert_block", "call"};
  const auto is_program = [&](const Node& node) {
    const std::size_t size = node.name.starts_with(prefix)    ? prefix.size()
                             : node.name.starts_with(kPrefix) ? kPrefix.size()
                                                              : 0;
    return size > 0 &&
           std::find(kProgram.begin(), kProgram.end(), node.name.substr(size)) != kProgram.end();
  };
  const auto computes = [](const NodeAttribute& a) {
    return a.value.find("${") != std::string_view::npos ||
           a.value.find("$(arg ") != std::string_view::npos ||
           a.value.find("$(find ") != std::string_view::npos ||
           a.value.find("$(eval ") != std::string_view::npos;
  };
  // ${} in a plugin is a shell's or the plugin's own word.
  const Node* plugin_end = nullptr;  // of the last one: its parameters are its own business
  for (Node& node : parsed) {
    if (node.name == "plugin") plugin_end = node.end();
    const bool in_plugin = plugin_end != nullptr && &node < plugin_end;
    const bool found =
        is_program(node) ||
        (declared && !in_plugin &&
         std::any_of(node.attributes, node.attributes + node.num_attributes, computes));
    if (!found) continue;
    const Element element(&node, &context);
    Report(context, "xacro-not-expanded", element.where().line,
           {"", element.path(),
            "the file is a xacro program, which has to be expanded before it describes a robot"},
           "run: kinemorph expand " + FileOf(context) + " -o " + OutOf(context));
    return false;
  }
  return true;
}

}  // namespace kinemorph::xml
