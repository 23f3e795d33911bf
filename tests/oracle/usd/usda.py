"""A parser of the text form of USD, written from the grammar of the crate documentation alone; it shares nothing with the writer.

parse(text) -> (metadata, prims): a prim is {type, name, path, meta, attrs, rels, children}; attrs has (type, value) by name.
"""
import re
import struct

TOKEN = re.compile(r'''\s+|\#[^\n]*|(?P<string>"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*")|(?P<path><[^<>\n]*>)|(?P<asset>@@@(?:\\@@@|.)*?@@@@{0,2}|@[^@\n]*@)'''
                   r'''|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w]))|(?P<word>[-+]?[A-Za-z_][\w:.]*(?:\[\])?)|(?P<mark>[()\[\]{}=,;])''')


SIZES = {'float': 1, 'double': 1, 'float2': 2, 'float3': 3, 'double3': 3, 'point3f': 3, 'vector3f': 3, 'color3f': 3, 'quatf': 4, 'quatd': 4}


class Malformed(Exception):
    pass


class Parser:
    def __init__(self, text, float32):
        if not text.startswith('#usda 1.0'):
            raise Malformed('no #usda 1.0 in the first line')
        self.float32 = float32
        self.tokens, at = [], 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise Malformed('line %d: what is %r?' % (text.count('\n', 0, at) + 1, text[at:at + 20]))
            if found.lastgroup:
                self.tokens.append((found.lastgroup, found.group(), at))
            at = found.end()
        self.at, self.text = 0, text

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ''

    def take(self, wanted=None):
        if self.at >= len(self.tokens):
            raise Malformed('the text ends too early')
        kind, text, where = self.tokens[self.at]
        if wanted is not None and text != wanted:
            raise Malformed('line %d: %r where %r is due' % (self.text.count('\n', 0, where) + 1, text, wanted))
        self.at += 1
        return kind, text

    def value(self):
        kind, text = self.take()
        if kind == 'string':
            return text[3:-3] if text.startswith('"""') else re.sub(r'\\(.)', r'\1', text[1:-1])
        if kind in ('path', 'asset'):
            return text
        if kind == 'number':
            return float(text)
        if text in '([':
            end, items = {'(': ')', '[': ']'}[text], []
            while self.peek() != end:
                items.append(self.value())
                if self.peek() == ',':
                    self.take()
            self.take(end)
            return tuple(items) if text == '(' else items
        if text == '{':
            items = {}
            while self.peek() != '}':
                words = []
                while self.peek() != '=':
                    words.append(self.take()[1])
                self.take('=')
                items[words[-1].strip('"')] = self.value()
                if self.peek() in (',', ';'):
                    self.take()
            self.take('}')
            return items
        if kind == 'word':
            return {'true': True, 'false': False, 'None': None}.get(text, text)
        raise Malformed('no value: %r' % text)

    def metadata(self):
        meta = {}
        if self.peek() != '(':
            return meta
        self.take('(')
        while self.peek() != ')':
            kind, text = self.take()
            if kind == 'string':
                meta['doc'] = text
                continue
            if text in ('prepend', 'append', 'add', 'delete'):
                text = self.take()[1]
            self.take('=')
            meta[text] = self.value()
            if self.peek() in (',', ';'):
                self.take()
        self.take(')')
        return meta

    def cast(self, kind, value):
        kind_of_one, many = kind.rstrip('[]'), kind.endswith('[]')
        if kind_of_one in SIZES and value is not None:
            for one in value if many and isinstance(value, list) else [value]:
                parts = one if isinstance(one, tuple) else (one,)
                if len(parts) != SIZES[kind_of_one] or not all(isinstance(x, float) for x in parts):
                    raise Malformed('%r is no %s' % (one, kind_of_one))
        return self.rounded(kind, value)

    def rounded(self, kind, value):
        single = kind.rstrip('[]') in ('float', 'float2', 'float3', 'point3f', 'vector3f', 'quatf', 'color3f')
        if not (self.float32 and single):
            return value
        if isinstance(value, (tuple, list)):
            return type(value)(self.rounded(kind, v) for v in value)
        return struct.unpack('f', struct.pack('f', value))[0] if isinstance(value, float) else value

    def prim(self, parent):
        specifier = self.take()[1]
        if specifier not in ('def', 'over', 'class'):
            raise Malformed('%r begins no prim' % specifier)
        kind = '' if self.tokens[self.at][0] == 'string' else self.take()[1]
        name = self.value()
        if not re.fullmatch(r'[A-Za-z_]\w*', name):
            raise Malformed('%r is no name of a prim' % name)
        prim = {'type': kind, 'name': name, 'path': parent + '/' + name, 'attrs': {}, 'rels': {}, 'children': []}
        prim['meta'] = self.metadata()
        self.take('{')
        while self.peek() != '}':
            if self.peek() in ('def', 'over', 'class'):
                prim['children'].append(self.prim(prim['path']))
                continue
            words = [self.take()[1]]
            while self.tokens[self.at][0] == 'word':
                words.append(self.take()[1])
            name, kind = words[-1], words[-2]
            value = None
            if self.peek() == '=':
                self.take('=')
                value = self.value()
            self.metadata()
            if kind == 'rel':
                prim['rels'][name] = value if isinstance(value, list) else [value]
            else:
                prim['attrs'][name] = (kind, value if name.endswith('.connect') else self.cast(kind, value))
        self.take('}')
        names = [child['name'] for child in prim['children']]
        if len(names) != len(set(names)):
            raise Malformed('%s has two children of one name' % prim['path'])
        return prim

    def layer(self):
        meta, prims = self.metadata(), []
        while self.at < len(self.tokens):
            prims.append(self.prim(''))
        return meta, prims


def parse(text, float32=False):
    return Parser(text, float32).layer()


def walk(prims):
    for prim in prims:
        yield prim
        yield from walk(prim['children'])
