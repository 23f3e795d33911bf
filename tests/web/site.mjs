// The documentation site with the page in it: a robot moves beside every tutorial, and each mechanism of the gallery does; pages look right at three
// widths, light and dark; the home page is light; searches find; commands are copied without their prompts.
//   site.mjs KINEMORPH SOURCE SCRATCH
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { launch, skip } from './page/browser.mjs';
import { looks, weightOf } from './page/looks.mjs';

const [command, source, scratch] = process.argv.slice(2).map((name) => path.resolve(name));
const app = path.join(source, 'tools/web/app'), module = path.join(source, 'build/wasm/bin/kinemorph.wasm'), site = path.join(source, 'tools/site');
if (!existsSync(module)) skip('tools/dev/wasm/check was not run');
if (!existsSync(path.join(site, 'node_modules'))) skip('npm --prefix tools/site ci --ignore-scripts was not run');
const browser = await launch(app);
mkdirSync(scratch, { recursive: true });
const page = path.join(scratch, 'kinemorph.html'), out = path.join(scratch, 'site'), repository = 'https://example.org/team/kinemorph';
execFileSync('node', [path.join(app, 'build.mjs'), module, page], { stdio: 'inherit' });
execFileSync(path.join(site, 'build'), [command, out, page], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, KINEMORPH_SOURCE_URL: repository } });

// A server that compresses, as web servers do.
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
let sent = 0;
const server = createServer((request, response) => {
  const file = path.join(out, 'dist', decodeURI(new URL(request.url, 'http://site').pathname)), type = types[path.extname(file)];
  if (!existsSync(file)) return void response.writeHead(404).end();
  const bytes = type ? gzipSync(readFileSync(file)) : readFileSync(file);
  sent += bytes.length;
  return void response.writeHead(200, { 'content-type': type ?? 'application/octet-stream', ...(type ? { 'content-encoding': 'gzip' } : {}) }).end(bytes);
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const base = `http://127.0.0.1:${server.address().port}`;

const stored = await weightOf(browser, `${base}/index.html`, /kinemorph\.html/), weight = sent;
assert.ok(weight < 300e3 && stored < 400e3, `the home page loads ${weight} bytes (${stored} before compression)`);

const docs = path.join(source, 'tools/docs');
const sections = readFileSync(path.join(docs, 'GALLERY.md'), 'utf8').match(/^<!-- robot: /gm).length;
const expected = { index: 1, 'guide/gallery': sections };
for (const name of readdirSync(docs)) if (name.startsWith('TUTORIAL')) expected[`guide/${name.replace('.md', '').toLowerCase()}`] = 1;
assert.ok(sections >= 8 && Object.keys(expected).length >= 5);

const view = await browser.newPage(), mistakes = [];
view.on('pageerror', (error) => mistakes.push(error.message));
await view.setViewport({ width: 1280, height: 900 });
const open = (name) => view.goto(`${base}/${name}.html`, { waitUntil: 'networkidle0' });

// Doors of the home page, the source and its edit link.
await open('index');
assert.equal(await view.$$eval('.VPFeature', (all) => all.length), 3, 'three doors');
assert.match(await view.$eval('.VPNavBar', (bar) => bar.textContent), /v\d+\.\d+\.\d+/);
assert.equal(await view.$eval('.VPHome .image-src', (picture) => picture.getAttribute('src')), '/pictures/leg_hops.svg');
await open('guide/convert');
assert.equal(await view.$eval('.source a', (link) => link.href), `${repository}/edit/main/tools/docs/CONVERT.md`);
assert.deepEqual(await view.$$eval('.prev-next a', (all) => all.length), 0, 'no page leads on to the next');

// The table of formats: a search, a head that stays, columns that go.
await open('guide/formats');
const rows = () => view.$$eval('.filter tbody tr', (all) => all.filter((row) => !row.hidden).length);
assert.ok(await rows() > 70);
await view.type('.filter input[type=search]', 'loop-ball');
assert.equal(await rows(), 1);
await view.$eval('.filter input[type=search]', (input) => { input.value = ''; input.dispatchEvent(new Event('input')); });
await view.$eval('.filter .wide', (region) => { region.scrollTop = 1000; });
const [head, region] = await view.evaluate(() => ['.filter thead th', '.filter .wide'].map((each) => document.querySelector(each).getBoundingClientRect().top));
assert.ok(Math.abs(head - region) < 3, 'the head stays');
await view.click('.filter .columns summary');
await view.click('.filter .columns label input');
assert.ok(await view.$eval('.filter thead th:nth-child(2)', (cell) => cell.hidden));

// Messages by area, with a search; options with addresses.
await open('messages/losses');
const shown = () => view.$$eval('.vp-doc h2', (all) => all.filter((each) => !each.hidden).length);
assert.ok(await shown() > 50);
await view.type('.filter input', 'velocity');
assert.ok(await shown() > 0 && await shown() < 10);
await open('commands/convert');
assert.match(await view.$eval('#verify', (row) => row.textContent), /--verify.*prove|--verify.*compare/is);

// A block is copied without prompts and output.
await open('guide/convert');
await view.evaluate(() => { window.copied = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => window.copied.push(text) } }); document.querySelector('.language-console .copy').click(); });
assert.deepEqual(await view.evaluate(() => window.copied), ['kinemorph inspect robot.urdf\n']);

let robots = 0;
for (const [name, count] of Object.entries(expected)) {
  await view.goto(`${base}/${name}.html`, { waitUntil: 'load' });
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
await view.close();

const every = readdirSync(path.join(out, 'dist'), { recursive: true }).filter((name) => /^(index|guide\/.*|(commands|formats|messages)\/(index|convert|urdf-plus|losses)|library\/(index|gateway))\.html$/.test(name)).map((name) => name.replace('.html', ''));
const pictures = ['index', 'guide/convert', 'guide/formats', 'commands/convert', 'messages/losses', 'library/gateway'];
const views = await looks(browser, base, every, { app, scratch, pictures });
await browser.close();
server.close();
console.log(`site: ${robots} robots move beside ${Object.keys(expected).length} pages; ${views} views look right; home ${weight} bytes (${stored} before compression)`);
