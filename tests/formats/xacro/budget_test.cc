// However small or large a document is: to expand it takes some seconds and less than 512 MB, or
// ends with an error that says where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "xacro_text.h"

namespace kinemorph::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// What a process of its own said last, and what it took.
struct Spent {
  std::string said;  ///< "done" or the last message
  double seconds = 0, megabytes = 0;
};

Spent Spend(const std::string& body) {
  int ends[2];
  Spent spent;
  if (pipe(ends) != 0) return spent;
  const pid_t child = fork();
  if (child == 0) {
    const Expanded made = Expand(body);
    const std::string said = made.expansion ? "done" : made.message;
    const bool told = write(ends[1], said.data(), said.size()) >= 0;
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  char buffer[8192];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    spent.said.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  struct rusage used {};
  wait4(child, &status, 0, &used);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) spent.said = "crashed";
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  spent.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  spent.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
  return spent;
}

std::string Repeated(int count, const std::function<std::string(const std::string&)>& make) {
  std::string all;
  for (int i = 0; i < count; ++i) all += make(std::to_string(i));
  return all;
}

std::string Property(const std::string& name, const std::string& value) {
  return "<xacro:property name='" + name + "' value=\"" + value + "\"/>";
}

// A text of a megabyte, and a list and a nested tuple that have many parts.
const std::string kLarge = Property("a", "${'x'*1000000}") + Property("q", "${'&quot;'*1000000}") +
                           Property("l", "${list(range(90000))}");
// A macro that calls itself `times` times, for what stands in `body`.
std::string Loop(const std::string& times, const std::string& body) {
  return "<xacro:macro name='one'>" + body + "</xacro:macro>" +
         "<xacro:macro name='loop' params='n'><xacro:if value='${n>1}'><xacro:loop n='${n//2}'/>"
         "<xacro:loop n='${n-n//2}'/></xacro:if><xacro:if value='${n==1}'><xacro:one/></xacro:if>"
         "</xacro:macro><xacro:loop n='" +
         times + "'/>";
}

struct Hostile {
  const char* what;
  std::string body;
};

std::vector<Hostile> HostileDocuments() {
  const std::string parameters = Repeated(9000, [](const auto& i) { return "p" + i + ":=1 "; });
  return {
      {"a large text in many attributes",
       kLarge + Repeated(900, [](const auto&) { return "<x v='${a}'/>"; })},
      {"a large text in many texts",
       kLarge + Repeated(900, [](const auto&) { return "<x>${a}</x>"; })},
      {"a large text in attributes of a loop", kLarge + Loop("20000", "<x v='${a}' w='${a}'/>")},
      {"quotes, which are written as six letters", kLarge + Loop("100", "<x v='${q}'/>")},
      {"quotes in one element",
       kLarge + "<x " + Repeated(150, [](const auto& i) { return "v" + i + "='${q}' "; }) + "/>"},
      {"a text set as an attribute", kLarge + "<x>" +
                                         Repeated(900,
                                                  [](const auto& i) {
                                                    return "<xacro:attribute name='v" + i +
                                                           "' value='${a}'/>";
                                                  }) +
                                         "</x>"},
      {"attributes without end",
       Property("c", "${[0]}") + "<y>" +
           Loop("40000", "<xacro:attribute name='v${len(c)}${c.append(1)}' value='1'/>") + "</y>"},
      {"a text that doubles", Property("a0", "xxxxxxxxxxxxxxxx") +
                                  Repeated(40,
                                           [](const auto& i) {
                                             const std::string n = std::to_string(std::stoi(i) + 1);
                                             return Property("a" + n, "${a" + i + "}${a" + i + "}");
                                           }) +
                                  "<x v='${a40}'/>"},
      {"a list that doubles", Property("a0", "${[1,2]}") +
                                  Repeated(40,
                                           [](const auto& i) {
                                             const std::string n = std::to_string(std::stoi(i) + 1);
                                             return Property("a" + n, "${a" + i + "+a" + i + "}");
                                           }) +
                                  "<x v='${len(a40)}'/>"},
      {"tuples of tuples as keys",
       Property("a0", "${(1,2)}") +
           Repeated(60,
                    [](const auto& i) {
                      const std::string n = std::to_string(std::stoi(i) + 1);
                      return Property("a" + n, "${(a" + i + ",a" + i + ")}");
                    }) +
           "<x v='${dict([(a60,1)])}'/>"},
      {"tuples of tuples as text",
       Property("a0", "${(1,2)}") +
           Repeated(60,
                    [](const auto& i) {
                      const std::string n = std::to_string(std::stoi(i) + 1);
                      return Property("a" + n, "${(a" + i + ",a" + i + ")}");
                    }) +
           "<x v='${a60}'/>"},
      {"a list of one large text", kLarge + "<x v='${len([a]*90000)}'/><x v='${[a]*90000}'/>"},
      {"a large text split", kLarge + Loop("5000", "<x v=\"${len((a+' ').split('x'))}\"/>")},
      {"letters of a large text", kLarge + Loop("5000", "<x v='${len(list(a[0:90000]))}'/>")},
      {"a text looked for in another",
       kLarge + Property("b", "${'x'*400000 + 'y'}") + Loop("5000", "<x v='${b in a}'/>")},
      {"a large text taken apart", kLarge + Loop("9000", "<x v='${len(a[1:])}'/>")},
      {"a large text compared",
       kLarge + Property("b", "${a+''}") + "<x v='${[1 for i in l for k in l if a==b]}'/>"},
      {"a large text measured", kLarge + "<x v='${[len(a) for i in l for k in l]}'/>"},
      {"loops in loops", kLarge + "<x v='${len([1 for i in l for k in l if i > k])}'/>"},
      {"many loops in one expression",
       kLarge + "<x v='${[1 " + Repeated(90, [](const auto& i) { return "for i" + i + " in l "; }) +
           "]}'/>"},
      {"lists of lists", kLarge + "<x v='${len([[k for k in l] for i in l])}'/>"},
      {"dictionaries", kLarge + Loop("9000", "<x v='${len(dict([(i,i) for i in l]))}'/>")},
      {"sets", kLarge + Loop("9000", "<x v='${len(python.set(l))}'/>")},
      {"sorting", kLarge + Loop("9000", "<x v='${sorted(l, reverse=True)[0]}'/>")},
      {"rows", kLarge + Loop("9000", "<x v='${len(list(python.zip(l,l,l,l)))}'/>")},
      {"a list that grows", kLarge + Loop("20000", "<x v='${l.extend(l[:9])}'/>")},
      {"a list that loses its first", kLarge + Loop("20000", "<x v='${l.pop(0)}'/>")},
      {"sums", kLarge + "<x v='${python.sum([[i] for i in l], [])}'/>"},
      {"large powers", "<x v='${9**9**9}'/>"},
      {"a large text of digits", kLarge + Loop("9000", "<x v=\"${float(a.replace('x','9'))}\"/>")},
      {"formats", kLarge + Loop("9000", "<x v=\"${'%s%s' % (a[:400000],a[:400000])}\"/>")},
      {"calls with many parameters", "<xacro:macro name='m' params='" + parameters +
                                         "'><x/></xacro:macro>" + Loop("60000", "<xacro:m/>")},
      {"many arguments in many calls",
       "<xacro:macro name='m' params='" +
           Repeated(1900, [](const auto& i) { return "p" + i + " "; }) + "'><x/></xacro:macro>" +
           Loop("60000", "<xacro:m " +
                             Repeated(1900, [](const auto& i) { return "p" + i + "='1' "; }) +
                             "/>")},
      {"macros defined again and again",
       Loop("60000", "<xacro:macro name='m' params='" + parameters + "'/>")},
      {"macros that call themselves twice",
       "<xacro:macro name='m' params='n'><x/><xacro:if value='${n}'><xacro:m n='${n-1}'/>"
       "<xacro:m n='${n-1}'/></xacro:if></xacro:macro><xacro:m n='60'/>"},
      {"blocks of blocks", "<xacro:property name='b0'><x a='1' b='2'/></xacro:property>" +
                               Repeated(40,
                                        [](const auto& i) {
                                          const std::string n = std::to_string(std::stoi(i) + 1);
                                          return "<xacro:property name='b" + n +
                                                 "'><xacro:insert_block name='b" + i +
                                                 "'/><xacro:insert_block name='b" + i +
                                                 "'/></xacro:property>";
                                        }) +
                               "<xacro:insert_block name='b40'/>"},
      {"blocks that calls hand on",
       "<xacro:macro name='m' params='n *b'><xacro:if value='${n}'><xacro:m n='${n-1}'><g>"
       "<xacro:insert_block name='b'/><xacro:insert_block name='b'/></g></xacro:m></xacro:if>"
       "</xacro:macro><xacro:m n='60'><x/></xacro:m>"},
      {"comments of a loop", Loop("90000", "<!-- " + std::string(9000, 'c') + " -->")},
      {"includes that include themselves", "<xacro:include filename='twice.xacro'/>"},
      {"a file loaded again and again", Loop("90000", "<x v=\"${load_yaml('large.yaml')}\"/>")},
      {"aliases of aliases", "<x v=\"${load_yaml('laughs.yaml')}\"/>"},
      {"messages", kLarge + Loop("90000", "<x v='${xacro.warning(a[:9000])}'/>")},
      {"a pattern over the folders",
       "<xacro:include filename='" + Repeated(900, [](const auto&) { return "*/../"; }) + "*'/>"},
      {"names in deep scopes",
       "<xacro:macro name='m' params='n'><xacro:if value='${n}'><xacro:m n='${n-1}'/></xacro:if>"
       "<xacro:unless value='${n}'><x v='${[pi for i in range(300) for k in range(90000) if pi > "
       "4]}'/>"
       "</xacro:unless></xacro:macro><xacro:m n='90'/>"},
      {"properties that need each other",
       Property("a0", "1") +
           Repeated(190,
                    [](const auto& i) {
                      const std::string n = std::to_string(std::stoi(i) + 1);
                      std::string value = "a" + i;
                      for (int k = 0; k < 90; ++k) value = "[" + value + "][0]";
                      return Property("a" + n, "${" + value + "}");
                    }) +
           "<x v='${a190}'/>"},
      {"a source of little else than tags",
       Repeated(2'000'000, [](const auto&) { return "<a/>"; })},
      {"a source that is one comment", "<!--" + std::string(15 << 20, 'c') + "--><a/>"},
      {"a source that is one attribute",
       "<xacro:property name='b'><x v='" + std::string(15 << 20, 'c') + "'/></xacro:property>" +
           Repeated(90, [](const auto&) { return "<xacro:insert_block name='b'/>"; })},
      {"expressions that are all different", Repeated(9000,
                                                      [](const auto& i) {
                                                        std::string sum = i;
                                                        for (int k = 0; k < 400; ++k)
                                                          sum += "+" + i;
                                                        return "<x v='${" + sum + "}'/>";
                                                      })},
  };
}

TEST(XacroBudget, EveryDocumentEnds) {
  double slowest = 0, largest = 0;
  const double base = Spend("<x/>").megabytes;
  for (const Hostile& each : HostileDocuments()) {
    const Spent spent = Spend(each.body);
    slowest = std::max(slowest, spent.seconds);
    largest = std::max(largest, spent.megabytes - base);
    std::printf("%6.2f s %6.0f MB %8zu bytes: %s: %.200s\n", spent.seconds, spent.megabytes - base,
                each.body.size(), each.what, spent.said.c_str());
    EXPECT_NE(spent.said, "crashed") << each.what;
    if (spent.said != "done") {
      EXPECT_THAT(spent.said, AnyOf(HasSubstr("[xacro-too-large]"), HasSubstr("[xacro-too-deep]"),
                                    HasSubstr("[xacro-overflow]"), HasSubstr("[xml-too-dense]")))
          << each.what;
      EXPECT_THAT(spent.said, ::testing::MatchesRegex("[a-z.]+:[1-9][0-9]*: error: (.|\n)*"))
          << each.what;
    }
    EXPECT_LT(spent.seconds, 20) << each.what;
    EXPECT_LT(spent.megabytes, 512) << each.what;
  }
  std::printf("the slowest took %.1f s, the largest %.0f MB\n", slowest, largest);
}

// Ten times as much as the largest that is known: 280 calls 11 deep, 2,654 elements in 3,770 lines,
// 477 properties, 1,861 expressions, 92 kB of source.
TEST(XacroBudget, LargeRobotsAreExpanded) {
  std::string robot = Repeated(5000, [](const auto& i) { return Property("p" + i, "${0.001*2}"); });
  robot +=
      "<xacro:property name='d' value=\"${load_yaml('large.yaml')}\"/>"
      "<xacro:macro name='leg' params='n length:=0.3 *origin **more'><link name='link_${n}'>"
      "<inertial><xacro:insert_block name='origin'/><mass value='${length*2+d.m}'/><inertia "
      "ixx='${length**2/12}' ixy='0' ixz='0' iyy='${length**2/12}' iyz='0' izz='0.1'/></inertial>"
      "<xacro:insert_block name='more'/></link><joint name='joint_${n}' type='revolute'><parent "
      "link='base'/><child link='link_${n}'/><limit lower='${-pi}' upper='${pi}' effort='${"
      "python.abs(-3)}' velocity='${radians(90)}'/></joint></xacro:macro>";
  robot += Repeated(3000, [](const auto& i) {
    return "<xacro:leg n='" + i + "' length='${p" + i +
           "+0.1}'><origin xyz='0 0 1'/><m><visual><geometry><mesh "
           "filename='package://robot/meshes/part_" +
           i + ".stl'/></geometry></visual></m></xacro:leg>\n";
  });
  const Expanded made = Expand(robot);
  ASSERT_TRUE(made.expansion) << made.message;
  EXPECT_GT(made.expansion->lines.size(), 40'000u);
}

}  // namespace
}  // namespace kinemorph::test
