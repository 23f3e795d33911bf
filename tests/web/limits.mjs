// What strangers hand to the page is unpacked no further than a bound, and each name is a name: zips, addresses, tables. Without a browser.
//   limits.mjs SOURCE
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

const source = path.resolve(process.argv[2]);
const part = (name) => import(pathToFileURL(path.join(source, 'tools/web/app', name)));
const { Budget, TooLarge, most, unpacked } = await part('packed.mjs');
const { unzipped } = await part('zip.mjs');
const { fragmentOf, robotOf } = await part('share.mjs');
const { filesIn, folderBytes } = await part('folder.mjs');
const { rowsIn } = await part('table.mjs');

const bytesOf = (text) => new TextEncoder().encode(text), textOf = (bytes) => new TextDecoder().decode(bytes);
const sum = crc32 ?? (() => 0);
// A zip of [name, content, what it says of itself].
function zipOf(entries) {
  const locals = [], directory = [];
  let at = 0;
  for (const [name, content, { size = content.length, method = 8, packed = method === 0 ? content : deflateRawSync(content), flags = 0x800 } = {}] of entries) {
    const local = Buffer.alloc(30), entry = Buffer.alloc(46), title = Buffer.from(name);
    for (const [head, from] of [[local, 4], [entry, 6]]) {
      head.writeUInt16LE(20, from);
      head.writeUInt16LE(flags, from + 2);
      head.writeUInt16LE(method, from + 4);
      head.writeUInt32LE(sum(content), from + 10);
      head.writeUInt32LE(packed.length, from + 14);
      head.writeUInt32LE(size, from + 18);
      head.writeUInt16LE(title.length, from + 22);
    }
    local.writeUInt32LE(0x04034b50, 0);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt32LE(at, 42);
    locals.push(local, title, packed);
    directory.push(entry, title);
    at += local.length + title.length + packed.length;
  }
  const end = Buffer.alloc(22), held = Buffer.concat(directory);
  end.writeUInt32LE(0x06054b50, 0);
  for (const place of [8, 10]) end.writeUInt16LE(entries.length, place);
  end.writeUInt32LE(held.length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...locals, held, end]));
}
const unzip = (entries, limit = most) => unzipped(zipOf(entries), new Budget(limit));

// A zip comes out as it went in, whatever its files are called.
const named = await unzip([['a/robot.urdf', bytesOf('<robot/>')], ['a/', bytesOf('')], ['__proto__', bytesOf('p')], ['constructor', bytesOf('c'), { method: 0 }], ['é.stl', bytesOf('')]]);
assert.deepEqual(Object.keys(named).sort(), ['__proto__', 'a/robot.urdf', 'constructor', 'é.stl']);
assert.equal(textOf(named['__proto__']), 'p');
assert.equal(textOf(named.constructor), 'c');
const again = filesIn(folderBytes(named));
assert.deepEqual(Object.keys(again).sort(), Object.keys(named).sort());
assert.equal(textOf(again['__proto__']), 'p');

// What is declared, and what is true.
const zeros = new Uint8Array(64 * 2 ** 20);
await assert.rejects(unzip([['bomb', zeros]], { bytes: 2 ** 20, files: 10 }), TooLarge);
const begun = process.memoryUsage().arrayBuffers;
await assert.rejects(unzip([['liar', zeros, { size: 1000 }]], { bytes: 2 ** 20, files: 10 }), /'liar' of the zip is too large: it holds more than 1 MB/);
assert.ok(process.memoryUsage().arrayBuffers - begun < 32 * 2 ** 20, 'it is stopped where it lies');
await assert.rejects(unzip([['short', bytesOf('four'), { size: 1000 }]]), /damaged/);
await assert.rejects(unzip(Array.from({ length: 11 }, (none, i) => [`f${i}`, bytesOf('')]), { bytes: 2 ** 20, files: 10 }), /more than 10 files/);
await assert.rejects(unzip([['half', zeros.subarray(0, 600)], ['more', zeros.subarray(0, 600)]], { bytes: 1000, files: 10 }), TooLarge);
await assert.rejects(unzip([['secret', bytesOf('x'), { flags: 1 }]]), /password/);
await assert.rejects(unzip([['odd', bytesOf('x'), { method: 14, packed: Buffer.from('x') }]]), /packed in a way/);
const whole = zipOf([['a', bytesOf('content of a')]]);
for (let cut = 0; cut < whole.length; ++cut) await assert.rejects(unzipped(whole.slice(0, cut), new Budget()), Error, `cut at ${cut}`);
for (let at = 0; at < whole.length; ++at) await unzipped(whole.map((byte, i) => (i === at ? byte ^ 0xff : byte)), new Budget()).catch((error) => assert.ok(error instanceof Error));

// An address: what it holds is bounded before it is there.
const robot = { files: { 'r.urdf': bytesOf('<robot name="r"/>'), ['__proto__']: bytesOf('kept') }, name: 'r.urdf', values: { j: 0.5 } };
const back = await robotOf((await fragmentOf(robot)).fragment);
assert.equal(textOf(back.files['r.urdf']), '<robot name="r"/>');
assert.deepEqual(back.values, { j: 0.5 });
const bomb = `#robot=${deflateRawSync(Buffer.alloc(256 * 2 ** 20)).toString('base64url')}`;
const before = process.memoryUsage().arrayBuffers;
await assert.rejects(robotOf(bomb), /The robot in this address is too large/);
assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 2 ** 20, 'it is stopped at the bound');
await assert.rejects(robotOf('#robot=AAAA'), /a part of the address is missing/);
const missing = `#robot=${deflateRawSync(folderBytes({ '': JSON.stringify({ name: 'constructor' }) })).toString('base64url')}`;
await assert.rejects(robotOf(missing), /a part of the address is missing/);
await assert.rejects(unpacked(deflateRawSync(zeros), 'deflate-raw', 100, 'It'), /It is too large/);

// Names with commas, quotes and ends of lines are one column each.
assert.deepEqual(rowsIn('t,"q.a,b","q.c\nd","q.e""f",\n1,2,3,4,5\n'), [['t', 'q.a,b', 'q.c\nd', 'q.e"f', ''], ['1', '2', '3', '4', '5']]);
assert.deepEqual(rowsIn('a,b\r\n1,\r\n'), [['a', 'b'], ['1', '']]);
console.log('limits: zips, addresses and tables are bounded');
