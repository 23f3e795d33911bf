"""The XSD of URDF+ (tools/docs/schemas/urdf_plus.xsd) by xmllint: urdf_plus.py KINEMORPH SOURCE SHARED.

It accepts every description that the reader reads, of ours and of others, but for a few that are named here with what is wrong in
them, and refuses texts with one mistake each."""

import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

kinemorph, source, shared = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
fixtures = source / 'fixtures'
page = (source / 'tools/docs/SCHEMAS.md').read_text()
schema = source / 'tools/docs/schemas/urdf_plus.xsd'

GOOD = '''<?xml version="1.0"?>
<robot name="four_bar" version="1.0" xmlns:drake="http://drake.mit.edu">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <joint name="j1" type="revolute" independent="true">
    <parent link="base"/> <child link="a"/> <origin xyz="0 0 0.1" rpy="0 0 0"/> <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="5"/> <dynamics damping="0.1"/>
  </joint>
  <link name="base"/>
  <link name="a">
    <inertial> <origin xyz="0.1 0 0"/> <mass value="1"/> <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/> </inertial>
    <visual> <geometry><box size="0.2 0.1 0.1"/></geometry> <material name="grey"/> </visual>
    <collision name="c"> <geometry><sphere radius="0.1"/></geometry> </collision>
  </link>
  <link name="b"/>
  <link name="c"/>
  <link name="rotor"/>
  <joint name="j2" type="continuous" independent="false"> <parent link="a"/> <child link="b"/> <origin xyz="0.2 0 0"/> <axis xyz="0 0 1"/> </joint>
  <joint name="j3" type="continuous" independent="False"> <parent link="base"/> <child link="c"/> <origin xyz="0.2 0.1 0"/> <axis xyz="0 0 1"/>
    <mimic joint="j1" multiplier="2"/> </joint>
  <joint name="j4" type="continuous" independent="false"> <parent link="base"/> <child link="rotor"/> <axis xyz="0 0 1"/> </joint>
  <loop name="pin" type="revolute">
    <predecessor link="b"> <origin xyz="0.1 0 0"/> </predecessor> <successor link="c"> <origin xyz="0 0.1 0"/> </successor> <axis xyz="0 0 1"/>
  </loop>
  <coupling name="gear"> <predecessor link="rotor"/> <successor link="a"/> <ratio value="6"/> </coupling>
  <gazebo reference="a"><mu1>0.5</mu1></gazebo>
  <drake:collision_filter_group name="g"/>
  <transmission name="t"><type>anything</type></transmission>
</robot>
'''

# What is wrong, the text in GOOD, what stands there instead, and what xmllint has to say of it. "*" before the first: the reader reads
# it all the same, with a warning, and other readers do not.
DAMAGED = [
    ('another root', None, '<model name="a"><link name="base"/></model>', "No matching global declaration"),
    ('a robot without links', None, '<robot name="a"><material name="grey"/></robot>', 'Missing child element'),
    ('*a robot without a name', 'robot name="four_bar" ', 'robot ', "attribute 'name' is required"),
    ("*a version that is none", 'four_bar" version="1.0"', 'four_bar" version="2"', "attribute 'version'"),
    ('a link without a name', '<link name="b"/>', '<link/>', "attribute 'name' is required"),
    ('a link with an empty name', '<link name="b"/>', '<link name=""/>', "attribute 'name'"),
    ('two links of one name', '<link name="c"/>', '<link name="b"/>', "identity-constraint 'link_name'"),
    ('*a misspelt element', '<gazebo', '<gazbo xmlns="" reference="a"/><gazebo', "Element 'gazbo'"),
    ('*a misspelt child', '<dynamics damping="0.1"/>', '<dynamic damping="0.1"/>', "Element 'dynamic'"),
    ('*a misspelt attribute', '<dynamics damping', '<dynamics dampng', "attribute 'dampng' is not allowed"),
    ('*words between elements', '<link name="c"/>', '<link name="c"/> a link', 'Character content'),
    ('a joint without a type', 'name="j2" type="continuous"', 'name="j2"', "attribute 'type' is required"),
    ('a joint of an unknown type', 'name="j2" type="continuous"', 'name="j2" type="hinge"', "attribute 'type'"),
    ('a joint type in capitals', 'name="j2" type="continuous"', 'name="j2" type="Continuous"', "attribute 'type'"),
    ('two joints of one name', 'joint name="j2"', 'joint name="j3"', "identity-constraint 'joint_name'"),
    ('a joint without a parent', '<parent link="a"/>', '', "identity-constraint 'one_parent'"),
    ('a joint without a child', '<child link="b"/>', '', "identity-constraint 'one_child'"),
    ('*a joint with two parents', '<parent link="a"/>', '<parent link="a"/> <parent link="base"/>', "identity-constraint 'one_parent'"),
    ('a parent that is no link', '<parent link="a"/>', '<parent link="aa"/>', "keyref 'parent_is_a_link'"),
    ('a child that is no link', '<child link="b"/>', '<child link="bb"/>', "keyref 'child_is_a_link'"),
    ('a link with two parent joints', '<parent link="base"/> <child link="rotor"/>', '<parent link="base"/> <child link="b"/>',
     "identity-constraint 'one_joint_to_a_link'"),
    ('a parent that names no link', '<parent link="a"/>', '<parent/>', "identity-constraint 'one_parent'"),
    ('an axis with two numbers', '<axis xyz="0 0 1"/>', '<axis xyz="0 1"/>', "attribute 'xyz'"),
    ('an axis without numbers', '<axis xyz="0 0 1"/>', '<axis/>', "attribute 'xyz' is required"),
    ('*two axes', '<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/> <axis xyz="0 1 0"/>', "identity-constraint 'one_axis'"),
    ('a decimal comma', 'lower="-1"', 'lower="-1,5"', "attribute 'lower'"),
    ('a number with its unit', 'effort="10"', 'effort="10Nm"', "attribute 'effort'"),
    ('an infinite number', 'upper="1"', 'upper="inf"', "attribute 'upper'"),
    ('a number that is none', 'velocity="5"', 'velocity="nan"', "attribute 'velocity'"),
    ('words for a vector', 'xyz="0 0 0.1"', 'xyz="up"', "attribute 'xyz'"),
    ('four angles', 'rpy="0 0 0"', 'rpy="0 0 0 1"', "attribute 'rpy'"),
    ('two orientations', 'rpy="0 0 0"', 'rpy="0 0 0" quat_xyzw="0 0 0 1"', "identity-constraint 'one_orientation'"),
    ('an inertial without mass', '<mass value="1"/>', '', "identity-constraint 'one_mass'"),
    ('a negative mass', '<mass value="1"/>', '<mass value="-1"/>', "attribute 'value'"),
    ('a mass without value', '<mass value="1"/>', '<mass/>', "attribute 'value' is required"),
    ('an inertia without izz', 'izz="0.1"', '', "attribute 'izz' is required"),
    ('*a visual without a shape', '<box size="0.2 0.1 0.1"/>', '', "identity-constraint 'one_shape_of_visual'"),
    ('*two shapes', '<box size="0.2 0.1 0.1"/>', '<box size="0.2 0.1 0.1"/> <sphere radius="1"/>', "identity-constraint 'one_shape_of_visual'"),
    ('*an unknown shape', '<box size="0.2 0.1 0.1"/>', '<cone radius="1" length="1"/>', "Element 'cone'"),
    ('a box without size', '<box size="0.2 0.1 0.1"/>', '<box/>', "attribute 'size' is required"),
    ('a cylinder without length', '<sphere radius="0.1"/>', '<cylinder radius="0.1"/>', "attribute 'length' is required"),
    ('a mesh without a file', '<sphere radius="0.1"/>', '<mesh filename=""/>', "attribute 'filename'"),
    ('a colour of three numbers', '0.5 0.5 0.5 1', '0.5 0.5 0.5', "attribute 'rgba'"),
    ('a mimic of nobody', 'mimic joint="j1"', 'mimic', "attribute 'joint' is required"),
    ('*a mimic of an unknown joint', 'mimic joint="j1"', 'mimic joint="j9"', "keyref 'mimic_names_a_joint'"),
    ('independent that is neither true nor false', 'independent="true"', 'independent="yes"', "attribute 'independent'"),
    ('a loop without a type', '<loop name="pin" type="revolute">', '<loop name="pin">', "attribute 'type' is required"),
    ('a loop of an unknown type', '<loop name="pin" type="revolute">', '<loop name="pin" type="screw">', "attribute 'type'"),
    ('a loop without a predecessor', '<predecessor link="b"> <origin xyz="0.1 0 0"/> </predecessor>', '', "identity-constraint 'one_predecessor'"),
    ('a loop without a successor', '<successor link="c"> <origin xyz="0 0.1 0"/> </successor>', '', "identity-constraint 'one_successor'"),
    ('a loop end that is no link', '<successor link="c">', '<successor link="cc">', "keyref 'successor_is_a_link'"),
    ('a loop of a joint\'s name', '<loop name="pin"', '<loop name="j1"', "identity-constraint 'joint_or_loop_name'"),
    ('a coupling of a loop\'s name', '<coupling name="gear"', '<coupling name="pin"', "identity-constraint 'loop_or_coupling_name'"),
    ('a coupling without a successor', '<successor link="a"/>', '', "identity-constraint 'one_successor_of_coupling'"),
    ('a coupling to no link', '<predecessor link="rotor"/>', '<predecessor link="roto"/>', "keyref 'predecessor_is_a_link'"),
    ('a ratio without value', '<ratio value="6"/>', '<ratio/>', "attribute 'value' is required"),
    ('a ratio that is a symbol', '<ratio value="6"/>', '<ratio value="eta"/>', "attribute 'value'"),
]

# Files that the reader reads, with a warning, and the schema refuses: by the end of their names, what xmllint says, and what is wrong.
OURS = {
    'debatable/mimic_unknown_joint.urdf': ("keyref 'mimic_names_a_joint'", 'a mimic of an unknown joint'),
    'debatable/two_parents.urdf': ("identity-constraint 'one_joint_to_a_link'", 'a link under two joints'),
    'accounting/hung_on_everything.urdf': ("Element 'unknown_to_everybody'", 'an element that is no part of URDF'),
    'found/roundtrip-universals-that-never-close.urdf': ("Element 'oigin'", 'an element that is no part of URDF'),
}
OTHERS = {
    '_own_edge_cases/two_parents.urdf': ("identity-constraint 'one_joint_to_a_link'", 'a link under two joints'),
    'atlas/urdf/robotiq.urdf': ("Element 'inertial'", 'an inertial outside of its link'),
    'cfg/robotiq-3f-gripper_articulated.urdf': ("Element 'inertial'", 'an inertial outside of its link'),
    'urdf/pr2_simplified.urdf': ("key-sequence ['world']", 'a link world that is not declared: Drake reads it, others refuse it'),
    'test/Acrobot_unicode.urdf': ("key-sequence ['world']", 'a link world that is not declared: Drake reads it, others refuse it'),
    'acrobot/Acrobot.urdf': ("key-sequence ['world']", 'a link world that is not declared: Drake reads it, others refuse it'),
    'acrobot/acrobot.urdf': ("key-sequence ['world']", 'a link world that is not declared: Drake reads it, others refuse it'),
    'urdf/amrPioneer3DX.urdf': ("attribute 'xzy'", 'an axis with xzy in place of xyz'),
    'robots/robotisOP2.urdf': ("attribute 'scale'", 'a box with a scale, which nobody reads'),
    'urdf/open_manipulator.urdf': ("attribute 'name' is required", 'a robot without a name'),
    'robots/valkyrie_sim_angled_legj1s.urdf': ("Element 'schedule_topic_creator_file'", 'an element that is no part of URDF'),
    'urdf/sia10d.urdf': ("Element 'origin'", 'an origin of the link itself'),
    'racecar/racecar.urdf': ("Character content", 'words between elements'),
    'data/wheel.urdf': ('XML declaration allowed only at the start', 'no XML: something stands before the declaration'),
    'differential/diff_ring.urdf': ('XML declaration allowed only at the start', 'no XML: something stands before the declaration'),
    'jenga/jenga.urdf': ("Unsupported version '0.0'", 'no XML: version 0.0 of it'),
    'table/table.urdf': ("Unsupported version '0.0'", 'no XML: version 0.0 of it'),
    'urdf/sawyer.urdf': ('Malformed declaration', 'no XML: a declaration without its version'),
    'quadruped/spirit40newer.urdf': ("identity-constraint 'one_axis'", 'two axes'),
    'examples/four_bar.urdf': ("The value 'fasle'", 'independent="fasle"'),
    'history/four_bar_1ce1d1e.urdf': ("The value 'fasle'", 'independent="fasle"'),
    'history/four_bar_4b9895e.urdf': ("The value 'fasle'", 'independent="fasle"'),
    'data/warning_incorrect_visual_geometry_name.urdf': ("Element 'foo'", 'an unknown shape'),
    'urdf/husky_custom.orig.urdf': ("attribute 'rpy' is not allowed", 'a box with angles, which nobody reads'),
    'urdf/original.xacro.urdf': ("Element 'origin'", 'an origin inside of geometry'),
    'urdf/pick_and_place.urdf': ("Element 'collision'", 'words between elements'),
    'xacro/b1.urdf': ('Character content', 'words between elements'),
    'urdf/cube_goal_multicolor.urdf': ("identity-constraint 'one_mass'", 'a density in place of a mass, which SAPIEN reads'),
    'corpus_bad/urdf_mimic_unknown.urdf': ("keyref 'mimic_names_a_joint'", 'a mimic of an unknown joint'),
    'corpus_bad/urdf_no_robot_name.urdf': ("attribute 'name' is required", 'a robot without a name'),
    'corpus_bad/xml_invalid_utf8_in_comment.urdf': ('not proper UTF-8', 'no XML: bytes that are not UTF-8'),
    'corpus_bad/xml_junk_before_decl.urdf': ('XML declaration allowed only at the start', 'no XML: something stands before the declaration'),
}


def xmllint(files):
    """What is said of each file; empty where it is valid."""
    said = {str(file): '' for file in files}
    for start in range(0, len(files), 200):
        part = [str(file) for file in files[start:start + 200]]
        run = subprocess.run(['xmllint', '--noout', '--nonet', '--schema', str(schema), *part], capture_output=True, text=True, errors='replace')
        if 'failed to compile' in run.stderr:
            sys.exit('the schema is no schema:\n' + run.stderr)
        valid = set()
        for line in run.stderr.splitlines():
            if line.endswith(' validates'):
                valid.add(line[:-len(' validates')])
            name = line.split(':', 1)[0]
            if name in said:
                said[name] += line + '\n'
        for file in part:
            said[file] = '' if file in valid else said[file] or 'no XML'
    return said


def read_by_us(files):
    """Whether the reader reads each file."""
    def one(file):
        return subprocess.run([kinemorph, 'dump', '--from', 'urdf', '--timeout', '60', '-q', str(file)], capture_output=True).returncode == 0
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(map(str, files), pool.map(one, files)))


def check_damaged(folder):
    good = folder / 'good.urdf'
    good.write_text(GOOD)
    files, failures = [good], []
    for number, (what, old, new, _) in enumerate(DAMAGED):
        if old is not None and GOOD.count(old) < 1:
            sys.exit(f'{what}: the good text has no {old}')
        file = folder / f'{number}.urdf'
        file.write_text(new if old is None else GOOD.replace(old, new, 1))
        files.append(file)
    said, read = xmllint(files), read_by_us(files)
    if said[str(good)] or not read[str(good)]:
        failures.append('the good text is refused: ' + said[str(good)])
    for (what, _, _, expected), file in zip(DAMAGED, files[1:]):
        if expected not in said[str(file)]:
            failures.append(f'{what}: refused by "{expected}" is what was expected, but: {said[str(file)] or "valid"}')
        if read[str(file)] != what.startswith('*'):
            failures.append(f'{what}: the reader {"reads it" if read[str(file)] else "refuses it too"}')
    print(f'{len(DAMAGED)} damaged texts refused')
    return failures


def check_files(what, root, files, known):
    failures, refused, reasons = [], [], {}
    said, read = xmllint(files), read_by_us(files)
    for file in files:
        if not read[str(file)] or not said[str(file)]:
            continue
        name = file.relative_to(root).as_posix()
        words, why = next((reason for end, reason in known.items() if name.endswith(end)), (None, None))
        if words is None or words not in said[str(file)]:
            failures.append(f'{name}: read, but refused by the schema: {said[str(file)][:600]}')
        else:
            refused.append(name)
            reasons[why] = reasons.get(why, 0) + 1
    for end in known:
        if not any(name.endswith(end) for name in refused):
            failures.append(f'{end}: is not refused any more')
    readable = sum(read.values())
    if known is OTHERS and f'Of {readable} files of others that the reader reads, {readable - len(refused)} are valid' not in page:
        failures.append(f'SCHEMAS.md has other numbers than {readable} and {readable - len(refused)}')
    both = sum(not read[str(file)] and bool(said[str(file)]) for file in files)
    print(f'{what}: {len(files)} files, {readable} read, {readable - len(refused)} of these valid, {len(refused)} refused for known reasons; '
          f'{both} of the {len(files) - readable} that are not read are refused too')
    for why, count in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f'  {count} x {why}')
    return failures


def check_written(folder):
    """What the command writes is valid, in every profile."""
    sources = sorted(file for file in (fixtures / 'mechanisms').rglob('*') if file.suffix in ('.urdf', '.sdf', '.xml', '.mbs'))
    jobs = []
    for number, file in enumerate(sources):
        for words in (['urdf'], ['urdf+'], ['urdf+', '--profile', 'paper'], ['urdf+', '--profile', 'grbda']):
            jobs.append((file, words, folder / f'{number}-{"-".join(words)}.urdf'))

    def one(job):
        file, words, out = job
        subprocess.run([kinemorph, 'convert', str(file), '-o', str(out), '-q', '--to', *words], capture_output=True)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, jobs))
    written = [(file, words, out) for file, words, out in jobs if out.exists()]
    said = xmllint([out for _, _, out in written])
    print(f'{len(written)} texts written by the command from {len(sources)} files')
    failures = [f'{file.name} to {" ".join(words)}: {said[str(out)]}' for file, words, out in written if said[str(out)]]
    return failures if len(written) > 2 * len(sources) else failures + ['hardly anything was written']


def check_example():
    """What SCHEMAS.md prints of xmllint."""
    file = fixtures / 'invalid/unknown_link.urdf'
    told = xmllint([file])[str(file)].replace(str(file), 'arm.urdf')
    return [] if all(line in page for line in told.splitlines()) else ['SCHEMAS.md prints something else than ' + told]


def main():
    with tempfile.TemporaryDirectory() as folder:
        failures = check_damaged(pathlib.Path(folder)) + check_written(pathlib.Path(folder))
    failures += check_example() + check_files('fixtures', fixtures, sorted(fixtures.rglob('*.urdf')), OURS)
    data = shared / 'data'
    others = sorted(file for file in data.rglob('*.urdf') if file.is_file() and file.suffix == '.urdf')
    if others:
        failures += check_files("others' files", data, others, OTHERS)
    else:
        print(f"others' files: skipped: {data} is not there")
    for failure in failures:
        print('FAILED ' + failure)
    sys.exit(1 if failures else 0)


main()
