// What documents expand to, where mistakes are told, and that hostile ones end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xacro_text.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char *in, *out;
};

TEST(XacroExpansion, Documents) {
  const Case cases[] = {
      // properties
      {"<xacro:property name='a' value='3'/><x v='${a}'/>", "<x v=\"3\"/>"},
      {"<xacro:property name='d' value='${2*c}'/><xacro:property name='c' value='4'/><x v='${d}'/>",
       "<x v=\"8\"/>"},
      {"<xacro:property name='a' value=' 6 '/><x v='${a+1}'/>", "<x v=\"7\"/>"},
      {"<xacro:property name='a' value='007'/><x v='n_${a}'/>", "<x v=\"n_7\"/>"},
      {"<xacro:property name='a' value='0 0 1'/><x>${a}</x>", "<x>0 0 1</x>"},
      {"<xacro:property name='a' value='1_2'/><x>${a}</x>", "<x>1_2</x>"},
      {"<xacro:property name='a' value=\"'5'\"/><x>${a+1}</x>", "<x>6</x>"},
      {"<xacro:property name='a' default='1'/><xacro:property name='a' default='2'/><x>${a}</x>",
       "<x>1</x>"},
      {"<xacro:property name='a' value='1'/><xacro:property name='a' remove='true'/>"
       "<xacro:property name='a' default='2'/><x>${a}</x>",
       "<x>2</x>"},
      {"<xacro:property name='a' value='aB'/>"
       "<xacro:property name='a' value='${a.upper()}' lazy_eval='false'/><x>${a}</x>",
       "<x>AB</x>"},
      {"<xacro:property name='b'><y/><z/></xacro:property><xacro:insert_block name='b'/>",
       "<y/><z/>"},
      {"<xacro:property name='v' value='1'/><xacro:property name='b'><y v='${v}'/></xacro:property>"
       "<xacro:property name='v' value='2'/><xacro:insert_block name='b'/>",
       "<y v=\"2\"/>"},
      {"<xacro:property name='a' value='$${q}'/><x v='${a}'/>", "<x v=\"${q}\"/>"},
      {"<xacro:property name='a' value='1'/><x>${'a' in python.vars()} ${'b' in python.vars()} "
       "${python.vars()['a']+1}</x>",
       "<x>True False 2</x>"},
      // macros
      {"<xacro:macro name='m' params='p q:=2'><y p='${p}' q='${q}'/></xacro:macro>"
       "<xacro:m p='1'/><xacro:m p='1' q='3'/>",
       "<y p=\"1\" q=\"2\"/><y p=\"1\" q=\"3\"/>"},
      {"<xacro:macro name='m' params=\"p:='a b' q=4\"><y p='${p}' "
       "q='${q}'/></xacro:macro><xacro:m/>",
       "<y p=\"a b\" q=\"4\"/>"},
      {"<xacro:property name='p' value='5'/><xacro:macro name='m' params='p:=^ q:=^|6'>"
       "<y v='${p} ${q}'/></xacro:macro><xacro:m/>",
       "<y v=\"5 6\"/>"},
      {"<xacro:macro name='m' params='*b **c'><o><xacro:insert_block name='b'/></o>"
       "<xacro:insert_block name='c'/></xacro:macro><xacro:m>text<b1/><c><c1/><c2/></c></xacro:m>",
       "<o><b1/></o><c1/><c2/>"},
      {"<xacro:property name='p' value='out'/><xacro:macro name='m'><y>${p}</y>"
       "<xacro:property name='p' value='in'/><y>${p}</y></xacro:macro><xacro:m/><y>${p}</y>",
       "<y>out</y><y>in</y><y>out</y>"},
      {"<xacro:macro name='m'><xacro:property name='p' value='${6*7}' "
       "scope='parent'/></xacro:macro>"
       "<xacro:m/><y>${p}</y>",
       "<y>42</y>"},
      {"<xacro:macro name='m'><xacro:macro name='n'><xacro:property name='p' value='9' "
       "scope='global'/></xacro:macro><xacro:n/></xacro:macro><xacro:m/><y>${p}</y>",
       "<y>9</y>"},
      {"<xacro:macro name='m'><y/></xacro:macro><xacro:property name='n' value='m'/>"
       "<xacro:call macro='${n}'/>",
       "<y/>"},
      {"<xacro:macro name='m' params='n'><xacro:if value='${n > 0}'><y n='${n}'/>"
       "<xacro:m n='${n-1}'/></xacro:if></xacro:macro><xacro:m n='3'/>",
       "<y n=\"3\"/><y n=\"2\"/><y n=\"1\"/>"},
      {"<xacro:macro name='m' params='l'><y>${l[-1]}</y></xacro:macro><xacro:m l='${[1,2]}'/>",
       "<y>2</y>"},
      // conditions
      {"<xacro:if value='true'><y/></xacro:if><xacro:unless value='true'><z/></xacro:unless>",
       "<y/>"},
      {"<xacro:if value='${0.0}'><y/></xacro:if><xacro:if value='${[0]}'><z/></xacro:if>", "<z/>"},
      {"<xacro:if value='0'><xacro:nothing a='${'/></xacro:if><y/>", "<y/>"},
      // arguments
      {"<xacro:arg name='a' default='x'/><y v='$(arg a)'/>", "<y v=\"x\"/>"},
      {"<xacro:arg name='given' default='x'/><y v='$(arg given)'/>", "<y v=\"0.5\"/>"},
      {"<xacro:property name='p' value='$(arg given)'/><y v='${p*2}'/>", "<y v=\"1.0\"/>"},
      {"<y v=\"${'$(arg given)'*2} $(arg ${'given'})\"/>", "<y v=\"0.50.5 0.5\"/>"},
      {"<y>$(env HOME_OF) $(optenv NO a b) $(cwd)</y>", "<y>x a b /here</y>"},
      {"<y>$(eval given + 1)</y>", "<y>1.5</y>"},
      {"<y>${xacro.arg('given')*2}</y>", "<y>0.50.5</y>"},
      // files
      {"<xacro:include filename='part.xml'/>", "<part/>"},
      {"<xacro:include filename='pa?[rt]*.xml'/>", "<pair/><part/>"},
      {"<xacro:include filename='*/deep.xml'/><xacro:include filename='oth[e]r/./deep.xml'/>"
       "<xacro:include filename='*/none.xml'/>",
       "<deep/><deep/>"},
      {"<xacro:include filename='none.xml' optional='true'/>", ""},
      {"<xacro:include filename='$(find arm)/urdf/a.xacro'/>", "<of_package/>"},
      {"<xacro:property name='q' value='1'/><xacro:include filename='space.xacro' ns='s'/>"
       "<xacro:s.m x='${q}'/><y>${s.p+q}</y>",
       "<got p=\"7\" x=\"1\"/><y>8</y>"},
      {"<xacro:property name='d' value=\"${xacro.load_yaml('data.yaml')}\"/>"
       "<y>${d.arm.mass} ${d['arm'].names[1]} ${d.turn} ${d[True]} ${d.old} ${d.text} "
       "${d.more}</y>",
       "<y>2.5 b c 3.141592653589793 True 8 1e-3 {'k': 1, 'l': 2}</y>"},
      // elements, attributes, comments
      {"<xacro:element xacro:name='${\"y\"}' a='1'/>", "<y a=\"1\"/>"},
      {"<xacro:macro name='m' params='p *b'><y v='${p}'/><xacro:insert_block name='b'/>"
       "</xacro:macro><xacro:element xacro:name='xacro:m' p='1'><z/></xacro:element>",
       "<y v=\"1\"/><z/>"},
      {"<xacro:element xacro:name='xacro:unless' value='0'><z/></xacro:element>", "<z/>"},
      {"<xacro:element xacro:name='xacro:macro' name='m'><z/></xacro:element><xacro:m/>", "<z/>"},
      {"<y xacro:note='${nobody}'/>", "<y/>"},
      {"<y><xacro:attribute name='a' value='${1+1}'/></y>", "<y a=\"2\"/>"},
      {"<!-- of p -->\n<xacro:property name='p' value='1'/>\n<!-- kept -->\n\n<y/>",
       "<!-- kept --><y/>"},
      {"<!-- xacro:eval-comments --><!-- ${1+1} --><y/><!-- ${1} -->",
       "<!-- 2 --><y/><!-- ${1} -->"},
      {"<include filename='x'/><y>&lt;${'&amp;'}</y>", "<include filename=\"x\"/><y>&lt;&amp;</y>"},
  };
  for (const auto& [in, out] : cases) {
    const Expanded made = Expand(in, {{"given", "0.5"}});
    EXPECT_TRUE(made.expansion) << in << "\n" << made.message;
    EXPECT_EQ(made.body, out) << in;
  }
}

// What a call gives to a macro of a namespace is evaluated where the call stands, as since xacro
// 2.1; where xacro 2.0 found another value, that is told.
TEST(XacroExpansion, CallsOfNamespacesAreEvaluatedWhereTheyStand) {
  struct Call {
    const char *in, *out, *differs;
  };
  const Call cases[] = {
      {"<xacro:L.n x='${p}'/>", "<n>main</n>", "'p'"},
      {"<xacro:macro name='w' params='p'><xacro:L.n x='${p}'/></xacro:macro><xacro:w p='wrap'/>",
       "<n>wrap</n>", "'p'"},
      {"<xacro:L.n x='${q}'/>", "<n>main</n>", ""},
      {"<xacro:L.n x='${same}'/>", "<n>5</n>", ""},
      {"<xacro:L.n x='${L.p}'/>", "<n>lib</n>", ""},
      {"<xacro:L.n x='${later}'/>", "<n>main!</n>", ""},
      {"<xacro:L.f/>", "<f>main</f>", "'p'"},
      {"<xacro:L.f p='x'/>", "<f>x</f>", ""},
      {"<xacro:L.d/>", "<d>main</d>", "'p'"},
      {"<xacro:L.k><b a='${p}'/></xacro:L.k>", "<b a=\"main\"/>", "'p'"},
      {"<xacro:call macro='L.n' x='${p}'/>", "<n>main</n>", "'p'"},
      {"<xacro:L.body/>", "<y>lib</y>", ""},
  };
  for (const auto& [in, out, differs] : cases) {
    const Expanded made = Expand(
        "<xacro:property name='p' value='main'/><xacro:property name='q' value='main'/>"
        "<xacro:property name='same' value='5'/><xacro:property name='later' "
        "value='${p}!'/><xacro:include filename='lib.xacro' ns='L'/>" +
        std::string(in));
    EXPECT_TRUE(made.expansion) << in << "\n" << made.message;
    EXPECT_EQ(made.body, out) << in;
    if (*differs == '\0')
      EXPECT_EQ(made.message, "") << in;
    else
      EXPECT_THAT(made.message,
                  ::testing::AllOf(HasSubstr(std::string("reads ") + differs + " where the call"),
                                   HasSubstr("[xacro-namespace-scope]")))
          << in;
  }
  const Expanded lost =
      Expand("<xacro:include filename='lib.xacro' ns='L'/><xacro:L.n x='${own}'/>");
  EXPECT_THAT(lost.message,
              ::testing::AllOf(HasSubstr("'own' is not defined"), HasSubstr("write L.own")));
}

TEST(XacroExpansion, ArgumentsWithoutValueAreNamedAtOnce) {
  const Expanded made = Expand(
      "<x v='$(arg a)'/>\n<y v='${2*$(arg b)}'/><y v='$(arg a)'/><xacro:arg name='d' "
      "default='1'/>\n<z v='$(arg d)'/><xacro:if value='$(arg c)'><nothing/></xacro:if>"
      "<xacro:include filename='$(arg e).xacro'/><z v='$(arg f)'/>${xacro.warning('not said')}");
  EXPECT_EQ(made.diagnostics.items().size(), 1u);
  EXPECT_EQ(made.message,
            "main.xacro:2: error: arguments 'a', 'b', 'c', 'e', 'f' have no value: give them by "
            "--xacro-arg a:=VALUE --xacro-arg b:=VALUE --xacro-arg c:=VALUE --xacro-arg e:=VALUE "
            "--xacro-arg f:=VALUE, or defaults by <xacro:arg> before their first use "
            "[xacro-arg-missing]\n    'b' is used at main.xacro:3\n    'c' is used at "
            "main.xacro:4\n    'e' is used at main.xacro:4\n    'f' is used at main.xacro:4");
  EXPECT_THAT(Expand("<x v='$(arg a)'/><y v='${nope}'/>").message,
              HasSubstr("argument 'a' has no value: give it by --xacro-arg a:=VALUE"));
}

TEST(XacroExpansion, AFolderWithoutManifestIsThePackageOfItsName) {
  const std::map<std::string, std::string> files = {
      {"arms/arm/urdf/part.xacro", "<any><part/></any>"}};
  const MemoryResolver resolver(files);
  XacroOptions options;
  options.resolver = &resolver;
  options.file_name = "arms/arm/urdf/main.xacro";
  const auto expand = [&](const std::string& name) {
    Diagnostics diagnostics;
    const auto made = ExpandXacro(
        "<r xmlns:xacro='u'><xacro:include filename='$(find " + name + ")/urdf/part.xacro'/></r>",
        options, diagnostics);
    return made ? BodyOf(made->text) : Render(diagnostics.items().back());
  };
  EXPECT_EQ(expand("arm"), "<part/>");
  EXPECT_THAT(expand("leg"), HasSubstr("[xacro-package-missing]"));
  EXPECT_THAT(expand(".."), HasSubstr("[xacro-package-missing]"));
}

TEST(XacroExpansion, SetsHaveNoOrder) {
  const Expanded known = Expand("<x>${python.set([3,1,3])} ${'a' in python.set(['a','b'])}</x>");
  EXPECT_EQ(known.body, "<x>{1, 3} True</x>");
  EXPECT_EQ(known.message, "");
  const Expanded sorted = Expand("<x>${python.set('c a b'.split())}</x>");
  EXPECT_EQ(sorted.body, "<x>{'a', 'b', 'c'}</x>");
  EXPECT_THAT(sorted.message, HasSubstr("[xacro-set-order]"));
  EXPECT_EQ(Expand("<x>${sorted(python.set('c a b'.split()))}</x>").message, "");
  EXPECT_THAT(Expand("<x>${list(python.set(['b','a']))}</x>").message,
              HasSubstr("[xacro-set-order]"));
}

TEST(XacroExpansion, AMessageMayHaveItsName) {
  EXPECT_THAT(Expand("<x v=\"${xacro.warning(msg='careful', color='red')}\"/>").message,
              HasSubstr("the file says: careful ["));
}

TEST(XacroExpansion, NoEnvironmentIsSaid) {
  Diagnostics diagnostics;
  EXPECT_FALSE(ExpandXacro("<x v='$(env HOME)'/>", {}, diagnostics));
  EXPECT_THAT(Render(diagnostics.items().back()),
              ::testing::AllOf(HasSubstr("--no-env"), HasSubstr("[xacro-env]")));
  const auto made = ExpandXacro("<x v='$(optenv HOME a b)'/>", {}, diagnostics);
  ASSERT_TRUE(made);
  EXPECT_THAT(made->text, HasSubstr("v=\"a b\""));
}

TEST(XacroExpansion, MistakesNameFileLineAndCode) {
  const Case cases[] = {
      {"<a/>\n<x v='${nope}'/>",
       "main.xacro:3: error: expression 'nope': name 'nope' is not defined"},
      {"<x v='${1+}'/>", "[xacro-syntax]"},
      {"<x v='${1'/>", "[xacro-syntax]"},
      {"<x v='$$x'/>", "[xacro-syntax]"},
      {"<x v='${1/0}'/>", "division by zero [xacro-type]"},
      {"<x v='${2**64}'/>", "[xacro-overflow]"},
      {"<x v=\"${'a' &lt; 1}\"/>", "'<' not supported between 'str' and 'int'"},
      {"<x v=\"${'a' >= 1}\"/>", "'>=' not supported between 'str' and 'int'"},
      {"<x v=\"${max('a', 1)}\"/>", "'>' not supported between 'int' and 'str'"},
      {"<xacro:property name='f' value='{:>05d}'/><x v='${f.format(-3)}'/>", "[xacro-unsupported]"},
      {"<x v=\"${__import__('os')}\"/>", "[xacro-unsupported]"},
      {"<x v=\"${''.__class__}\"/>", "[xacro-unsupported]"},
      {"<x>a\n${nope}</x>", "main.xacro:3: error:"},
      {"<xacro:property name='a.b' value='1'/>", "[xacro-name]"},
      {"<xacro:property name='__a' value='1'/>", "[xacro-name]"},
      {"<xacro:property name='p' value='1' default='2'/>", "[xacro-attribute-missing]"},
      {"<xacro:property name='a' value='${b}'/>\n<xacro:property name='b' value='${a}'/>\n"
       "<x v='${a}'/>",
       "depends on itself: a -> b -> a"},
      {"<xacro:nothing/>", "[xacro-macro-unknown]"},
      {"<xacro:macro name='call'/>", "[xacro-name]"},
      {"<xacro:macro name='m' params='p'/>\n<xacro:m/>", "the call gives no value for 'p'"},
      {"<xacro:macro name='m' params='abc'/>\n<xacro:m abd='1'/>", "did you mean 'abc'?"},
      {"<xacro:macro name='m' params='*b'/>\n<xacro:m/>", "[xacro-block]"},
      {"<xacro:macro name='m'/>\n<xacro:m><b/></xacro:m>", "[xacro-block]"},
      {"<xacro:insert_block name='b'/>", "[xacro-block]"},
      {"<xacro:if value='maybe'/>", "[xacro-condition]"},
      {"<x v='$(arg n)'/>", "--xacro-arg n:=VALUE"},
      {"<x v='$(find far)'/>", "--package far=DIR"},
      {"<x v='$(env NO)'/>", "[xacro-env]"},
      {"<x v='$(anon n)'/>", "[xacro-unsupported]"},
      {"<xacro:include filename='none.xml'/>", "[xacro-include]"},
      {"<xacro:include filename='broken.xml'/>", "[xacro-include]"},
      {"<x v=\"${load_yaml('bad.yaml').a}\"/>", "bad.yaml:2: error:"},
      {"<x v=\"${load_yaml('surrogate.yaml').a}\"/>", "surrogate.yaml:2: error:"},
      {"<x v=\"${load_yaml('sign.yaml').a}\"/>", "sign.yaml:2: error:"},
      {"<x v=\"${load_yaml('prefix.yaml').a}\"/>", "prefix.yaml:2: error:"},
      {"<x v=\"${load_yaml('latin.yaml').a}\"/>", "latin.yaml:2: error:"},
      {"<x v=\"${load_yaml('control.yaml').a}\"/>", "control.yaml:2: error:"},
      {"<x v=\"${xacro.fatal('stop', 1)}\"/>", "the file says: stop 1 [xacro-fatal]"},
      {"<xacro:macro name='m'>\n<x v='${nope}'/></xacro:macro>\n<xacro:m/>",
       "in macro 'm', called at main.xacro:4"},
  };
  for (const auto& [in, said] : cases) {
    const Expanded made = Expand(in);
    EXPECT_FALSE(made.expansion) << in;
    EXPECT_EQ(made.diagnostics.num_errors(),
              in == std::string("<xacro:include filename='broken.xml'/>") ? 2u : 1u)
        << in;
    EXPECT_THAT(made.message, HasSubstr(said)) << in;
  }
}

TEST(XacroExpansion, HostileTextsEnd) {
  std::string doubling = "<xacro:property name='a0' value='xxxxxxxxxxxxxxxx'/>";
  for (int i = 1; i < 40; ++i)
    doubling += "<xacro:property name='a" + std::to_string(i) + "' value='${a" +
                std::to_string(i - 1) + "}${a" + std::to_string(i - 1) + "}'/>";
  const Case cases[] = {
      {"<xacro:macro name='m'><xacro:m/></xacro:macro><xacro:m/>", "[xacro-too-deep]"},
      {"<xacro:macro name='m' params='n'><xacro:if value='${n}'><xacro:m n='${n-1}'/>"
       "<xacro:m n='${n-1}'/></xacro:if></xacro:macro><xacro:m n='40'/>",
       "[xacro-too-large]"},
      {"<xacro:include filename='loop.xacro'/>", "[xacro-too-deep]"},
      {"<xacro:property name='b'><xacro:insert_block name='b'/></xacro:property>"
       "<xacro:insert_block name='b'/>",
       "[xacro-too-deep]"},
      {"<x v=\"${'x'*10**9}\"/>", "[xacro-too-large]"},
      {"<x v='${[0]*10**9}'/>", "[xacro-too-large]"},
      {"<x v='${len(range(10**12))}'/>", "[xacro-too-large]"},
      {"<x v='${9**9**9}'/>", "[xacro-overflow]"},
      {"<x v='${len([1 for i in range(90000) for k in range(90000)])}'/>", "[xacro-too-large]"},
  };
  for (const auto& [in, said] : cases) EXPECT_THAT(Expand(in).message, HasSubstr(said)) << in;
  EXPECT_THAT(Expand(doubling + "<x v='${a39}'/>").message, HasSubstr("[xacro-too-large]"));
  EXPECT_THAT(
      Expand("<x v='${" + std::string(200, '(') + "1" + std::string(200, ')') + "}'/>").message,
      HasSubstr("[xacro-too-deep]"));
}

TEST(XacroExpansion, MessagesOfReadersGoBackToTheSource) {
  const Expanded made =
      Expand("<xacro:macro name='leg'>\n<joint/>\n</xacro:macro>\n<xacro:leg/>\n<link/>");
  ASSERT_TRUE(made.expansion) << made.message;
  const auto translated = [&](std::uint32_t line) {
    return made.expansion->Translated(Diagnostic{
        Severity::kError, "c", made.expansion->name, line, "", "the first is in line 4", {}});
  };
  const Diagnostic joint = translated(3), link = translated(4);
  EXPECT_EQ(joint.file, "main.xacro");
  EXPECT_EQ(joint.line, 3u);
  EXPECT_EQ(joint.message, "the first is at main.xacro:6");
  EXPECT_THAT(joint.notes, ::testing::ElementsAre("in macro 'leg', called at main.xacro:5"));
  EXPECT_EQ(link.line, 6u);
  EXPECT_TRUE(link.notes.empty());
}

}  // namespace
}  // namespace kinemorph::test
