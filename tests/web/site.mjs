// The documentation site with the page in it: a robot moves beside every tutorial, and each mechanism of the gallery does.
//   site.mjs KINEMORPH SOURCE SCRATCH
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { launch, skip } from './page/browser.mjs';

const [command, source, scratch] = process.argv.slice(2).map((name) => path.resolve(name));
const app = path.join(source, 'tools/web/app'), module = path.join(source, 'build/wasm/bin/kinemorph.wasm'), site = path.join(source, 'tools/site');
if (!existsSync(module)) skip('tools/wasm/check was not run');
if (!existsSync(path.join(site, 'node_modules'))) skip('npm --prefix tools/site ci --ignore-scripts was not run');
const browser = await launch(app);
mkdirSync(scratch, { recursive: true });
const page = path.join(scratch, 'kinemorph.html'), out = path.join(scratch, 'site');
execFileSync('node', [path.join(app, 'build.mjs'), module, page], { stdio: 'inherit' });
execFileSync(path.join(site, 'build'), [command, out, page], { stdio: ['ignore', 'ignore', 'inherit'] });

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const server = createServer((request, response) => {
  const file = path.join(out, 'dist', decodeURI(new URL(request.url, 'http://site').pathname));
  if (!existsSync(file)) return void response.writeHead(404).end();
  return void response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));

const docs = path.join(source, 'tools/docs');
const sections = readFileSync(path.join(docs, 'GALLERY.md'), 'utf8').match(/^## /gm).length;
const expected = { index: 1, 'guide/gallery': sections };
for (const name of readdirSync(docs)) if (name.startsWith('TUTORIAL')) expected[`guide/${name.replace('.md', '').toLowerCase()}`] = 1;
assert.ok(sections >= 8 && Object.keys(expected).length >= 5);

const view = await browser.newPage(), mistakes = [];
view.on('pageerror', (error) => mistakes.push(error.message));
await view.setViewport({ width: 1280, height: 900 });
let robots = 0;
for (const [name, count] of Object.entries(expected)) {
  await view.goto(`http://127.0.0.1:${server.address().port}/${name}.html`, { waitUntil: 'load' });
  const folded = await view.$$('details.robot');
  assert.equal(folded.length, count, `${name}: robots that move`);
  assert.ok(!view.frames().some((frame) => frame.url().includes('kinemorph.html')), `${name}: nothing is loaded before it is asked for`);
  for (const each of folded) {
    await (await each.$('summary')).click();
    const iframe = await each.$('iframe'), inside = await iframe.contentFrame();
    const status = await inside.waitForFunction(() => { const text = document.querySelector('header .status')?.textContent; return /mobility|error|cannot/.test(text) && text; }, { timeout: 60000 });
    assert.match(await status.jsonValue(), /links?, \d+ loops?, mobility [1-9]/, name);
    const slider = await inside.waitForSelector('.slider:not(.dependent) input');
    const posture = () => inside.evaluate(() => JSON.stringify(window.kinemorph.session.state.posture.values));
    const before = await posture();
    await slider.focus();
    await slider.press('ArrowRight');
    await inside.waitForFunction((was) => JSON.stringify(window.kinemorph.session.state.posture.values) !== was, {}, before);
    assert.ok(await inside.evaluate(() => window.kinemorph.session.state.posture.residual) < 1e-9);
    if (robots++ === 0) await view.screenshot({ path: path.join(scratch, 'site.png') });
    await (await each.$('summary')).click();
  }
}
assert.deepEqual(mistakes, []);
await browser.close();
server.close();
console.log(`site: ${robots} robots move beside ${Object.keys(expected).length} pages`);
