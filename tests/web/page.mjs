// The page in a real browser, from a file without a network: opened, moved, converted, proved, and looked at by axe.
//   page.mjs SOURCE SCRATCH [SCREENSHOTS]
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { launch, openPage, skip } from './page/browser.mjs';
import { byAddress, keepsItsPolicy, throughEveryDoor } from './page/doors.mjs';
import { compares, converts, drags, graphs, layers, lints, moves, simulates, touches } from './page/questions.mjs';
import { drawsNothing, survivesTrapAndStop } from './page/recovery.mjs';
import { viewed } from './page/view.mjs';
import { sweep } from './page/robots.mjs';

const [source, scratch, pictures] = process.argv.slice(2).map((name) => path.resolve(name));
const app = path.join(source, 'tools/web/app'), module = path.join(source, 'build/wasm/bin/kinemorph.wasm');
if (!existsSync(module)) skip('tools/dev/wasm/check was not run');
const browser = await launch(app);

mkdirSync(scratch, { recursive: true });
const file = path.join(scratch, 'kinemorph.html');
execFileSync('node', [path.join(app, 'build.mjs'), module, file], { stdio: 'inherit' });
const { size } = statSync(file);
assert.ok(size < 3_000_000, `the page has ${size} bytes`);

const began = performance.now();
const hands = await openPage(browser, file, { source, app });
const { page } = hands;
await hands.until('four_bar: 4 links, 1 loop, mobility 1');
const first = performance.now() - began;

// Each by its name, so that one alone can be run: KM_PAGE=graphs,lints.
const failed = [];
const only = process.env.KM_PAGE?.split(',');
const step = async (name, run) => {
  if (only && !only.includes(name)) return;
  const from = performance.now();
  try {
    await run();
  } catch (error) {
    await page.screenshot({ path: path.join(scratch, `failed-${name}.png`) });
    failed.push(name);
    console.log(`web: FAILED ${name}: ${error.stack} ${hands.mistakes.splice(0).join('; ')}`);
  }
  console.log(`web: ${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
};
const bothSchemes = async (what) => {
  await hands.axe(`${what}, light`);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await hands.axe(`${what}, dark`);
  await page.emulateMediaFeatures([]);
};
await step('moves', () => moves(hands));
await step('converts', () => converts(hands));
await step('axe', () => bothSchemes('convert'));
await step('doors', () => throughEveryDoor(hands, { app, scratch }));
await step('policy', () => keepsItsPolicy(browser, file, { app, source }));
await step('recovery', () => survivesTrapAndStop(hands));
await step('layers', () => layers(hands));
await step('graphs', async () => { await graphs(hands); await bothSchemes('graph'); });
await step('drags', async () => { await drags(hands); await bothSchemes('move'); });
await step('touches', () => touches(hands));
await step('without WebGL', () => drawsNothing(browser, file, { source, app }));
await step('lints', async () => { await lints(hands); await bothSchemes('lint'); });
await step('compares', async () => { await compares(hands); await bothSchemes('compare'); });
await step('simulates', async () => { await simulates(hands, scratch); await bothSchemes('simulate'); });
await step('address', () => byAddress(hands, browser, file, { app, source }));
await step('view', () => viewed(browser, file, { source, app, scratch }));
await step('robots', () => sweep(hands));

if (pictures) {
  mkdirSync(pictures, { recursive: true });
  for (const [width, height] of [[1440, 900], [768, 1024], [390, 844]])
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height });
      await hands.openFixture('mechanisms/delta_robot/delta_robot.sdf');
      for (const tab of ['Move', 'Convert', 'Graph', 'Compare', 'Simulate', 'Lint']) {
        if (tab !== 'Move' && (width === 768) === (scheme === 'light')) continue;
        await hands.tab(tab);
        await new Promise((done) => setTimeout(done, 900));
        await page.screenshot({ path: path.join(pictures, `page-${width}-${scheme}-${tab.toLowerCase()}.png`) });
      }
    }
}
assert.deepEqual(failed, []);
assert.deepEqual(hands.mistakes, []);
assert.deepEqual(hands.asked, [], 'nothing is asked of a network');
await browser.close();
console.log(`page: ${size} bytes, the first robot after ${first.toFixed(0)} ms`);
