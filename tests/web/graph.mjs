// `kinemorph graph -o X.html` in a real browser: fitted, moved, zoomed and searched, on a phone too, without a network.
//   graph.mjs KINEMORPH SOURCE SCRATCH [SCREENSHOTS]
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { launch, openPage, skip } from './page/browser.mjs';

const [kinemorph, source, scratch, pictures] = process.argv.slice(2).map((name) => path.resolve(name));
if (spawnSync('dot', ['-V']).error) skip('Graphviz is not installed');
const app = path.join(source, 'tools/web/app');
const browser = await launch(app);
mkdirSync(scratch, { recursive: true });
const file = path.join(scratch, 'biped.html');
execFileSync(kinemorph, ['graph', path.join(source, 'fixtures/mechanisms/biped/biped.urdf'), '--what', 'cg', '-q', '-o', file]);
const hands = await openPage(browser, file, { source, app });
const { page } = hands;

// What the screen shows of the picture, and how high the names of links are on it (px).
const shown = () => page.evaluate(() => {
  const box = (element) => { const { left, top, right, bottom, height } = element.getBoundingClientRect(); return { left, top, right, bottom, height }; };
  return { whole: box(document.querySelector('svg > g')), name: box(document.querySelector('.node text')).height, view: document.querySelector('svg').getAttribute('viewBox').split(' ').map(Number) };
});
const start = await shown();
assert.ok(start.whole.left >= 0 && start.whole.top >= 0 && start.whole.right <= 1440 && start.whole.bottom <= 900, JSON.stringify(start));
await hands.axe('graph, light');

await page.mouse.move(400, 300);
await page.mouse.wheel({ deltaY: -400 });
const near = await shown();
assert.ok(near.name > 1.5 * start.name, 'the wheel zooms');
// What lies under the pointer stays there.
const under = ({ view: [x, y, w, h] }) => [x + (w * 400) / 1440, y + (h * 300) / 900];
under(near).forEach((value, i) => assert.ok(Math.abs(value - under(start)[i]) < 0.5, `${under(start)} ${under(near)}`));
await page.mouse.down();
await page.mouse.move(500, 340, { steps: 4 });
await page.mouse.up();
const moved = await shown();
assert.ok(Math.abs(moved.whole.left - near.whole.left - 100) < 2 && Math.abs(moved.whole.top - near.whole.top - 40) < 2, 'the picture follows the pointer');
await page.click('[data-fit]');
assert.ok(Math.abs((await shown()).name - start.name) < 0.1, 'all of it again');

// Links come before joints; Enter goes on to the next.
await page.type('input', 'knee');
const found = await page.$$eval('.found', (all) => all.map((each) => each.textContent.toLowerCase()));
assert.ok(found.length > 1 && found.every((text) => text.includes('knee')), found);
assert.equal(await hands.text('output'), `1 of ${found.length}`);
const first = await hands.text('.here');
await page.keyboard.press('Enter');
assert.equal(await hands.text('output'), `2 of ${found.length}`);
assert.notEqual(await hands.text('.here'), first);
const at = await page.$eval('.here', (element) => { const { left, right, top, bottom } = element.getBoundingClientRect(); return [(left + right) / 2, (top + bottom) / 2]; });
assert.ok(Math.abs(at[0] - 720) < 2 && Math.abs(at[1] - 450) < 2, `what was found is in the middle: ${at}`);
await page.keyboard.press('Escape');
assert.equal((await page.$$('.found')).length, 0);
await page.type('input', 'nothing has this name');
assert.equal(await hands.text('output'), '0 of 0');
await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
await hands.axe('graph, dark');
await page.emulateMediaFeatures([]);

await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
await page.reload();
const phone = await shown();
assert.ok(phone.name >= 10, `names are ${phone.name} px high on a phone`);
await page.touchscreen.touchStart(200, 400);
await page.touchscreen.touchMove(140, 360);
await page.touchscreen.touchEnd();
const swiped = await shown();
assert.ok(swiped.whole.left < phone.whole.left - 40, 'a finger moves it');

if (pictures) {
  mkdirSync(pictures, { recursive: true });
  for (const [width, height] of [[1440, 900], [390, 844]])
    for (const scheme of ['light', 'dark']) {
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.reload();
      await page.screenshot({ path: path.join(pictures, `graph-${width}-${scheme}.png`) });
    }
}
assert.deepEqual([...hands.mistakes, ...hands.asked], []);
await browser.close();
console.log('graph: moved, zoomed, searched');
