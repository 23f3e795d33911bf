// One HTML file of the page, its solver and the module: build.mjs MODULE.wasm OUT.html.
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const [, , module, out] = process.argv;
const here = import.meta.dirname;
const root = path.join(here, '../../..');
const bundled = async (entry, format) => (await build({
  entryPoints: [path.join(here, entry)], bundle: true, minify: true, write: false, format, target: 'es2022', legalComments: 'none',
  jsx: 'automatic', jsxImportSource: 'preact',
})).outputFiles[0].text;
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64');
const inert = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const fixture = (name) => ({ name: path.basename(name), text: readFileSync(path.join(root, 'fixtures/mechanisms', name), 'utf8') });
const samples = {
  'Four-bar': fixture('four_bar/four_bar.sdf'), 'Delta robot': fixture('delta_robot/delta_robot.sdf'),
  'Stewart platform': fixture('stewart_platform/stewart_platform.urdf'), 'Planar leg': fixture('planar_leg_linkage/planar_leg_linkage.urdf'),
};
const licences = [execFileSync(path.join(root, 'tools/web/notices'), { encoding: 'utf8' })]
  .concat(['three', 'preact', 'fflate', '@dagrejs/dagre', '@dagrejs/graphlib'].map((name) => `\n## ${name}\n\n${readFileSync(path.join(here, 'node_modules', name, 'LICENSE'), 'utf8')}`)).join('');
const json = JSON.stringify(samples).replaceAll('<', '\\u003c');
writeFileSync(out, `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>kinemorph: robots with loops, opened, moved, converted and proved</title>
<style>${readFileSync(path.join(here, 'style.css'), 'utf8')}</style>
<body>
<div id="app"><noscript>This page needs JavaScript.</noscript></div>
<!-- kinemorph: the robot stands here -->
<script type="text/plain" id="licences">${inert(licences)}</script>
<script type="application/json" id="samples">${json}</script>
<script type="text/plain" id="wasm">${packed(readFileSync(module))}</script>
<script type="text/plain" id="worker">${inert(await bundled('worker.mjs', 'iife'))}</script>
<script type="text/plain" id="page">${packed(await bundled('page.jsx', 'esm'))}</script>
<script type="module">${inert(await bundled('unpack.mjs', 'esm'))}</script>
</body>
</html>
`);
