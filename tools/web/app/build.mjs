// One HTML file of the page, its solver and the module: build.mjs MODULE.wasm OUT.html.
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { hashOf, policyTag } from '../policy.mjs';

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
const licences = [execFileSync(path.join(root, 'tools/dev/libraries'), ['notices', 'npm'], { encoding: 'utf8' })]
  .concat(['three', 'preact', '@dagrejs/dagre', '@dagrejs/graphlib'].map((name) => `\n## ${name}\n\n${readFileSync(path.join(here, 'node_modules', name, 'LICENSE'), 'utf8')}`)).join('');
const json = JSON.stringify(samples).replaceAll('<', '\\u003c');
const style = readFileSync(path.join(here, 'style.css'), 'utf8'), page = await bundled('page.jsx', 'esm'), begin = inert(await bundled('unpack.mjs', 'esm'));
// Scripts: the first one, the one that it unpacks, and what these add, as `view --watch` does. Meshes hold pictures as data.
const policy = policyTag({
  'script-src': `${hashOf(begin)} ${hashOf(page)} 'strict-dynamic' 'wasm-unsafe-eval'`, 'style-src': hashOf(style),
  'worker-src': 'blob:', 'img-src': 'data: blob:', 'connect-src': 'data: blob:', 'media-src': 'blob:',
});
writeFileSync(out, `<!doctype html>
<html lang="en">
<meta charset="utf-8">
${policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>kinemorph: robots with loops, opened, moved, converted and proved</title>
<style>${style}</style>
<body>
<div id="app"><noscript>This page needs JavaScript.</noscript></div>
<!-- kinemorph: the robot stands here -->
<script type="text/plain" id="licences">${inert(licences)}</script>
<script type="application/json" id="samples">${json}</script>
<script type="text/plain" id="wasm">${packed(readFileSync(module))}</script>
<script type="text/plain" id="worker">${inert(await bundled('worker.mjs', 'iife'))}</script>
<script type="text/plain" id="page">${packed(page)}</script>
<script type="module">${begin}</script>
</body>
</html>
`);
