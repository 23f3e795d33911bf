#!/usr/bin/env python3
"""check.py FOLDER: texts with hostile names beside one with a plain name, by parsers of others.

FOLDER holds groups; a group is a folder with plain.EXT and other files *.EXT. Each must be read by the parser of its format (XML: expat; YAML: PyYAML;
Python: its own; USD: OpenUSD of the package usd-core, else the parser of ../usd), and have the structure of the plain one: names of elements, keys and
prims, but no values. A file NAME.EXT.values holds, one JSON text a line, values that must be among those of NAME.EXT, letter for letter.

Prints a line for each fault, then `judged N by PARSERS`.
"""
import ast
import json
import os
import re
import sys
import xml.parsers.expat

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'usd'))
judges = set()


def xml_shape(path):
    shape, values, text = [], [], []
    parser = xml.parsers.expat.ParserCreate()
    parser.buffer_text = True

    def close_text():
        if text:
            values.append(''.join(text).strip())
        text.clear()

    def start(name, attributes):
        close_text()
        shape.append((name, sorted(attributes)))
        values.extend(attributes.values())

    def end(_name):
        close_text()
        shape.append('/')

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text.append
    with open(path, 'rb') as stream:
        parser.Parse(stream.read(), True)
    judges.add('expat')
    return shape, values


def yaml_shape(path):
    import yaml
    with open(path, encoding='utf-8') as stream:
        tree = yaml.load(stream, yaml.CSafeLoader if hasattr(yaml, 'CSafeLoader') else yaml.SafeLoader)
    judges.add('PyYAML')
    values = []

    # Names are keys too, so that a key says no more than that it is one.
    def shape(node):
        if isinstance(node, dict):
            values.extend(node)
            return {'map': [shape(child) for child in node.values()]}
        if isinstance(node, list):
            return [shape(child) for child in node]
        values.append(node)
        return type(node).__name__

    return shape(tree), values


def python_shape(path):
    with open(path, encoding='utf-8') as stream:
        tree = ast.parse(stream.read())
    judges.add('Python')
    values = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            values.append(node.value)
            node.value = type(node.value).__name__
    return ast.dump(tree), values


def usd_shape(path):
    try:
        from pxr import Sdf
    except ImportError:
        return usd_shape_without(path)
    judges.add('OpenUSD')
    layer = Sdf.Layer.OpenAsAnonymous(path)
    shape, values = [], []

    def visit(prim):
        arcs = [item.assetPath for item in prim.referenceList.GetAddedOrExplicitItems()]
        values.extend(arcs)
        shape.append((prim.typeName, len(arcs), sorted(name for name in prim.properties.keys())))
        for attribute in prim.attributes:
            value = attribute.default
            values.append(value.path if isinstance(value, Sdf.AssetPath) else value)
        for child in prim.nameChildren:
            visit(child)
        shape.append('/')

    for prim in layer.rootPrims:
        visit(prim)
    return shape, values


def usd_shape_without(path):
    import usda
    judges.add('the parser of tests/oracle/usd')
    with open(path, encoding='utf-8') as stream:
        _, prims = usda.parse(stream.read())
    shape, values = [], []
    for prim in usda.walk(prims):
        shape.append((prim['type'], sorted(prim['attrs']), sorted(prim['rels']), len(prim['children'])))
        for asset in [prim['meta'].get('references')] + [value for kind, value in prim['attrs'].values() if kind == 'asset']:
            if asset:
                values.append(re.sub(r'\\@@@', '@@@', asset[3:-3] if asset.startswith('@@@') else asset[1:-1]))
    return shape, values


def shape_of(path):
    end = os.path.splitext(path)[1]
    if end in ('.yaml', '.yml'):
        return yaml_shape(path)
    if end == '.py':
        return python_shape(path)
    return usd_shape(path) if end == '.usda' else xml_shape(path)


def main():
    count = 0
    for folder, _, files in sorted(os.walk(sys.argv[1])):
        plains = [name for name in files if name.startswith('plain.') and not name.endswith('.values')]
        for plain in plains:
            end = plain[len('plain'):]
            expected, _ = shape_of(os.path.join(folder, plain))
            for name in sorted(name for name in files if name.endswith(end) and name != plain):
                path = os.path.join(folder, name)
                count += 1
                try:
                    shape, values = shape_of(path)
                except Exception as error:  # every parser has its own
                    print('%s: refused: %s' % (path, str(error).split('\n')[0]))
                    continue
                if shape != expected:
                    print('%s: another structure' % path)
                if os.path.exists(path + '.values'):
                    with open(path + '.values', encoding='utf-8') as stream:
                        for line in stream:
                            if json.loads(line) not in values:
                                print('%s: %s is not among its values' % (path, line.strip()))
    print('judged %d by %s' % (count, ', '.join(sorted(judges))))


main()
