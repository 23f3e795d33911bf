// A solver that traps, or does not answer, costs nothing but a message.
import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';

const thread = (page) => page.workers().at(-1);

export async function survivesTrapAndStop(hands) {
  const { page } = hands;
  await hands.openFixture('mechanisms/four_bar/four_bar.sdf');
  await hands.page.evaluate(() => window.kinemorph.session.move({ joint2: 0.25 }));
  const before = await hands.posture();
  const same = async (what) => (await hands.posture()).values.forEach((value, i) => assert.ok(Math.abs(value - before.values[i]) < 1e-12, what));

  // The next answer is read as a module that traps would give it.
  await thread(page).evaluate(() => {
    const decode = TextDecoder.prototype.decode;
    TextDecoder.prototype.decode = () => { TextDecoder.prototype.decode = decode; throw new RangeError('out of bounds'); };
  });
  await page.evaluate(() => window.kinemorph.session.move({ joint2: 0.4 }));
  await hands.wait(() => /solver failed.*out of bounds.*opened again/.test(document.querySelector('.notice')?.textContent));
  await same('the posture is that before the trap');
  await page.evaluate(() => window.kinemorph.session.move({ joint2: 0.25 }));
  await same('the robot can be moved again');

  // The next answer never comes.
  await thread(page).evaluate(() => { TextDecoder.prototype.decode = () => { for (;;); }; });
  await page.evaluate(() => { window.kinemorph.session.move({ joint2: 0.4 }); });
  assert.equal(await page.$('.stop'), null);
  await page.waitForSelector('.stop', { timeout: 15000 });
  await hands.press('Stop', 'header');
  await hands.wait(() => /solver was stopped.*opened again/.test(document.querySelector('.notice')?.textContent));
  await same('the posture is that before the stop');
  await hands.wait(() => !document.querySelector('.stop'));
  await page.evaluate(() => window.kinemorph.session.move({ joint2: 0.3 }));
  assert.ok(Math.abs((await hands.posture()).values[1] - 0.3) < 1e-9 || (await hands.posture()).residual < 1e-9);
  await hands.openFixture('mechanisms/delta_robot/delta_robot.sdf');
  await hands.until('delta');
  assert.equal(await page.$('.notice'), null);
}

/** A browser without WebGL draws nothing, and says so; the rest of the page works. */
export async function drawsNothing(browser, file, { source, app }) {
  const hands = await openPage(browser, file, { source, app, prepare: () => { HTMLCanvasElement.prototype.getContext = () => null; } });
  await hands.until('four_bar: 4 links, 1 loop, mobility 1');
  assert.match(await hands.text('.stage .note'), /no 3D/);
  await hands.page.evaluate(() => window.kinemorph.session.move({ joint2: 0.3 }));
  assert.ok(Math.abs((await hands.posture()).values[1] - 0.3) < 1e-9);
  await hands.tab('Convert');
  await hands.press('Convert and prove');
  await hands.page.waitForSelector('.verdict');
  assert.deepEqual(hands.mistakes.filter((each) => !/WebGL/.test(each)), []);
  await hands.page.close();
}
