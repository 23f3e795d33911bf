// What the tests of the program xacro ask of it, a row for each of their subjects, on documents of
// our own. Where the program itself is there, it is asked too (KINEMORPH_XACRO_REFERENCE names a
// checkout of ros/xacro; python3 and python3-yaml run it).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "xacro_text.h"

namespace kinemorph::test {
namespace {

struct Expectation {
  const char* subject;
  const char* in;
  const char* out;  // the body; "[code]" where it is an error
};

const Expectation kExpectations[] = {
    // properties
    {"name with a dot", "<xacro:property name='a-b' value='1'/>", "[xacro-name]"},
    {"name that is hidden", "<xacro:property name='__p' value='1'/>", "[xacro-name]"},
    {"name that is a keyword", "<xacro:property name='class' value='1'/>", "[xacro-name]"},
    {"value and default", "<xacro:property name='p' value='1' default='2'/>",
     "[xacro-attribute-missing]"},
    {"value and removal", "<xacro:property name='p' value='1' remove='true'/>",
     "[xacro-attribute-missing]"},
    {"default and no removal", "<xacro:property name='p' default='8' remove='false'/><y>${p}</y>",
     "<y>8</y>"},
    {"replaced", "<xacro:property name='p' value='q'/><y v='${p}'/>", "<y v=\"q\"/>"},
    {"of the parent",
     "<xacro:macro name='m'><xacro:property name='p' value='3' "
     "scope='parent'/></xacro:macro><xacro:m/><y>${p}</y>",
     "<y>3</y>"},
    {"of all",
     "<xacro:macro name='m'><xacro:macro name='n'><xacro:property name='p' value='4' "
     "scope='global'/></xacro:macro><xacro:n/></xacro:macro><xacro:m/><y>${p}</y>",
     "<y>4</y>"},
    {"in a comprehension", "<xacro:property name='f' value='3'/><y>${[f*i for i in range(3)]}</y>",
     "<y>[0, 3, 6]</y>"},
    {"from another",
     "<xacro:property name='p' value='5'/><xacro:property name='q' value='${p}'/><y>${q+1}</y>",
     "<y>6</y>"},
    {"before what it needs",
     "<xacro:property name='q' value='${p*2}'/><xacro:property name='p' value='6'/><y>${q}</y>",
     "<y>12</y>"},
    {"round and round",
     "<xacro:property name='p' value='${q}'/><xacro:property name='q' value='${p+1}'/><y>${q}</y>",
     "[xacro-circular]"},
    {"of itself, at once",
     "<xacro:property name='p' value='1'/><xacro:property name='p' value='${p+1}' "
     "lazy_eval='false'/><y>${p}</y>",
     "<y>2</y>"},
    {"two of one, twice",
     "<xacro:property name='p' value='7'/><xacro:property name='q' value='${p} ${p}'/><y>${q}, "
     "${q}</y>",
     "<y>7 7, 7 7</y>"},
    {"defined again",
     "<xacro:property name='p' value='1'/><x>${p}</x><xacro:property name='p' "
     "value='2'/><y>${p}</y>",
     "<x>1</x><y>2</y>"},
    {"in a chain",
     "<xacro:property name='c' value='${b}'/><xacro:property name='b' "
     "value='${a}'/><xacro:property name='a' value='9'/><y>${c}</y>",
     "<y>9</y>"},
    {"in a tree",
     "<xacro:property name='t' value='${l*r}'/><xacro:property name='l' "
     "value='${n+1}'/><xacro:property name='r' value='${n+2}'/><xacro:property name='n' "
     "value='1'/><y>${t}</y>",
     "<y>6</y>"},
    {"wrong inside", "<xacro:property name='t' value='${1 +* 2}'/><y>${t}</y>", "[xacro-syntax]"},
    {"unknown", "<y>${nobody}</y>", "[xacro-undefined]"},
    {"removed",
     "<xacro:property name='p' value='1'/><xacro:property name='p' remove='true'/><y>${p}</y>",
     "[xacro-undefined]"},
    {"default that yields",
     "<xacro:property name='p' value='1'/><xacro:property name='p' default='2'/><y>${p}</y>",
     "<y>1</y>"},
    {"integer that stays one", "<xacro:property name='p' value='5'/><y>joint${p}</y>",
     "<y>joint5</y>"},
    {"text with an underscore", "<xacro:property name='p' value='1_000'/><y>${p}</y>",
     "<y>1_000</y>"},
    {"list as text", "<xacro:property name='p' value='${[1, 2, 3]}'/><y>${p[1]}</y>", "<y>2</y>"},
    {"list that is none", "<xacro:property name='p' value='[1, 2]'/><y>${p[1]}</y>", "<y>1</y>"},
    {"true and text", "<xacro:property name='p' value='true'/><y>${p} ${not p}</y>",
     "<y>True False</y>"},
    {"not evaluated twice",
     "<xacro:property name='p' value=\"'${r}'\"/><xacro:property name='r' value='x'/><y>${p}</y>",
     "<y>x</y>"},
    {"block",
     "<xacro:property name='b'><x/><z a='1'/></xacro:property><xacro:insert_block name='b'/>",
     "<x/><z a=\"1\"/>"},
    {"of a function's name", "<xacro:property name='str' value='sin'/><y>${str}</y>", "<y>sin</y>"},
    // expressions
    {"blanks inside", "<y>${ 2 * 3 }</y>", "<y>6</y>"},
    {"functions", "<y>${sin(pi/2) + abs_(1) if False else max(1, 2)}</y>", "<y>2</y>"},
    {"builtins that are none", "<y>${open('f')}</y>", "[xacro-undefined]"},
    {"hidden attributes", "<y>${(1).__class__}</y>", "[xacro-unsupported]"},
    {"escaped", "<y a='$${x}' b='$$$${x}'/>", "<y a=\"${x}\" b=\"$$${x}\"/>"},
    {"a sign alone", "<y a='$' b='5 $'/>", "<y a=\"$\" b=\"5 $\"/>"},
    {"not closed", "<y a='${1'/>", "[xacro-syntax]"},
    {"extension inside", "<y>${2*$(arg given)}</y>", "<y>1.0</y>"},
    {"inside an extension", "<xacro:property name='n' value='given'/><y>$(arg ${n})</y>",
     "<y>0.5</y>"},
    {"nothing to evaluate", "<y a='{1}' b='(2)'>{}</y>", "<y a=\"{1}\" b=\"(2)\">{}</y>"},
    {"letters of the world", "<xacro:property name='ü' value='ä'/><y>${ü}</y>", "<y>ä</y>"},
    {"tokens", "<y>${xacro.tokenize('a, b;c')}</y>", "<y>['a', 'b', 'c']</y>"},
    {"tokens that are empty", "<y>${xacro.tokenize('a,,b', ',', False)}</y>",
     "<y>['a', '', 'b']</y>"},
    {"dotted dictionary",
     "<xacro:property name='d' value='${xacro.dotify(dict(a=1))}'/><y>${d.a}</y>", "<y>1</y>"},
    // macros
    {"named by a property",
     "<xacro:macro name='m'><y/></xacro:macro><xacro:property name='n' value='m'/><xacro:call "
     "macro='${n}'/>",
     "<y/>"},
    {"named as the directive", "<xacro:macro name='call'><y/></xacro:macro>", "[xacro-name]"},
    {"named by nothing", "<xacro:call macro='${\"no\"}'/>", "[xacro-macro-unknown]"},
    {"unknown macro", "<xacro:nomacro/>", "[xacro-macro-unknown]"},
    {"with its prefix", "<xacro:macro name='xacro:m'><y/></xacro:macro><xacro:m/>", "<y/>"},
    {"in order",
     "<xacro:macro name='m'><x/></xacro:macro><xacro:m/><xacro:macro "
     "name='m'><y/></xacro:macro><xacro:m/>",
     "<x/><y/>"},
    {"parameter before its body",
     "<xacro:macro name='m' params='a'><y v='${a}'/></xacro:macro><xacro:m a='${1+2}'/>",
     "<y v=\"3\"/>"},
    {"parameter that is a block's name",
     "<xacro:macro name='m' params='n'><xacro:m2 b='${n}'/></xacro:macro><xacro:macro name='m2' "
     "params='b'><y>${b}</y></xacro:macro><xacro:m n='q'/>",
     "<y>q</y>"},
    {"parameter that is quoted",
     "<xacro:macro name='m' params=\"a:='1 2' b:=&quot;3 "
     "4&quot;\"><y>${a}</y></xacro:macro><xacro:m/>",
     "<y>1 2</y>"},
    {"several blocks",
     "<xacro:macro name='m' params='*a *b'><xacro:insert_block name='b'/><xacro:insert_block "
     "name='a'/></xacro:macro><xacro:m><x/><y/></xacro:m>",
     "<y/><x/>"},
    {"a block twice",
     "<xacro:macro name='m' params='*a'><xacro:insert_block name='a'/><xacro:insert_block "
     "name='a'/></xacro:macro><xacro:m><x/></xacro:m>",
     "<x/><x/>"},
    {"a scope of its own",
     "<xacro:property name='p' value='out'/><xacro:macro name='m'><xacro:property name='p' "
     "value='in'/><x>${p}</x></xacro:macro><xacro:m/><y>${p}</y>",
     "<x>in</x><y>out</y>"},
    {"default",
     "<xacro:macro name='m' params='a:=4'><y>${a}</y></xacro:macro><xacro:m/><xacro:m a='5'/>",
     "<y>4</y><y>5</y>"},
    {"missing parameter", "<xacro:macro name='m' params='a b'><y/></xacro:macro><xacro:m a='1'/>",
     "[xacro-parameter]"},
    {"too many parameters",
     "<xacro:macro name='m' params='a'><y/></xacro:macro><xacro:m a='1' c='2'/>",
     "[xacro-parameter]"},
    {"forwarded",
     "<xacro:property name='a' value='6'/><xacro:macro name='m' "
     "params='a:=^'><y>${a}</y></xacro:macro><xacro:m/>",
     "<y>6</y>"},
    {"forwarded or default",
     "<xacro:macro name='m' params='a:=^|7'><y>${a}</y></xacro:macro><xacro:m/>", "<y>7</y>"},
    {"forwarded from nowhere",
     "<xacro:macro name='m' params='a:=^'><y>${a}</y></xacro:macro><xacro:m/>",
     "[xacro-parameter]"},
    {"defaults in the caller's scope",
     "<xacro:property name='a' value='1'/><xacro:macro name='m' params='a "
     "b:=${a}'><y>${b}</y></xacro:macro><xacro:m a='2'/>",
     "<y>1</y>"},
    // conditions
    {"if and unless",
     "<xacro:if value='1'><x/></xacro:if><xacro:unless value='1'><y/></xacro:unless>", "<x/>"},
    {"words", "<xacro:if value='True'><x/></xacro:if><xacro:if value='false'><y/></xacro:if>",
     "<x/>"},
    {"numbers", "<xacro:if value='${0.5}'><x/></xacro:if><xacro:if value='${1*0}'><y/></xacro:if>",
     "<x/>"},
    {"a number that is not a word", "<xacro:if value='nosense'><x/></xacro:if>",
     "[xacro-condition]"},
    {"comparison",
     "<xacro:property name='p' value='arm'/><xacro:if value=\"${p == 'arm'}\"><x/></xacro:if>",
     "<x/>"},
    {"one after the other",
     "<xacro:if value='1'><xacro:if value='1'><x/></xacro:if></xacro:if><xacro:if "
     "value='0'><y/></xacro:if>",
     "<x/>"},
    {"text and comments inside", "<y><xacro:if value='1'>a<!-- b --></xacro:if></y>",
     "<y>a<!-- b --></y>"},
    // arguments
    {"argument", "<xacro:arg name='n' default='1'/><y>$(arg n)</y>", "<y>1</y>"},
    {"argument given", "<xacro:arg name='given' default='1'/><y>$(arg given)</y>", "<y>0.5</y>"},
    {"argument without value", "<y>$(arg n)</y>", "[xacro-arg-missing]"},
    {"argument in a default", "<xacro:arg name='n' default='$(arg given)0'/><y>$(arg n)</y>",
     "<y>0.50</y>"},
    {"argument as a number", "<xacro:property name='p' value='$(arg given)'/><y>${p*4}</y>",
     "<y>2.0</y>"},
    {"argument as a function", "<y>${xacro.arg('given')}</y>", "<y>0.5</y>"},
    {"evaluated", "<y>$(eval given*2)</y>", "<y>1.0</y>"},
    // includes
    {"file", "<xacro:include filename='part.xml'/>", "<part/>"},
    {"file of a property",
     "<xacro:property name='f' value='part'/><xacro:include filename='${f}.xml'/>", "<part/>"},
    {"no file", "<xacro:include filename='no.xml'/>", "[xacro-include]"},
    {"no file, as may be", "<xacro:include filename='no.xml' optional='1'/><y/>", "<y/>"},
    {"no XML", "<xacro:include filename='broken.xml'/>", "[xacro-include]"},
    {"not taken", "<xacro:if value='0'><xacro:include filename='no.xml'/></xacro:if><y/>", "<y/>"},
    {"in a macro",
     "<xacro:macro name='m'><xacro:include filename='part.xml'/></xacro:macro><xacro:m/>",
     "<part/>"},
    {"in a namespace", "<xacro:include filename='space.xacro' ns='s'/><y>${s.p}</y>", "<y>7</y>"},
    {"without the prefix", "<include filename='part.xml'/>", "<include filename=\"part.xml\"/>"},
    {"yaml",
     "<xacro:property name='d' value=\"${load_yaml('data.yaml')}\"/><y>${d['arm']['mass']} "
     "${d.arm.mass*2}</y>",
     "<y>2.5 5.0</y>"},
    {"yaml without such a key",
     "<xacro:property name='d' value=\"${load_yaml('data.yaml')}\"/><y>${d.leg}</y>",
     "[xacro-undefined]"},
    {"yaml and in",
     "<xacro:property name='d' value=\"${load_yaml('data.yaml')}\"/><y>${'arm' in d} ${'leg' in "
     "d}</y>",
     "<y>True False</y>"},
    {"keys more than once",
     "<xacro:property name='k' value='${dict(a=1).keys()}'/><y>${list(k)} ${list(k)}</y>",
     "<y>['a'] ['a']</y>"},
    {"yaml with units",
     "<xacro:property name='d' value=\"${load_yaml('data.yaml')}\"/><y>${d.turn}</y>",
     "<y>3.141592653589793</y>"},
    {"yaml lists",
     "<xacro:property name='d' value=\"${load_yaml('data.yaml')}\"/><y>${[n for n in "
     "d.arm.names]}</y>",
     "<y>['a', 'b c']</y>"},
    // namespaces
    {"argument of a call into a namespace",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:L.n x='${p}'/>",
     "<n>main</n>"},
    {"argument of such a call in a macro",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:macro name='w' params='p'><xacro:L.n x='${p}'/></xacro:macro><xacro:w "
     "p='wrap'/>",
     "<n>wrap</n>"},
    {"property of the namespace",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:L.n x='${L.p}'/>",
     "<n>lib</n>"},
    {"name that only the namespace has",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:L.n x='${own}'/>",
     "[xacro-undefined]"},
    {"forwarded into a namespace",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:L.f/>",
     "<f>main</f>"},
    {"default in a namespace",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:L.d/>",
     "<d>main</d>"},
    {"block given into a namespace",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:L.k><b a='${p}'/></xacro:L.k>",
     "<b a=\"main\"/>"},
    {"body of a macro of a namespace",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:L.body/>",
     "<y>lib</y>"},
    {"named call into a namespace",
     "<xacro:property name='p' value='main'/><xacro:include filename='lib.xacro' "
     "ns='L'/><xacro:call macro='L.n' x='${p}'/>",
     "<n>main</n>"},
    {"set", "<y>${python.set([3,1,3])}</y>", "<y>{1, 3}</y>"},
    {"set of nothing", "<y>${python.set()}</y>", "<y>set()</y>"},
    {"frozen set", "<y>${python.frozenset([1])}</y>", "<y>frozenset({1})</y>"},
    {"in a set", "<y>${'a' in python.set('a b'.split())}</y>", "<y>True</y>"},
    {"sets joined", "<y>${sorted(python.set([1,2]) | python.set([9]))}</y>", "<y>[1, 2, 9]</y>"},
    {"sets apart", "<y>${python.set([1,2]) - python.set([2])}</y>", "<y>{1}</y>"},
    {"one item of a set", "<y>${python.set([1])[0]}</y>", "[xacro-type]"},
    {"instance", "<y>${python.isinstance([1], list)}</y>", "<y>True</y>"},
    {"instance of one of several", "<y>${python.isinstance('a', (int, str))}</y>", "<y>True</y>"},
    {"truth as an integer", "<y>${python.isinstance(True, int)}</y>", "<y>True</y>"},
    {"instance without python", "<y>${isinstance(1, int)}</y>", "[xacro-undefined]"},
    {"type", "<y>${python.type(1.0) == float}</y>", "<y>True</y>"},
    {"any and sum", "<y>${[python.any([0,1]), python.sum([1,2.5])]}</y>", "<y>[True, 3.5]</y>"},
    {"enumerated", "<y>${list(python.enumerate([5,6]))}</y>", "<y>[(0, 5), (1, 6)]</y>"},
    {"quotient and rest", "<y>${python.divmod(7,2)}</y>", "<y>(3, 1)</y>"},
    {"truth", "<y>${bool('')}</y>", "<y>False</y>"},
    {"known name", "<y>${'pi' in python.vars()}</y>", "<y>True</y>"},
    {"unknown name", "<y>${'nobody' in python.vars()}</y>", "<y>False</y>"},
    {"format", "<xacro:property name='f' value='{k}={v:.2f} {{}}'/><y>${f.format(k='a', v=1)}</y>",
     "<y>a=1.00 {}</y>"},
    {"format by place",
     "<xacro:property name='f' value='{1}-{0}-{}'/><y>${f[:7].format(1.5,'b')}</y>",
     "<y>b-1.5</y>"},
    {"format in a row",
     "<xacro:property name='f' value='{}{:>4}{:4}|{:4}|{:<4}|{:04d}'/>"
     "<y>${f.format(None,'a','b',7,8,9)}</y>",
     "<y>None   ab   |   7|8   |0009</y>"},
    {"format of a truth",
     "<xacro:property name='f' value='|{:5d}|{:3}|{:&lt;3}|{:6.1f}'/>"
     "<y>${f.format(True,True,False,True)}</y>",
     "<y>|    1|  1|0  |   1.0</y>"},
    {"format without an argument", "<xacro:property name='f' value='{a}'/><y>${f.format(b=1)}</y>",
     "[xacro-type]"},
    {"format with one brace", "<xacro:property name='f' value='a}'/><y>${f.format(1)}</y>",
     "[xacro-type]"},
    {"format of a wrong kind", "<xacro:property name='f' value='{:d}'/><y>${f.format(1.5)}</y>",
     "[xacro-unsupported]"},
    {"attribute that is dropped", "<y xacro:note='${nobody}'/>", "<y/>"},
    {"element that is a macro",
     "<xacro:macro name='m' params='p'><y>${p}</y></xacro:macro><xacro:element "
     "xacro:name='xacro:m' p='1'/>",
     "<y>1</y>"},
    {"namespaces of XML that a file declares", "<y><xacro:include filename='prefix.xacro'/></y>",
     "<y xmlns:k=\"uri\"><k/></y>"},
    {"namespaces of XML in a condition",
     "<y><xacro:if value='1'><xacro:include filename='prefix.xacro'/></xacro:if></y>",
     "<y><k/></y>"},
    // elements
    {"element", "<xacro:element xacro:name='${\"a\" + \"b\"}'><y/></xacro:element>",
     "<ab><y/></ab>"},
    {"element without a name", "<xacro:element xacro:name=''/>", "[xacro-name]"},
    {"attribute", "<y a='1'><xacro:attribute name='a' value='2'/></y>", "<y a=\"2\"/>"},
    {"comments of directives", "<!-- a --><xacro:property name='p' value='1'/><y/>", "<y/>"},
    {"comments that stay", "<y><!-- ${1} --></y>", "<y><!-- ${1} --></y>"},
    {"comments that are evaluated", "<!-- xacro:eval-comments --><!-- ${1+1} --><y/>",
     "<!-- 2 --><y/>"},
    {"messages", "<y a=\"${xacro.warning('careful')}\"/>", "<y a=\"\"/>"},
    {"the end", "<y a=\"${xacro.fatal('enough')}\"/>", "[xacro-fatal]"},
};

TEST(XacroExpectations, AreMet) {
  constexpr std::size_t count = std::size(kExpectations);
  std::size_t met = 0;
  for (const auto& [subject, in, out] : kExpectations) {
    const Expanded made = Expand(in, {{"given", "0.5"}});
    const bool error = out[0] == '[';
    const bool as_expected = error ? !made.expansion && made.message.find(out) != std::string::npos
                                   : made.expansion && made.body == out;
    met += as_expected ? 1 : 0;
    EXPECT_TRUE(as_expected) << subject << ": " << (error ? made.message : made.body) << "\n"
                             << "expected " << out << "\n"
                             << made.message;
  }
  std::printf("%zu of %zu expectations of xacro are met: %.1f %%\n", met, count,
              100.0 * static_cast<double>(met) / static_cast<double>(count));
  EXPECT_GE(100 * met, 98 * count);
}

// The program runs in a folder with the documents and the files beside them.
const char* const kProgram = R"py(
import sys, os, re, types
reference, folder = sys.argv[1:3]
for path in (reference + '/src', reference): sys.path.insert(0, path)
for name in ('rospkg', 'rospkg.common', 'roslaunch', 'roslaunch.substitution_args', 'ament_index_python', 'ament_index_python.packages'):
    sys.modules[name] = types.ModuleType(name)
class Absent(Exception): pass
sys.modules['rospkg'].RosPack = sys.modules['rospkg'].ResourceNotFound = Absent
sys.modules['rospkg.common'].ResourceNotFound = Absent
sys.modules['ament_index_python.packages'].get_package_share_directory = None
sys.modules['ament_index_python.packages'].PackageNotFoundError = Absent
def resolve_args(text, context, **_):
    def one(match):
        word, rest = match.group(1), match.group(2)
        if word == 'arg': return str(context['arg'][rest])
        if word == 'eval': return str(eval(rest, {}, {k: float(v) for k, v in context['arg'].items()}))
        raise Absent(word)
    return re.sub(r'\$\((\w+) ([^)]*)\)', one, text)
substitutions = sys.modules['roslaunch.substitution_args']
substitutions.resolve_args = resolve_args
substitutions.ArgException = substitutions.SubstitutionException = KeyError
sys.modules['roslaunch'].substitution_args = substitutions
import xacro
os.chdir(folder)
for name in sorted(n for n in os.listdir('.') if n.startswith('main')):
    try:
        text = xacro.process_file(name, mappings={'given': '0.5'}).toprettyxml(indent='  ')
    except BaseException as error:
        text = 'error: ' + str(error)
    open('out_' + name, 'w').write(text)
)py";

TEST(XacroExpectations, AreThoseOfTheProgram) {
  const char* const reference = std::getenv("KINEMORPH_XACRO_REFERENCE");
  if (reference == nullptr)
    GTEST_SKIP() << "KINEMORPH_XACRO_REFERENCE names no checkout of ros/xacro";
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "kinemorph-xacro-XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  const auto write = [&](const std::string& file, const std::string& text) {
    std::ofstream(folder / file, std::ios::binary) << text;
  };
  for (const auto& [file, text] : kFiles)
    if (file.find("://") == std::string::npos) write(file, text);
  write("program.py", kProgram);
  const auto document = [](std::size_t i) {
    std::string number = std::to_string(i);
    return "main" + std::string(4 - number.size(), '0') + number + ".xacro";
  };
  for (std::size_t i = 0; i < std::size(kExpectations); ++i)
    write(document(i), "<r xmlns:xacro='u'>\n" + std::string(kExpectations[i].in) + "\n</r>");
  const std::string command = "python3 '" + (folder / "program.py").string() + "' '" + reference +
                              "' '" + folder.string() + "' >/dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::size(kExpectations); ++i) {
    std::ifstream stream(folder / ("out_" + document(i)));
    std::ostringstream text;
    text << stream.rdbuf();
    const Expectation& each = kExpectations[i];
    const bool error = text.str().starts_with("error: ");
    EXPECT_EQ(error, each.out[0] == '[') << each.subject << ": " << text.str();
    if (!error) { EXPECT_EQ(BodyOf(text.str()), each.out) << each.subject; }
    same += error ? each.out[0] == '[' : BodyOf(text.str()) == each.out;
  }
  std::printf("%zu of %zu as the program has it\n", same, std::size(kExpectations));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kinemorph::test
