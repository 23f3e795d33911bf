"""The JSON schemas (tools/docs/schemas/*.schema.json) of all that is told as JSON: reports.py KINEMORPH SOURCE DOOR.

Real answers of the command and of the door in texts, over the fixtures, are as their schemas say; with a key more, without one that is
always there, or with a value of another type they are not. DOOR is the program of door.cc."""

import copy
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor

warnings.simplefilter('ignore', DeprecationWarning)
import jsonschema  # noqa: E402

kinemorph, source, door = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
schemas = {file.name.split('.')[0]: json.loads(file.read_text()) for file in sorted((source / 'tools/docs/schemas').glob('*.schema.json'))}
fixtures = source / 'fixtures'
FORMATS = ('.urdf', '.sdf', '.xml', '.mbs')
failures = []

# Keys that need not be there.
OPTIONAL = {
    'batch_record': {'from'}, 'check_report': {'source', 'target', 'asked', 'calls', 'fitted', 'user_code'}, 'codes': set(),
    'controllers': {'phase', 'limit', 'kp', 'kd', 'target_rate', 'flight', 'stance'},
    'conversion': {'source', 'target', 'asked', 'calls', 'fitted', 'user_code', 'notes', 'subject', 'suggestion', 'quantities', 'unit', 'content', 'unknown', 'messages'},
    'commands': set(), 'formats': set(), 'graph': set(), 'inspection': {'notes', 'subject', 'suggestion', 'quantities', 'unit', 'grbda', 'compared', 'dead_centres_not_searched'},
    'lint_result': {'notes', 'subject', 'suggestion', 'quantities', 'unit'}, 'loss_report': {'source', 'target', 'asked', 'calls', 'fitted', 'user_code'}, 'message': {'notes', 'subject', 'suggestion', 'quantities', 'unit'}, 'messages': {'notes', 'subject', 'suggestion', 'quantities', 'unit'},
    'posture': {'coordinates'}, 'scene': {'inertial', 'color', 'texture', 'name', 'submesh', 'centered', 'outlines'},
    'simulation_result': {'notes', 'subject', 'suggestion', 'quantities', 'unit', 'eps', 'stiff_steps', 'impulse', 'energy_before', 'energy_after', 'friction_needed'},
    'simulation_summary': {'eps', 'stiff_steps', 'impulse', 'energy_before', 'energy_after', 'friction_needed'},
    'verdict': {'content', 'unknown', 'differences', 'messages', 'notes', 'subject', 'suggestion', 'quantities', 'unit'},
}
# Objects whose keys are names: any may be absent.
BY_NAME = {'quantities', 'codes', 'capabilities', 'posture', 'last'}


def validator(name):
    schema = schemas[name]
    resolver = jsonschema.RefResolver((source / 'tools/docs/schemas' / f'{name}.schema.json').as_uri(), schema)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def run(*words, folder=None, expect=(0,), stdin=None):
    result = subprocess.run([kinemorph, *map(str, words)], cwd=folder, capture_output=True, text=True, input=stdin)
    if result.returncode not in expect:
        failures.append(f'{" ".join(map(str, words))}: exit code {result.returncode}: {result.stderr[:400]}')
    return result


def together(jobs):
    """Each a list of words; their results in order."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda words: subprocess.run([kinemorph, *map(str, words)], capture_output=True, text=True), jobs))


class Answers:
    """What was told, by schema."""
    def __init__(self):
        self.all = {name: [] for name in schemas}

    def add(self, name, text, what):
        try:
            self.all[name].append((what, json.loads(text)))
        except json.JSONDecodeError as error:
            failures.append(f'{what}: no JSON: {error}: {text[:200]}')

    def lines(self, name, text, what):
        for number, line in enumerate(text.splitlines(), 1):
            self.add(name, line, f'{what}, line {number}')


def of_command(answers, files, scratch):
    for words, name in ((('formats', '--json'), 'formats'), (('explain', '--json'), 'codes'), (('completion', 'json'), 'commands')):
        answers.add(name, run(*words).stdout, ' '.join(words))
    inspected = together([['inspect', file, '--json', '-q'] + (['--closures', '--for', 'grbda'] if 'mechanisms' in file.parts else []) for file in files])
    for file, result in zip(files, inspected):
        if result.stdout:
            answers.add('inspection', result.stdout, f'inspect {file.name}')
    linted = together([['lint', file, '--diagnostics', 'json', '--to', 'mjcf'] for file in files + sorted((fixtures / 'invalid').glob('*.*'))])
    for result in linted:
        answers.lines('message', result.stderr, f'lint {result.args[2]}')
    folders = sorted({file.parent for file in files if 'mechanisms' in file.parts})
    pairs = [(a, b) for folder in folders for a, b in zip(sorted(f for f in files if f.parent == folder), sorted(f for f in files if f.parent == folder)[1:])]
    different = [(files[i], files[i + 7]) for i in range(0, len(files) - 7, 29)]
    for result in together([['verify', a, b, '--json', '-q', '--states', 2] for a, b in pairs + different]
                           + [['diff', a, b, '--json', '-q', '--states', 2] for a, b in different]):
        if result.stdout:
            answers.add('verdict', result.stdout, ' '.join(result.args[1:4]))
    for to in ('urdf', 'urdf+', 'sdf', 'mjcf', 'mbs', 'usda'):
        result = run('check', fixtures / 'features', fixtures / 'accounting', fixtures / 'mechanisms', fixtures / 'invalid', '--to', to, '--format', 'json', '-q',
                     '--strict=motion', expect=(0, 1, 3))
        answers.add('check_report', result.stdout, f'check FOLDERS --to {to}')
        one = fixtures / 'accounting/hung_on_everything.sdf'
        answers.add('loss_report', run('check', one, '--to', to, '--format', 'json', '-q', expect=(0, 1)).stdout, f'check {one.name} --to {to}')
    # A folder's reports are a list, whatever it holds.
    alone = fixtures / 'mechanisms/wrist_ten_rows'
    answers.add('check_report', run('check', alone, '--to', 'mjcf', '--format', 'json', '-q', '--include', '*.urdf').stdout, 'check FOLDER with one file')
    report = scratch / 'report.json'
    for words in (['--mimic', 'fit', '--to', 'urdf'], ['--to', 'mbs', '--drop', 'damping'], ['--to', 'mjcf', '--base', 'floating']):
        run('convert', fixtures / 'mechanisms/four_bar_general/four_bar_general.urdf', '-o', scratch / 'made', '-q', '--loss-report', report, *words)
        answers.add('loss_report', report.read_text(), 'convert ' + ' '.join(words))


def of_batch(answers, scratch):
    robots = scratch / 'robots'
    for folder in ('mechanisms/four_bar', 'mechanisms/wrist', 'invalid', 'accounting'):
        shutil.copytree(fixtures / folder, robots / folder)
    (robots / 'part.xml').write_text('<mujocoinclude><default/></mujocoinclude>')
    (robots / 'meshes.urdf').write_text('<robot name="m"><link name="a"><visual><geometry><mesh filename="absent.stl"/></geometry></visual></link></robot>')
    run('batch', robots, '-o', scratch / 'out', '--to', 'mjcf', '--report', scratch / 'a.jsonl', '--verify', '--on-clash', 'suffix', expect=(1,))
    run('batch', robots, '-o', scratch / 'slow', '--to', 'sdf', '--report', scratch / 'b.jsonl', '--timeout', '0.001', '--on-clash', 'suffix', expect=(0, 1))
    for journal in ('a', 'b'):
        answers.lines('batch_record', (scratch / f'{journal}.jsonl').read_text(), f'batch {journal}')
    states = {record['status'] for _, record in answers.all['batch_record']}
    if not {'converted', 'failed', 'fragment'} <= states:
        failures.append(f'the batch has records of these kinds alone: {states}')


def of_simulation(answers, scratch):
    controllers = {'controllers': [{'type': 'pd', 'joint': 'j_crank', 'kp': 6, 'kd': 0.1, 'target': {'flight': '270deg', 'stance': '180deg'}},
                                   {'type': 'constant', 'joint': 'j_crank', 'effort': 0.5, 'phase': 'stance', 'limit': 3}]}
    (scratch / 'control.json').write_text(json.dumps(controllers))
    answers.all['controllers'].append(('control.json', controllers))
    squat = fixtures / 'motion/cassie_squat/control.json'
    answers.all['controllers'] += [('squat', json.loads(squat.read_text())),
                                   ('servos', {'controllers': [{'type': 'actuator', 'actuator': 'servo', 'control': {'stance': 1}},
                                                               {'type': 'actuator', 'actuator': 'servo', 'file': 'control.csv', 'limit': 2}]})]
    leg = [fixtures / 'motion/km_b/km_b.urdf', '--set', 'j_crank=270deg', '--set', 'y=45cm', '--armature', 'j_crank=1e-3', '--time', '0.4']
    hops = ['--contact', 'shank:0.22,0,0', '--friction', '0.8', '--controller', scratch / 'control.json']
    for words in (leg + hops, leg + hops + ['--method', 'spf'], leg + ['--step', '0.01'],
                  [fixtures / 'mechanisms/four_bar_general/four_bar_general.urdf', '--time', '0.5', '--rtol', '1e-6'],
                  [fixtures / 'mechanisms/delta_robot/delta_robot.sdf', '--time', '0.35']):
        run('simulate', *words, '-o', scratch / 'table.csv', '-q', '--summary', scratch / 'summary.json')
        answers.add('simulation_summary', (scratch / 'summary.json').read_text(), 'simulate')


def of_door(answers, files):
    for start in range(0, len(files), 20):
        result = subprocess.run([door, *map(str, files[start:start + 20])], capture_output=True)
        if result.returncode != 0:
            failures.append(f'the door ended with {result.returncode}')
        for part in result.stdout.decode(errors='replace').split('\0')[:-1]:
            name, text = part.split('\n', 1)
            answers.add(name, text, 'the door')


def strict(name, schema, place=''):
    """Objects say which keys they have, and whether there may be more."""
    if isinstance(schema, dict):
        if 'properties' in schema and 'additionalProperties' not in schema and place.split('/')[-1] not in ('if', 'then'):
            failures.append(f'{name}{place}: has no additionalProperties')
        for key, value in schema.items():
            strict(name, value, f'{place}/{key}')
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            strict(name, value, f'{place}/{number}')


def places(value, path=()):
    """The paths of all values in one."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def shortened(value):
    """The same with three items of each long list and of each large object."""
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in list(value.items())[:3 if len(value) > 40 else None]}
    return [shortened(inner) for inner in value[:3 if len(value) > 16 else None]] if isinstance(value, list) else value


def damage(name, check, value):
    """How many of the damages of a valid value are refused; those that are not are failures."""
    value = shortened(value)
    if not check.is_valid(value):
        failures.append(f'{name}: what was shortened is not valid')
    paths = list(places(value))
    random.Random(7).shuffle(paths)
    refused = 0
    for path in paths[:120]:
        damages = []
        broken = copy.deepcopy(value)
        inner = at(broken, path)
        if isinstance(inner, dict):
            inner['unheard_of'] = {'x': None}
            damages.append(('a key more', broken))
        if path:
            broken = copy.deepcopy(value)
            at(broken, path[:-1])[path[-1]] = {'x': None}
            damages.append(('another type', broken))
        by_name = len(path) > 1 and path[-2] in BY_NAME or name == 'formats' and len(path) == 3
        if path and isinstance(path[-1], str) and path[-1] not in OPTIONAL[name] and not by_name:
            broken = copy.deepcopy(value)
            del at(broken, path[:-1])[path[-1]]
            damages.append(('a key less', broken))
        for what, broken in damages:
            if check.is_valid(broken):
                failures.append(f'{name}: {what} at {"/".join(map(str, path))} is not refused')
            refused += 1
    return refused


def main():
    page = (source / 'tools/docs/SCHEMAS.md').read_text()
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        strict(name, schema)
        if f'(schemas/{name}.schema.json)' not in page:
            failures.append(f'{name}: SCHEMAS.md does not name it')
    files = sorted(file for folder in ('mechanisms', 'features', 'accounting', 'regressions', 'motion', 'sidecars')
                   for file in (fixtures / folder).rglob('*') if file.suffix in FORMATS)
    answers = Answers()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        of_command(answers, files, scratch)
        of_batch(answers, scratch)
        of_simulation(answers, scratch)
    of_door(answers, [file for file in files if 'mechanisms' in file.parts or 'accounting' in file.parts] + files[::5])
    for name, told in answers.all.items():
        check = validator(name)
        if not told:
            failures.append(f'{name}: nothing was told')
        faults = 0
        for what, value in told:
            error = next(check.iter_errors(value), None)
            if error is not None:
                faults += 1
                if faults < 4:
                    failures.append(f'{name}: {what}: at {"/".join(map(str, error.absolute_path))}: {error.message[:300]}')
        if faults or not told:
            continue
        # Small ones and a large one, of different makes.
        told.sort(key=lambda each: len(json.dumps(each[1])))
        some = {0, len(told) // 2, len(told) * 9 // 10}
        refused = sum(damage(name, check, told[index][1]) for index in some)
        print(f'{name}: {len(told)} valid, {refused} damaged ones refused')
    for failure in failures:
        print('FAILED ' + failure)
    sys.exit(1 if failures else 0)


main()
