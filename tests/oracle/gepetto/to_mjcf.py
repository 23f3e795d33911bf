#!/usr/bin/env python3
"""to_mjcf.py FOLDER: the physics of each NAME.urdf with NAME.yaml as NAME.xml (MJCF), from what Gepetto's loader does alone.

The tree becomes bodies, retyped joints what the loader makes of them, pairs of frames connects (3d) and welds (6d). Needs python3-yaml.
"""
import math
import pathlib
import sys
import xml.etree.ElementTree as xml
from xml.sax.saxutils import quoteattr

import yaml


def numbers(text, default):
    return [float(x) for x in text.split()] if text else list(default)


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def rotation(rpy):
    r, p, y = rpy
    x = [[1, 0, 0], [0, math.cos(r), -math.sin(r)], [0, math.sin(r), math.cos(r)]]
    q = [[math.cos(p), 0, math.sin(p)], [0, 1, 0], [-math.sin(p), 0, math.cos(p)]]
    z = [[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]]
    return product(z, product(q, x))


def quaternion(R):
    (a, b, c), (d, e, f), (g, h, i) = R
    best = max((a + e + i, 0), (a - e - i, 1), (e - a - i, 2), (i - a - e, 3))[1]
    q = {0: (1 + a + e + i, h - f, c - g, d - b), 1: (h - f, 1 + a - e - i, b + d, c + g),
         2: (c - g, b + d, 1 - a + e - i, f + h), 3: (d - b, c + g, f + h, 1 - a - e + i)}[best]
    norm = math.sqrt(sum(x * x for x in q))
    return [x / norm for x in q]


def text(values):
    return ' '.join(repr(float(v)) for v in values)


def attribute(element, path, name):
    found = element.find(path) if element is not None else None
    return found.get(name) if found is not None else None


def origin(element):
    xyz = numbers(attribute(element, 'origin', 'xyz'), (0, 0, 0))
    return xyz, rotation(numbers(attribute(element, 'origin', 'rpy'), (0, 0, 0)))


def inertial(link):
    part = link.find('inertial')
    if part is None:
        return ''
    xyz, R = origin(part)
    mass, tensor = float(part.find('mass').get('value')), part.find('inertia')
    m = [float(tensor.get(key)) for key in ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')]
    # Zeros are a frame's. MuJoCo reads them in a URDF as it reads no inertial, but refuses a fullinertia of zeros.
    if mass == 0 and not any(m):
        return ''
    I = [[m[0], m[1], m[2]], [m[1], m[3], m[4]], [m[2], m[4], m[5]]]
    I = product(R, product(I, [list(row) for row in zip(*R)]))
    return (f'<inertial pos="{text(xyz)}" mass="{mass!r}" '
            f'fullinertia="{text((I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]))}"/>')


LETTERS = {'X': (1, 0, 0), 'Y': (0, 1, 0), 'Z': (0, 0, 1)}


def joints(joint, retyped):
    """The MuJoCo joints of a URDF joint: what the loader makes of it."""
    name, kind = joint.get('name'), joint.get('type')
    if name in retyped:
        kind = retyped[name]
        if kind == 'SPHERICAL':
            return f'<joint name={quoteattr(name)} type="ball"/>'
        if kind == 'FIXED':
            return ''
        return ''.join(f'<joint name={quoteattr(name + "_" + letter)} type="hinge" axis="{text(LETTERS[letter])}"/>'
                       for letter in kind[-2:])
    if kind == 'fixed':
        return ''
    if kind == 'floating':
        return '<freejoint/>'
    axis = numbers(attribute(joint, 'axis', 'xyz'), (1, 0, 0))
    out = f'<joint name={quoteattr(name)} type="{"slide" if kind == "prismatic" else "hinge"}" axis="{text(axis)}"'
    limit, dynamics = joint.find('limit'), joint.find('dynamics')
    if limit is not None and kind != 'continuous':
        ends = [float(limit.get('lower', 0)), float(limit.get('upper', 0))]
        if max(abs(x) for x in ends) < 1e15:
            out += f' limited="true" range="{text(ends)}"'
    if dynamics is not None:
        out += f' damping="{float(dynamics.get("damping", 0))!r}" frictionloss="{float(dynamics.get("friction", 0))!r}"'
    return out + '/>'


class Robot:
    def __init__(self, urdf, pairs):
        root = xml.parse(urdf).getroot()
        self.name = root.get('name')
        self.links = {link.get('name'): link for link in root.findall('link')}
        self.below, self.parent = {}, {}
        for joint in root.findall('joint'):
            self.below.setdefault(joint.find('parent').get('link'), []).append(joint)
            self.parent[joint.find('child').get('link')] = joint
        names, kinds = pairs.get('joint_name') or [], pairs.get('joint_type') or []
        assert len(names) == len(kinds), 'joint_name and joint_type differ in length'
        self.retyped = dict(zip(names, kinds))
        for name in list(pairs['name_mot']) + names:
            assert any(j.get('name') == name for j in root.findall('joint')), f'no joint {name}'
        assert len(pairs['closed_loop']) == len(pairs['type']), 'closed_loop and type differ in length'
        self.pairs = list(zip(pairs['closed_loop'], pairs['type']))

    def body(self, name):
        joint = self.parent.get(name)
        xyz, R = origin(joint) if joint is not None else ((0, 0, 0), rotation((0, 0, 0)))
        if name == 'world':
            inner, start, end = '', '', ''
        else:
            start = f'<body name={quoteattr(name)} pos="{text(xyz)}" quat="{text(quaternion(R))}">'
            inner, end = inertial(self.links[name]), '</body>'
            inner += joints(joint, self.retyped) if joint is not None else ''
        if any(name in pair for pair, _ in self.pairs):
            inner += f'<site name={quoteattr(name)}/>'
        for each in self.below.get(name, []):
            inner += self.body(each.find('child').get('link'))
        return start + inner + end

    def mjcf(self):
        roots = [name for name in self.links if name not in self.parent]
        assert len(roots) == 1, f'roots {roots}'
        out = f'<mujoco model={quoteattr(self.name)}><compiler angle="radian" balanceinertia="false"/>'
        out += f'<worldbody>{self.body(roots[0])}</worldbody><equality>'
        for (a, b), kind in self.pairs:
            assert a in self.links and b in self.links, f'no frame {a} or {b}'
            out += f'<{"connect" if kind.lower() == "3d" else "weld"} site1={quoteattr(a)} site2={quoteattr(b)}/>'
        return out + '</equality></mujoco>\n'


def main():
    failed = 0
    for urdf in sorted(pathlib.Path(sys.argv[1]).glob('*.urdf')):
        try:
            pairs = yaml.safe_load(urdf.with_suffix('.yaml').read_text())
            urdf.with_suffix('.xml').write_text(Robot(urdf, pairs).mjcf())
        except (AssertionError, KeyError, AttributeError, ValueError) as error:
            failed += 1
            print(f'{urdf}: {type(error).__name__}: {error}')
    return 1 if failed else 0


sys.setrecursionlimit(20000)
sys.exit(main())
