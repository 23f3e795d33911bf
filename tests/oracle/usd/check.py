#!/usr/bin/env python3
"""check.py FILE.usda... [--three JUDGED.jsonl]: what the schemas of UsdPhysics, Newton and PhysX and their readers ask of a stage.

One line per fault; exit code 1 where there is one. `--three`: the lines of judge.mjs; every number that three.js reads must be ours.
"""
import json
import math
import sys

import to_mjcf
import usda
from to_mjcf import attr, has

JOINTS = ('PhysicsFixedJoint', 'PhysicsRevoluteJoint', 'PhysicsPrismaticJoint', 'PhysicsSphericalJoint', 'PhysicsJoint')
GPRIMS = ('Cube', 'Sphere', 'Cylinder', 'Capsule', 'Cone', 'Plane', 'Mesh', '')
TOKENS = {'physics:axis': 'XYZ', 'axis': 'XYZ', 'purpose': ('default', 'guide'), 'physics:approximation': ('convexHull',),
          'info:id': ('UsdPreviewSurface', 'UsdUVTexture', 'UsdPrimvarReader_float2')}
# By what a prim is or has: its attributes and their types. "*" is the instance of an API that is applied several times.
SCHEMAS = {
    'xform': {'xformOp:translate': 'double3', 'xformOp:orient': 'quatd', 'xformOp:scale': 'double3', 'xformOpOrder': 'token[]',
              'purpose': 'token'},
    'PhysicsScene': {'physics:gravityDirection': 'vector3f', 'physics:gravityMagnitude': 'float'},
    'Cube': {'size': 'double'}, 'Sphere': {'radius': 'double'}, 'Plane': {'axis': 'token', 'width': 'double', 'length': 'double'},
    'Cylinder': {'axis': 'token', 'height': 'double', 'radius': 'double'}, 'Capsule': {'axis': 'token', 'height': 'double', 'radius': 'double'},
    'Cone': {'axis': 'token', 'height': 'double', 'radius': 'double'},
    'Mesh': {'points': 'point3f[]', 'normals': 'normal3f[]', 'extent': 'float3[]', 'faceVertexCounts': 'int[]', 'faceVertexIndices': 'int[]',
             'subdivisionScheme': 'token'},
    'gprim': {'primvars:displayColor': 'color3f[]'},
    'Material': {'outputs:surface.connect': 'token'},
    'Shader': {'info:id': 'token', 'inputs:diffuseColor': 'color3f', 'inputs:diffuseColor.connect': 'color3f', 'inputs:opacity': 'float',
               'inputs:emissiveColor': 'color3f', 'inputs:specularColor': 'color3f', 'inputs:useSpecularWorkflow': 'int',
               'outputs:surface': 'token', 'inputs:varname': 'string', 'outputs:result': 'float2', 'outputs:rgb': 'float3',
               'inputs:file': 'asset', 'inputs:st.connect': 'float2'},
    'joint': {'physics:localPos0': 'point3f', 'physics:localPos1': 'point3f', 'physics:localRot0': 'quatf', 'physics:localRot1': 'quatf',
              'physics:excludeFromArticulation': 'bool', 'physics:collisionEnabled': 'bool'},
    'PhysicsRevoluteJoint': {'physics:axis': 'token', 'physics:lowerLimit': 'float', 'physics:upperLimit': 'float'},
    'PhysicsPrismaticJoint': {'physics:axis': 'token', 'physics:lowerLimit': 'float', 'physics:upperLimit': 'float'},
    'PhysicsSphericalJoint': {'physics:axis': 'token'},
    'PhysicsLimitAPI': {'limit:*:physics:low': 'float', 'limit:*:physics:high': 'float'},
    'PhysicsDriveAPI': {'drive:*:physics:type': 'token', 'drive:*:physics:maxForce': 'float', 'drive:*:physics:stiffness': 'float',
                        'drive:*:physics:damping': 'float', 'drive:*:physics:targetPosition': 'float',
                        'drive:*:physics:targetVelocity': 'float'},
    'PhysicsRigidBodyAPI': {}, 'PhysicsArticulationRootAPI': {}, 'PhysicsCollisionAPI': {}, 'PhysicsFilteredPairsAPI': {},
    'MaterialBindingAPI': {},
    'PhysicsMeshCollisionAPI': {'physics:approximation': 'token'},
    'PhysicsMassAPI': {'physics:mass': 'float', 'physics:centerOfMass': 'point3f', 'physics:diagonalInertia': 'float3',
                       'physics:principalAxes': 'quatf'},
    'PhysicsMaterialAPI': {'physics:staticFriction': 'float', 'physics:dynamicFriction': 'float'},
    'NewtonMassAPI': {'newton:inertia': 'double[]'},
    'NewtonArticulationRootAPI': {'newton:selfCollisionEnabled': 'bool'},
    'NewtonJointAPI': {'newton:armature': 'float', 'newton:damping': 'float', 'newton:friction': 'float', 'newton:velocityLimit': 'float'},
    'PhysicsJointStateAPI': {'state:*:physics:position': 'float'},
    'NewtonMaterialAPI': {'newton:torsionalFriction': 'float', 'newton:rollingFriction': 'float'},
    'NewtonMimicAPI': {'newton:mimicCoef0': 'float', 'newton:mimicCoef1': 'float'},
    'MjcEqualityJointAPI': {'mjc:coef%d' % k: 'double' for k in (2, 3, 4)},
    'PhysxArticulationAPI': {'physxArticulation:enabledSelfCollisions': 'bool'},
    'PhysxRigidBodyAPI': {'physxRigidBody:disableGravity': 'bool'},
    'PhysxJointAPI': {'physxJoint:armature': 'float', 'physxJoint:maxJointVelocity': 'float'},
    'PhysxJointAxisAPI': {'physxJointAxis:*:' + name: 'float' for name in ('armature', 'maxJointVelocity', 'staticFrictionEffort',
                                                                           'dynamicFrictionEffort', 'viscousFrictionCoefficient')},
    'PhysxMimicJointAPI': {'physxMimicJoint:*:gearing': 'float', 'physxMimicJoint:*:offset': 'float',
                           'physxMimicJoint:*:referenceJointAxis': 'token'},
}
# The joints on which an instance of PhysX's schemas is looked for.
INSTANCES = {'PhysxJointAxisAPI': {'angular': 'PhysicsRevoluteJoint', 'linear': 'PhysicsPrismaticJoint',
                                   'rotX': 'PhysicsSphericalJoint PhysicsJoint', 'rotY': 'PhysicsSphericalJoint PhysicsJoint',
                                   'rotZ': 'PhysicsSphericalJoint PhysicsJoint'},
             'PhysxMimicJointAPI': dict.fromkeys(('rotX', 'rotY', 'rotZ'), 'PhysicsRevoluteJoint PhysicsPrismaticJoint')}
TYPES = JOINTS + GPRIMS + ('Xform', 'Scope', 'Material', 'Shader', 'PhysicsScene')


# Custom attributes, which USD lets everybody add, and the states that Newton reads without a schema.
OWN = {'kinemorph:startIsChosen': 'bool', 'kinemorph:mesh': 'string', 'kinemorph:ellipsoid': 'bool', 'kinemorph:visual': 'asset', 'kinemorph:collision': 'asset', 'urdf:limit:effort': 'float'}
for motion in ('angular', 'linear', 'transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ'):
    OWN['newton:%s:position' % motion] = OWN['urdf:limit:%s:effort' % motion] = 'float'


def attributes_of(prim):
    """Name and type of all that its type and its applied schemas give it."""
    kinds = ['xform', prim['type']] + (['joint'] if prim['type'] in JOINTS else []) + (['gprim'] if prim['type'] in GPRIMS else [])
    legal = dict(OWN)
    for kind in kinds:
        legal.update(SCHEMAS.get(kind, {}))
    for api in prim['meta'].get('apiSchemas') or []:
        name, _, instance = api.partition(':')
        for key, kind in SCHEMAS.get(name, {}).items():
            legal[key.replace('*', instance)] = kind
    return legal


def check_prims(stage, fault):
    for path, prim in stage.prims.items():
        if prim['type'] not in TYPES:
            fault(path, 'type %s' % prim['type'])
        apis = prim['meta'].get('apiSchemas') or []
        if len(apis) != len(set(apis)):
            fault(path, 'a schema is applied twice')
        for api in apis:
            name, _, instance = api.partition(':')
            if name not in SCHEMAS:
                fault(path, 'schema %s' % api)
            if name in INSTANCES and prim['type'] not in INSTANCES[name].get(instance, '').split():
                fault(path, 'PhysX looks for no %s on a %s' % (api, prim['type']))
        legal = attributes_of(prim)
        for name, (kind, value) in prim['attrs'].items():
            if legal.get(name) != kind:
                fault(path, '%s %s: %s' % (kind, name, 'is of type %s' % legal[name] if name in legal else 'no schema of the prim has it'))
            if name in TOKENS and value not in TOKENS[name]:
                fault(path, '%s = %s' % (name, value))
            numbers = value if isinstance(value, (tuple, list)) else [value]
            if any(isinstance(x, float) and not math.isfinite(x) for x in numbers):
                fault(path, '%s is not finite' % name)
            if kind in ('quatf', 'quatd') and abs(sum(x * x for x in value) - 1) > 1e-6:
                fault(path, '%s is no unit quaternion' % name)
        for name, targets in prim['rels'].items():
            for target in targets:
                if target[1:-1] not in stage.prims:
                    fault(path, '%s leads nowhere: %s' % (name, target))
                if name in ('physics:body0', 'physics:body1') and len(targets) != 1:
                    fault(path, '%s has %d targets' % (name, len(targets)))
        if has(prim, 'PhysicsRigidBodyAPI'):
            check_body(prim, path, fault)
        if has(prim, 'PhysicsFilteredPairsAPI') != bool(prim['rels'].get('physics:filteredPairs')):
            fault(path, 'filtered pairs without their schema, or the other way round')


def check_body(prim, path, fault):
    if attr(prim, 'xformOp:scale') is not None:
        fault(path, 'a body has a scale, and its joints with it')
    if not attr(prim, 'physics:mass', 0) > 0:
        fault(path, 'a mass of 0 means: compute it')
    x, y, z = sorted(attr(prim, 'physics:diagonalInertia', (0, 0, 0)))
    if not (x > 0 and x + y >= z * (1 - 1e-6)):
        fault(path, 'moments of no body: %s' % [x, y, z])
    if attr(prim, 'physics:principalAxes') in (None, (0, 0, 0, 0)):
        fault(path, 'principal axes that mean: not given')


def check_joints(stage, fault):
    roots = [p for p in stage.prims.values() if has(p, 'PhysicsArticulationRootAPI')]
    if [r['path'] for r in roots] != ['/' + stage.meta.get('defaultPrim', '')]:
        fault('/', 'the articulation root is not the default prim alone')
    above, pairs = {}, set()

    def top(body):
        while body in above:
            body = above[body]
        return body
    for joint in stage.joints:
        path = joint['path']
        (a, F), (b, M) = stage.end(joint, 0), stage.end(joint, 1)
        excluded = attr(joint, 'physics:excludeFromArticulation', False)
        if a == b:
            fault(path, 'both ends are on one body')
        if excluded and any(api.startswith('PhysicsDriveAPI') for api in joint['meta'].get('apiSchemas') or []):
            fault(path, 'a drive on a loop joint')
        slides = [a for a in ('transX', 'transY', 'transZ') if not to_mjcf.Mjcf(stage).locked(joint, a)]
        if stage.physx and not excluded and joint['type'] == 'PhysicsJoint' and slides:
            fault(path, 'an articulation of PhysX has no such joint')
        if not excluded:
            pair = frozenset((a, b))
            if pair in pairs:
                fault(path, 'a second joint of two bodies')
            pairs.add(pair)
            if top(a) == top(b):
                fault(path, 'closes a loop and is not excluded')
            else:
                above[top(b)] = top(a)
        check_closed(stage, joint, F.inverse() * M, fault)
        for target in joint['rels'].get('newton:mimicJoint') or []:
            leader = stage.prims[target[1:-1]]
            if leader['type'] != joint['type'] and not has(joint, 'MjcEqualityJointAPI'):
                fault(path, 'mimics a joint of another kind')
            if excluded or attr(leader, 'physics:excludeFromArticulation', False):
                fault(path, 'a loop joint has no coordinate that follows or leads')


def check_closed(stage, joint, X, fault, tolerance=1e-5):
    """Where the stage stands, the frames of a joint differ by what it leaves free alone."""
    angle = 2 * math.acos(min(1, abs(X.quaternion()[0])))
    slides, turns = list(X.p), [x * 2 for x in X.quaternion()[1:]]
    kind, axis = joint['type'], 'XYZ'.find(attr(joint, 'physics:axis', 'X'))
    if kind == 'PhysicsRevoluteJoint':
        turns[axis] = 0
    elif kind == 'PhysicsPrismaticJoint':
        slides[axis] = 0
    elif kind == 'PhysicsSphericalJoint':
        turns = [0, 0, 0]
    elif kind == 'PhysicsJoint':
        mjcf = to_mjcf.Mjcf(stage)
        for n, letter in enumerate('XYZ'):
            if not mjcf.locked(joint, 'trans' + letter):
                slides[n] = 0
        if sum(not mjcf.locked(joint, 'rot' + letter) for letter in 'XYZ') > 1:
            turns = [0, 0, 0]
        for n, letter in enumerate('XYZ'):
            if not mjcf.locked(joint, 'rot' + letter):
                turns[n] = 0
    if max(map(abs, slides + turns)) > tolerance:
        fault(joint['path'], 'stands open by %s, angle %g' % (slides + turns, angle))
    low, high = attr(joint, 'physics:lowerLimit'), attr(joint, 'physics:upperLimit')
    if low is not None and high is not None and low > high:
        fault(joint['path'], 'limits %s > %s' % (low, high))


def check_three(stage, judged, fault):
    """The parser of three.js reads the same numbers, quaternions as x y z w; it writes targets without brackets."""
    for key, value in judged['values'].items():
        path, _, name = key.partition('.')
        prim = stage.prims.get(path)
        if prim is None:
            fault(path, 'three.js reads a prim that is not there')
            continue
        kind, ours = prim['attrs'].get(name, (None, None))
        numbers = lambda v: v if isinstance(v, (list, tuple)) else [v]
        if kind is None or not all(isinstance(x, float) for x in numbers(ours)):
            continue
        ours = list(numbers(ours))
        if kind in ('quatf', 'quatd'):
            ours = ours[1:] + ours[:1]
        if ours != [float(x) for x in numbers(value)]:
            fault(path, '%s: three.js reads %s, not %s' % (name, value, ours))
    missing = [p for p, prim in stage.prims.items() if prim['type'] and judged['types'].get(p) != prim['type']]
    for path in missing:
        fault(path, 'three.js reads no prim of this type')
    for path, prim in stage.prims.items():
        for name, (_, ours) in prim['attrs'].items():
            # three.js passes over what is declared custom.
            if isinstance(ours, float) and not name.startswith('urdf:') and path + '.' + name not in judged['values']:
                fault(path, 'three.js reads no %s' % name)


def main(arguments):
    judged, faults = {}, 0
    if '--three' in arguments:
        at = arguments.index('--three')
        with open(arguments[at + 1], encoding='utf-8') as lines:
            judged = {each['file']: each for each in map(json.loads, lines)}
        del arguments[at:at + 2]
    for file in arguments:
        def fault(path, what):
            nonlocal faults
            faults += 1
            print('%s: %s: %s' % (file, path, what))
        with open(file, encoding='utf-8') as source:
            text = source.read()
        try:
            stage = to_mjcf.Stage(text, False)
        except (usda.Malformed, ValueError) as error:
            fault('/', error)
            continue
        if stage.meta.get('defaultPrim') not in [root['name'] for root in stage.roots]:
            fault('/', 'no default prim')
        try:
            check_prims(stage, fault)
            check_joints(stage, fault)
        except (KeyError, ValueError) as error:
            fault('/', repr(error))
        if judged:
            if not judged[file]['accepted']:
                fault('/', 'tinyusdz refuses it: %s' % judged[file].get('why'))
            check_three(stage, judged[file], fault)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.setrecursionlimit(20000)
    sys.exit(main(sys.argv[1:]))
