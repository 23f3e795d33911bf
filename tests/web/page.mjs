// The page in a real browser, from a file without a network: opened, moved, converted, proved, and looked at by axe.
//   page.mjs SOURCE SCRATCH [SCREENSHOTS]
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [source, scratch, pictures] = process.argv.slice(2).map((name) => path.resolve(name));
const skip = (why) => { console.log(`web: skipped: ${why}`); process.exit(77); };
const app = path.join(source, 'tools/web/app'), module = path.join(source, 'build/wasm/bin/kinemorph.wasm');
if (!existsSync(module)) skip('tools/wasm/check was not run');
if (!existsSync(path.join(app, 'node_modules'))) skip('npm --prefix tools/web/app ci --ignore-scripts was not run');
if (!existsSync('/usr/bin/chromium')) skip('Chromium is not installed (tools/setup browser)');
const { default: puppeteer } = await import(pathToFileURL(path.join(app, 'node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')));

mkdirSync(scratch, { recursive: true });
const file = path.join(scratch, 'kinemorph.html');
execFileSync('node', [path.join(app, 'build.mjs'), module, file], { stdio: 'inherit' });
const { size } = statSync(file);
assert.ok(size < 3_000_000, `the page has ${size} bytes`);

const browser = await puppeteer.launch({
  executablePath: '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--host-resolver-rules=MAP * ~NOTFOUND'],
});
const page = await browser.newPage();
const mistakes = [], asked = [];
page.on('pageerror', (error) => mistakes.push(error.message));
page.on('console', (message) => { if (message.type() === 'error') mistakes.push(message.text()); });
page.on('request', (request) => { if (/^https?:/.test(request.url())) asked.push(request.url()); });
await page.setViewport({ width: 1440, height: 900 });
await page.goto(pathToFileURL(file).href);

const status = () => page.$eval('header p', (element) => element.textContent);
const until = (words) => page.waitForFunction((sought) => document.querySelector('header p').textContent.includes(sought), { timeout: 20000 }, words);
const open = (files, name) => page.evaluate((given, main) => window.kinemorph.open(
  Object.fromEntries(Object.entries(given).map(([path, text]) => [path, new TextEncoder().encode(text)])), main), files, name);
const press = async (words) => {
  const found = await page.evaluateHandle((sought) => [...document.querySelectorAll('button')].find((each) => each.textContent.startsWith(sought)), words);
  await found.asElement().click();
};
// Pixels of the robot: all that is neither ground nor grid.
const drawn = () => page.evaluate(() => document.querySelector('canvas').toDataURL().length);

await until('four_bar: 4 links, 1 loop, mobility 1');

// A slider moves what hangs on it, and the loop stays closed.
const before = await drawn();
const residual = () => page.$eval('.closed', (element) => element.textContent);
const slider = await page.$('.slider:not(.dependent) input');
const bound = () => page.$$eval('.dependent output', (all) => all.map((each) => each.textContent));
const rest = await bound();
await slider.focus();
for (let i = 0; i < 6; ++i) await page.keyboard.press('ArrowRight');
await page.waitForFunction((was) => [...document.querySelectorAll('.dependent output')].map((each) => each.textContent).join() !== was, { timeout: 5000 }, rest.join());
assert.match(await residual(), /The loops are closed/);
assert.notEqual(await drawn(), before);
await press('Reset');
await page.waitForFunction((was) => [...document.querySelectorAll('.dependent output')].map((each) => each.textContent).join() === was, { timeout: 5000 }, rest.join());

// Converted, proved, downloadable.
await press('Convert');
await press('Convert and prove');
await page.waitForSelector('.verdict', { timeout: 20000 });
assert.match(await page.$eval('.verdict', (element) => element.textContent), /^Equivalent/);
assert.match(await page.$eval('.downloads', (element) => element.textContent), /four_bar\.xml/);
await press('URDF');
await page.waitForFunction(() => !document.querySelector('.verdict'), { timeout: 5000 });  // that of another target does not stay

const axe = async (what) => {
  await page.addScriptTag({ content: readFileSync(path.join(app, 'node_modules/axe-core/axe.min.js'), 'utf8') });
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map((each) => `${what}: ${each.id}: ${each.nodes.map((node) => node.html).join(' ')}`), []);
};
await axe('light');
await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
await axe('dark');
await page.emulateMediaFeatures([]);

// Errors are said with the line; a mesh that is not there is said too; the next robot works.
await open({ 'broken.urdf': readFileSync(path.join(source, 'fixtures/invalid/joint_cycle.urdf'), 'utf8') });
await until('broken.urdf has errors');
assert.ok(await page.$('.messages .error'));
await open({ 'a/robot.urdf': '<robot name="meshy"><link name="a"><visual><geometry><mesh filename="package://a/m.stl"/></geometry></visual></link></robot>' });
await until('meshy: 1 link');
assert.match(await page.$eval('.stage .note', (element) => element.textContent), /1 mesh file is not among the files/);
await open({
  'a/robot.urdf': '<robot name="meshed"><link name="a"><visual><geometry><mesh filename="package://a/m.stl"/></geometry></visual></link></robot>',
  'a/m.stl': 'solid m\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid m\n',
});
await until('meshed: 1 link');
assert.equal(await page.$('.stage .note'), null);

// The ways in: a zip with meshes that is chosen, a text that is pasted, a file that is dropped.
const { zipSync, strToU8 } = await import(pathToFileURL(path.join(app, 'node_modules/fflate/esm/browser.js')));
writeFileSync(path.join(scratch, 'robot.zip'), zipSync({
  'zipped/robot.urdf': strToU8('<robot name="zipped"><link name="a"><visual><geometry><mesh filename="meshes/m.obj"/></geometry></visual></link></robot>'),
  'zipped/meshes/m.obj': strToU8('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'),
}));
await (await page.$('input[type=file]')).uploadFile(path.join(scratch, 'robot.zip'));
await until('zipped: 1 link');
assert.equal(await page.$('.stage .note'), null);
const handOver = (kind, words) => page.evaluate((event, text) => {
  const transfer = new DataTransfer();
  if (event === 'paste') transfer.setData('text', text);
  else transfer.items.add(new File([text], 'dropped.urdf'));
  document.body.dispatchEvent(event === 'paste' ? new ClipboardEvent(event, { clipboardData: transfer, bubbles: true })
    : new DragEvent(event, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, kind, words);
await handOver('paste', '<mujoco model="pasted"><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>');
await until('pasted: 1 link');
await handOver('drop', '<robot name="dropped"><link name="a"/></robot>');
await until('dropped: 1 link');

for (const name of ['delta_robot/delta_robot.sdf', 'stewart_platform/stewart_platform.urdf', 'biped/biped.urdf']) {
  await open({ [path.basename(name)]: readFileSync(path.join(source, 'fixtures/mechanisms', name), 'utf8') });
  await page.waitForFunction(() => document.querySelector('.closed'), { timeout: 20000 });
  assert.match(await residual(), /The loops are closed/, `${name}: ${await status()}`);
}

if (pictures) {
  mkdirSync(pictures, { recursive: true });
  for (const [width, height] of [[1440, 900], [768, 1024], [390, 844]])
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height });
      await open({ 'delta_robot.sdf': readFileSync(path.join(source, 'fixtures/mechanisms/delta_robot/delta_robot.sdf'), 'utf8') });
      await new Promise((done) => setTimeout(done, 300));
      await page.screenshot({ path: path.join(pictures, `page-${width}-${scheme}.png`) });
    }
}
assert.deepEqual(mistakes, []);
assert.deepEqual(asked, [], 'nothing is asked of a network');
await browser.close();
console.log(`page: ${size} bytes, opened, moved, converted and proved`);
