#!/usr/bin/env python3
"""to_mjcf.py [--float32] FOLDER: the physics of each NAME.usda as NAME.xml (MJCF), from the schema of UsdPhysics alone.

Bodies stand where the stage has them; loop joints become connects and welds. What MJCF has no equality for is named, a line each, and
nothing is written then. `--float32` rounds what the schema stores in single precision, as OpenUSD does.
"""
import math
import pathlib
import sys
from xml.sax.saxutils import quoteattr

import usda

DEGREES = 180 / math.pi
MESH_FILES = {'kinemorph:visual', 'kinemorph:collision'}  # attributes of prims that are shapes, and no frames
AXES = {'X': (1, 0, 0), 'Y': (0, 1, 0), 'Z': (0, 0, 1)}


def shown(prim):
    """Its name for people, which is that of the source."""
    return prim['meta'].get('displayName') or prim['name']


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


class Pose:
    """A rotation (three rows) and a translation."""

    def __init__(self, R=((1, 0, 0), (0, 1, 0), (0, 0, 1)), p=(0, 0, 0)):
        self.R, self.p = R, p

    def turn(self, v):
        return tuple(sum(r * x for r, x in zip(row, v)) for row in self.R)

    def __mul__(self, other):
        columns = list(zip(*other.R))
        R = tuple(tuple(sum(a * b for a, b in zip(row, column)) for column in columns) for row in self.R)
        return Pose(R, tuple(a + b for a, b in zip(self.turn(other.p), self.p)))

    def inverse(self):
        R = tuple(zip(*self.R))
        return Pose(R, tuple(-sum(a * b for a, b in zip(row, self.p)) for row in R))

    def quaternion(self):
        (a, b, c), (d, e, f), (g, h, i) = self.R
        best = max((a + e + i, 0), (a - e - i, 1), (e - a - i, 2), (i - a - e, 3))[1]
        q = {0: (1 + a + e + i, h - f, c - g, d - b), 1: (h - f, 1 + a - e - i, b + d, c + g),
             2: (c - g, b + d, 1 - a + e - i, f + h), 3: (d - b, c + g, f + h, 1 - a - e + i)}[best]
        norm = math.sqrt(sum(x * x for x in q))
        return tuple(x / norm for x in q)


def turned(q):
    norm = math.sqrt(sum(x * x for x in q))
    w, x, y, z = (v / norm for v in q)
    return Pose(((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                 (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                 (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))))


def about(axis, angle):
    s = math.sin(angle / 2)
    return turned((math.cos(angle / 2), *(s * a for a in axis)))


def attr(prim, name, otherwise=None):
    found = prim['attrs'].get(name)
    return otherwise if found is None or found[1] is None else found[1]


def has(prim, api):
    return api in (prim['meta'].get('apiSchemas') or [])


def local_pose(prim):
    pose = Pose()
    for op in attr(prim, 'xformOpOrder', []):
        value = attr(prim, op)
        if op == 'xformOp:translate':
            pose = pose * Pose(p=value)
        elif op == 'xformOp:orient':
            pose = pose * turned(value)
        elif op != 'xformOp:scale':
            raise ValueError('%s: operation %s' % (prim['path'], op))
    return pose


class Stage:
    def __init__(self, text, float32):
        self.meta, self.roots = usda.parse(text, float32)
        if (self.meta.get('metersPerUnit'), self.meta.get('kilogramsPerUnit'), self.meta.get('upAxis')) != (1, 1, 'Z'):
            raise ValueError('metres, kilograms and z up are not said')
        self.prims, self.pose, self.parent = {}, {}, {}
        self.visit(self.roots, None)
        self.bodies = [p for p in self.prims.values() if has(p, 'PhysicsRigidBodyAPI')]
        self.joints = [p for p in self.prims.values() if p['type'].startswith('Physics') and p['type'].endswith('Joint')]
        self.physx = any('Physx' in api for p in self.prims.values() for api in p['meta'].get('apiSchemas') or [])

    def visit(self, prims, parent):
        for prim in prims:
            path = prim['path']
            self.prims[path], self.parent[path] = prim, parent
            self.pose[path] = (self.pose[parent] if parent else Pose()) * local_pose(prim)
            self.visit(prim['children'], path)

    def end(self, joint, side):
        """The rigid body at one end (None: the world), and the joint frame there in the world."""
        targets = joint['rels'].get('physics:body%d' % side) or [None]
        path = targets[0][1:-1] if targets[0] else None
        if path is not None and path not in self.prims:
            raise ValueError('%s: no prim %s' % (joint['path'], path))
        frame = Pose(p=attr(joint, 'physics:localPos%d' % side, (0, 0, 0)))
        frame = frame * turned(attr(joint, 'physics:localRot%d' % side, (1, 0, 0, 0)))
        world = (self.pose[path] if path else Pose()) * frame
        while path and not has(self.prims[path], 'PhysicsRigidBodyAPI'):
            path = self.parent[path]
        return path, world


class Mjcf:
    def __init__(self, stage):
        self.stage, self.lines, self.equalities, self.missing = stage, [], [], []
        self.start = {}  # by joint: where it stands, in its own unit
        self.points = {}  # by body: sites at which loops that stand open are held

    def write(self):
        stage = self.stage
        loops, links = [], {}
        for joint in stage.joints:
            (a, F), (b, M) = stage.end(joint, 0), stage.end(joint, 1)
            if attr(joint, 'physics:excludeFromArticulation', False):
                loops.append((joint, a, F, b, M))
                continue
            links.setdefault(a, []).append((joint, b, F, M, False))
            links.setdefault(b, []).append((joint, a, M, F, True))
        self.links, self.seen = links, {None}
        self.lines.append('<mujoco>\n<compiler angle="radian" inertiafromgeom="false" balanceinertia="false"/>')
        for scene in stage.prims.values():
            if scene['type'] == 'PhysicsScene' and attr(scene, 'physics:gravityMagnitude') is not None:
                size, way = attr(scene, 'physics:gravityMagnitude'), attr(scene, 'physics:gravityDirection')
                self.lines.append('<option gravity="%s"/>' % text(size * x for x in way))
        for loop in loops:
            self.close(*loop)
        self.lines += ['<worldbody>', *self.points.get(None, [])]
        self.below(None, Pose())
        for body in stage.bodies:
            if body['path'] not in self.seen:
                self.body(body['path'], Pose(), None)
        self.lines.append('</worldbody>')
        for joint in stage.joints:
            self.follow(joint)
        if self.equalities:
            self.lines += ['<equality>', *self.equalities, '</equality>']
        return '\n'.join(self.lines + ['</mujoco>', ''])

    def below(self, path, X_WP):
        for link in self.links.get(path, []):
            if link[1] in self.seen:
                continue
            self.body(link[1], X_WP, link)

    def body(self, path, X_WP, link):
        prim, X_WB = self.stage.prims[path], self.stage.pose[path]
        self.seen.add(path)
        borne = attr(prim, 'mjc:gravcomp')
        weight = '' if borne is None else ' gravcomp="%g"' % borne
        self.lines.append('<body name=%s%s%s>' % (quoteattr(shown(prim)), posed(X_WP.inverse() * X_WB), weight))
        if link is None:
            self.lines.append('<freejoint/>')
        else:
            self.joint(link, X_WB)
        self.inertial(prim)
        self.lines += self.points.get(path, [])
        for child in prim['children']:
            if child['type'] == 'Xform' and not has(child, 'PhysicsRigidBodyAPI') and not MESH_FILES & set(child['attrs']):
                self.lines.append('<site name=%s%s/>' % (quoteattr(shown(child)), posed(local_pose(child))))
        self.below(path, X_WB)
        self.lines.append('</body>')

    def inertial(self, prim):
        mass = attr(prim, 'physics:mass', 0)
        if not has(prim, 'PhysicsMassAPI') or mass <= 0:
            raise ValueError('%s: the mass is left to colliders' % prim['path'])
        com = attr(prim, 'physics:centerOfMass')
        if has(prim, 'NewtonMassAPI') and attr(prim, 'newton:inertia'):
            inertia = 'fullinertia="%s"' % text(attr(prim, 'newton:inertia'))
            if attr(prim, 'newton:inertia')[3:] == [0, 0, 0]:
                inertia = 'diaginertia="%s"' % text(attr(prim, 'newton:inertia')[:3])
        else:
            inertia = 'diaginertia="%s" quat="%s"' % (text(attr(prim, 'physics:diagonalInertia')), text(attr(prim, 'physics:principalAxes')))
        self.lines.append('<inertial mass="%s" pos="%s" %s/>' % (text([mass]), text(com), inertia))

    def joint(self, link, X_WB):
        prim, _, F, M, turned_round = link
        kind, name = prim['type'], shown(prim)
        zero, one = (M, F) if turned_round else (F, M)  # the frames on body 0 and on body 1
        X_FM = zero.inverse() * one
        anchor = X_WB.inverse() * M
        if kind == 'PhysicsFixedJoint':
            return
        if kind == 'PhysicsSphericalJoint':
            self.lines.append('<joint name=%s type="ball" pos="%s"%s/>' % (quoteattr(name), text(anchor.p), self.dynamics(prim, 'ball', True)))
            return
        sign = -1 if turned_round else 1
        if kind in ('PhysicsRevoluteJoint', 'PhysicsPrismaticJoint'):
            hinge = kind == 'PhysicsRevoluteJoint'
            axis = AXES[attr(prim, 'physics:axis', 'X')]
            limits = attr(prim, 'physics:lowerLimit'), attr(prim, 'physics:upperLimit')
            position = angle_about(X_FM, axis) if hinge else sum(a * b for a, b in zip(axis, X_FM.p))
            self.start[prim['path']] = position
            self.scalar(prim, name, hinge, anchor, X_WB.inverse().turn(zero.turn(tuple(sign * a for a in axis))), position, limits,
                        'angular' if hinge else 'linear')
            return
        free = [t for t in ('transX', 'transY', 'transZ', 'rotX', 'rotY', 'rotZ') if not self.locked(prim, t)]
        if len(free) == 6:
            self.lines.append('<freejoint/>')
            return
        if self.stage.physx and free[-2:] == ['rotX', 'rotY']:
            free[-2:] = ['rotY', 'rotX']
        done, rest = Pose(), Pose(X_FM.R)
        for n, token in enumerate(free):
            axis, hinge = AXES[token[-1]], token.startswith('rot')
            if hinge:
                position = first_angle(rest, token, [t for t in free[n + 1:]])
            else:
                position = sum(a * b for a, b in zip(axis, X_FM.p))
            # Newton wants limits where there are none: these are endless.
            limits = [v if v is None or abs(v) < 1e10 else None for v in (attr(prim, 'limit:%s:physics:%s' % (token, side)) for side in ('low', 'high'))]
            self.scalar(prim, '%s_%d' % (name, n + 1) if len(free) > 1 else name, hinge, anchor,
                        X_WB.inverse().turn(zero.turn(done.turn(axis))), position, limits, token)
            if hinge:
                done = done * about(axis, position)
                rest = about(axis, -position) * rest

    def locked(self, prim, token):
        low, high = attr(prim, 'limit:%s:physics:low' % token), attr(prim, 'limit:%s:physics:high' % token)
        return has(prim, 'PhysicsLimitAPI:' + token) and low is not None and high is not None and low > high

    def scalar(self, prim, name, hinge, anchor, axis, position, limits, token):
        unit = 1 / DEGREES if hinge else 1
        out = '<joint name=%s type="%s" pos="%s" axis="%s"' % (quoteattr(name), 'hinge' if hinge else 'slide', text(anchor.p), text(axis))
        if position:
            out += ' ref="%s"' % text([position])
        # Limits that are as near as this say that the joint is locked: simulators refuse equal ones.
        locked = None not in limits and 0 <= limits[1] - limits[0] <= 1.5 * max(1e-6, abs(limits[0]) * 2 ** -21)
        low, high = (None if v is None else v * unit for v in limits)
        if locked:
            high = math.nextafter(low, math.inf)  # MJCF has no empty range
        if low is not None or high is not None:
            out += ' limited="true" range="%s"' % text([-1e16 if low is None else low, 1e16 if high is None else high])
        self.lines.append(out + self.dynamics(prim, token, hinge) + '/>')

    def dynamics(self, prim, token, hinge):
        per, out = DEGREES if hinge else 1, ''
        axis = 'physxJointAxis:%s:' % ('rotX' if token == 'ball' else token)
        pairs = (('armature', ('newton:armature', axis + 'armature', 'physxJoint:armature'), 1),
                 ('damping', ('newton:damping', axis + 'viscousFrictionCoefficient'), per),
                 ('frictionloss', ('newton:friction', axis + 'dynamicFrictionEffort'), 1),
                 ('stiffness', ('drive:%s:physics:stiffness' % token,), per))
        # With a limit a drive follows a command: no part of the mechanism.
        force = attr(prim, 'drive:%s:physics:maxForce' % token)
        servo = force is not None
        for name, keys, factor in pairs:
            said = [key for key in keys if attr(prim, key)]
            if servo and name == 'stiffness':
                continue
            if said:
                out += ' %s="%s"' % (name, text([attr(prim, said[0]) * factor]))
            if token == 'ball' and said and any(attr(prim, said[0].replace('rotX', other)) != attr(prim, said[0]) for other in ('rotY', 'rotZ')):
                raise ValueError('%s: %s differs by axis' % (prim['path'], name))
        if servo and 0 < force < 1e10:
            out += ' actuatorfrclimited="true" actuatorfrcrange="%s"' % text([-force, force])
        target = attr(prim, 'drive:%s:physics:targetPosition' % token)
        if target and not servo:
            out += ' springref="%s"' % text([target / per])
        return out

    def close(self, joint, a, F, b, M):
        kind, name = joint['type'], shown(joint)
        if a is None:  # the world goes second
            a, F, b, M = b, M, a, F
        A, B = self.stage.pose[a], self.stage.pose[b] if b else Pose()
        ends = 'body1=%s' % quoteattr(shown(self.stage.prims[a]))
        if b:
            ends += ' body2=%s' % quoteattr(shown(self.stage.prims[b]))

        def connect(suffix, point, other):
            anchor = A.inverse() * Pose(p=point)
            if max(abs(x - y) for x, y in zip(point, other)) > 1e-9:  # an anchor is one point, two sites are two
                names = []
                for body, X, p in ((a, A, point), (b, B, other)):
                    names.append('%s%s_%d' % (name, suffix, len(names) + 1))
                    here = X.inverse() * Pose(p=p)
                    self.points.setdefault(body, []).append('<site name=%s pos="%s"/>' % (quoteattr(names[-1]), text(here.p)))
                self.equalities.append('<connect name=%s site1=%s site2=%s/>' % (quoteattr(name + suffix), *map(quoteattr, names)))
                return
            self.equalities.append('<connect name=%s %s anchor="%s"/>' % (quoteattr(name + suffix), ends, text(anchor.p)))
        if kind == 'PhysicsFixedJoint':
            X_12 = (A.inverse() * F) * (B.inverse() * M).inverse()
            self.equalities.append('<weld name=%s %s relpose="%s" anchor="0 0 0"/>' %
                                   (quoteattr(name), ends, text([*X_12.p, *X_12.quaternion()])))
        elif kind in ('PhysicsSphericalJoint', 'PhysicsRevoluteJoint'):
            connect('', F.p, M.p)
            if kind == 'PhysicsRevoluteJoint':
                axis = AXES[attr(joint, 'physics:axis', 'X')]
                points = [tuple(x + 0.3 * y for x, y in zip(X.p, X.turn(axis))) for X in (F, M)]
                connect('_axis', *points)
        else:
            self.missing.append('%s: a loop joint of type %s' % (joint['path'], kind))

    def follow(self, joint):
        """y = c0 + c1 x + ..., written about where both stand."""
        y0 = self.start.get(joint['path'])
        angular = joint['type'] == 'PhysicsRevoluteJoint'
        unit = 1 / DEGREES if angular else 1
        leader, c = None, None
        if has(joint, 'NewtonMimicAPI'):
            leader = joint['rels']['newton:mimicJoint'][0]
            c = [attr(joint, 'newton:mimicCoef0', 0) * unit, attr(joint, 'newton:mimicCoef1', 1),
                 *(attr(joint, 'mjc:coef%d' % k, 0) if has(joint, 'MjcEqualityJointAPI') else 0 for k in (2, 3, 4))]
        for api in joint['meta'].get('apiSchemas') or []:
            if api.startswith('PhysxMimicJointAPI:'):
                of = 'physxMimicJoint:%s:' % api.split(':')[1]
                leader = joint['rels'][of + 'referenceJoint'][0]
                c = [-attr(joint, of + 'offset', 0) * unit, -attr(joint, of + 'gearing', 0), 0, 0, 0]
        if c is None:
            return
        x0 = self.start[leader[1:-1]]
        about_x0 = [sum(c[k] * math.comb(k, n) * x0 ** (k - n) for k in range(n, 5)) for n in range(5)]
        about_x0[0] -= y0
        names = quoteattr(shown(joint)), quoteattr(shown(self.stage.prims[leader[1:-1]]))
        self.equalities.append('<joint joint1=%s joint2=%s polycoef="%s"/>' % (*names, text(about_x0)))


def angle_about(X, axis):
    w, *v = X.quaternion()
    angle = 2 * math.atan2(sum(a * b for a, b in zip(axis, v)), w)
    return angle - 2 * math.pi * round(angle / (2 * math.pi))


def first_angle(X, token, later):
    """Of the first of one or two turns that make up X."""
    if not later:
        return angle_about(X, AXES[token[-1]])
    R = X.R
    if token == 'rotX' and later == ['rotY']:
        return math.atan2(R[2][1], R[1][1])
    if token == 'rotY' and later == ['rotX']:
        return math.atan2(-R[2][0], R[0][0])
    raise ValueError('turns %s, %s' % (token, later))


def text(numbers):
    return ' '.join(repr(float(x)) for x in numbers)


def posed(X):
    return ' pos="%s" quat="%s"' % (text(X.p), text(X.quaternion()))


def convert(source, out, float32):
    with open(source, encoding='utf-8') as file:
        mjcf = Mjcf(Stage(file.read(), float32))
    written = mjcf.write()
    if mjcf.missing:
        return mjcf.missing
    with open(out, 'w', encoding='utf-8') as file:
        file.write(written)
    return []


def main(arguments):
    float32 = '--float32' in arguments
    folder, = [a for a in arguments if not a.startswith('--')]
    for source in sorted(pathlib.Path(folder).glob('*.usda')):
        try:
            missing = convert(source, source.with_suffix('.xml'), float32)
        except (usda.Malformed, ValueError, KeyError) as error:
            missing = [repr(error)]
        for line in missing:
            print('%s: %s' % (source.name, line))
    return 0


if __name__ == '__main__':
    sys.setrecursionlimit(20000)
    sys.exit(main(sys.argv[1:]))
