// What the tabs answer.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, mkdirSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** A slider moves what hangs on it, and the loop stays closed. */
export async function moves(hands) {
  const { page } = hands;
  const before = await hands.drawn();
  const bound = () => hands.texts('.dependent output');
  const rest = (await bound()).join();
  const slider = await page.$('.slider:not(.dependent) input');
  await slider.focus();
  for (let i = 0; i < 6; ++i) await page.keyboard.press('ArrowRight');
  const asked = (was) => [...document.querySelectorAll('.dependent output')].map((each) => each.textContent).join() !== was;
  await hands.wait(asked, rest);
  assert.match(await hands.text('.closed'), /The loops are closed/);
  assert.notEqual(await hands.drawn(), before);
  await hands.press('Reset');
  await hands.wait((was) => [...document.querySelectorAll('.dependent output')].map((each) => each.textContent).join() === was, rest);
}

/** The losses of every target at a glance; one converted, proved, downloadable. */
export async function converts(hands) {
  const { page } = hands;
  await hands.tab('Convert');
  await hands.wait(() => document.querySelectorAll('.targets button[aria-label*="loses"]').length === 6);
  const said = await page.$$eval('.targets button', (all) => all.map((each) => each.getAttribute('aria-label')));
  assert.deepEqual(said.slice(0, 3), ['URDF+: loses nothing', 'URDF: loses nothing', 'SDFormat: loses nothing']);
  assert.match(said.find((each) => each.startsWith('Robotran')), /^Robotran: loses [1-9]\d* of motion, 3 of interface, 2 of looks$/);
  await hands.press('Convert and prove');
  await page.waitForSelector('.verdict');
  assert.match(await hands.text('.verdict'), /^Equivalent/);
  assert.match(await hands.text('.downloads'), /four_bar\.xml/);
  await hands.press('URDF', '.targets');
  await hands.wait(() => !document.querySelector('.verdict'));  // that of another target does not stay
}

/** Every layer draws something of its own; a link that is pointed at stands out. */
export async function layers(hands) {
  const { page } = hands;
  await hands.openFixture('mechanisms/delta_robot/delta_robot.sdf');
  await hands.until('delta');
  for (const layer of ['Shapes', 'Joints', 'Axes', 'Aggregates', 'Frames', 'Mass centres', 'Inertia']) {
    const before = await hands.drawn();
    await hands.press(layer, '.layers');
    assert.notEqual(await hands.drawn(), before, layer);
    await hands.press(layer, '.layers');
    assert.equal(await hands.drawn(), before, layer);
  }
  const plain = await hands.drawn();
  const { x, y } = await placeOf(hands, 1);
  await page.mouse.move(x, y);
  await hands.wait(() => document.querySelector('.pointed').textContent !== '');
  assert.notEqual(await hands.drawn(), plain);
  await page.mouse.move(5, 5);
  await hands.wait(() => document.querySelector('.pointed').textContent === '');
  assert.equal(await hands.drawn(), plain);
}

// Where on the screen something of a link is to be seen: of a grid of points the first that hits it.
async function placeOf(hands, least) {
  const found = await hands.page.evaluate(async (from) => {
    for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);  // the layout of the tab
    const { viewer } = window.kinemorph, { left, top, width, height } = document.querySelector('canvas').getBoundingClientRect();
    for (let i = 12; i < 34; ++i)
      for (let k = 12; k < 34; ++k) {
        const at = { clientX: left + width * k / 46, clientY: top + height * i / 46 };
        const what = viewer.under(at);
        if (what?.index >= from) return { x: at.clientX, y: at.clientY, link: what.link, index: what.index };
      }
    return null;
  }, least);
  assert.ok(found, 'a link can be pointed at');
  return found;
}

/** The graphs: pointing at a node lights the link, pointing at the link lights the node. */
export async function graphs(hands) {
  const { page } = hands;
  await hands.openFixture('mechanisms/four_bar/four_bar.sdf');
  await hands.tab('Graph');
  await page.waitForSelector('.graph .node');
  assert.ok((await hands.texts('.graph .node')).some((text) => /link1.*link2.*link3.*mobility 1/.test(text)));
  await hands.press('Connectivity', '.choice');
  await hands.wait(() => document.querySelectorAll('.graph .edge text').length > 0);
  const joints = await hands.texts('.graph .edge text');
  assert.ok(joints.includes('joint1') && (await page.$$('.graph .edge.loop')).length === 1);
  const plain = await hands.drawn();
  await page.evaluate(() => [...document.querySelectorAll('.graph .node')].find((node) => node.textContent === 'link2').dispatchEvent(new MouseEvent('mouseenter')));
  await hands.wait(() => document.querySelector('.pointed').textContent === 'link2');
  assert.notEqual(await hands.drawn(), plain);
  await page.evaluate(() => [...document.querySelectorAll('.graph .node')].find((node) => node.textContent === 'link2').dispatchEvent(new MouseEvent('mouseleave')));
  await hands.wait(() => document.querySelector('.pointed').textContent === '');
  const { x, y, link } = await placeOf(hands, 1);
  await page.mouse.move(x, y);
  await hands.wait((name) => document.querySelector('.graph .node.lit')?.textContent === name, link);
  await page.mouse.move(5, 5);
  await hands.press('Dependencies', '.choice');
  await hands.wait(() => document.querySelectorAll('.graph .edge.loop').length > 1);
}

/** On a phone a finger on a link pulls it, one beside turns the view, and nothing of the page is cut off. */
export async function touches(hands) {
  const { page } = hands;
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });  // the page is loaded anew
  await hands.until('four_bar: 4 links, 1 loop, mobility 1');
  const { width, tabs } = await page.evaluate(() => ({ width: document.documentElement.scrollWidth,
    tabs: [...document.querySelectorAll('.tabs button')].map((tab) => tab.getBoundingClientRect().right) }));
  assert.ok(width <= 390 && Math.max(...tabs) <= 390, `${width} ${tabs}`);
  const before = await hands.posture(), { x, y, index } = await placeOf(hands, 2);
  await page.touchscreen.touchStart(x, y);
  for (let i = 1; i <= 6; ++i) await page.touchscreen.touchMove(x + 6 * i, y);
  await hands.wait((was, link) => JSON.stringify(window.kinemorph.session.state.posture.poses[link]) !== was, JSON.stringify(before.poses[index]), index);
  await page.touchscreen.touchEnd();
  const after = await hands.posture(), drawn = await hands.drawn();
  assert.ok(after.residual < 1e-9, `${after.residual}`);
  await page.touchscreen.touchStart(20, 220);
  for (let i = 1; i <= 6; ++i) await page.touchscreen.touchMove(20 + 10 * i, 220);
  await page.touchscreen.touchEnd();
  assert.notEqual(await hands.drawn(), drawn);
  assert.deepEqual((await hands.posture()).values, after.values);
  await page.setViewport({ width: 1440, height: 900 });
  await hands.until('four_bar: 4 links, 1 loop, mobility 1');
}

/** A link follows the mouse, the loops closed; dead centres are shown. */
export async function drags(hands) {
  const { page } = hands;
  await hands.openFixture('mechanisms/four_bar/four_bar.sdf');
  await hands.tab('Move');
  await page.evaluate(() => window.kinemorph.session.reset());
  const before = await hands.posture(), { x, y, index } = await placeOf(hands, 2);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 8; ++i) await page.mouse.move(x + 8 * i, y);
  await hands.wait((was, link) => JSON.stringify(window.kinemorph.session.state.posture.poses[link]) !== was, JSON.stringify(before.poses[index]), index);
  await page.mouse.up();
  const after = await hands.posture();
  assert.ok(after.residual < 1e-9, `${after.residual}`);
  assert.ok(Math.max(...after.values.map((value, i) => Math.abs(value - before.values[i]))) > 1e-3);
  // A crank of the wrist cannot turn as far as its limits allow.
  await hands.openFixture('mechanisms/wrist/wrist.sdf');
  await page.waitForSelector('.reach');
  assert.match(await hands.text('.reach small'), /The loop follows from -?[\d.]+° to [\d.]+°/);
}

/** What is wrong with a text, with its lines; mended, and opened. */
export async function lints(hands) {
  const { page } = hands;
  await hands.open({ 'axis.urdf': '<robot name="axis">\n<link name="a"/>\n<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>\n'
    + '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 2"/>\n<limit effort="1" velocity="1"/></joint>\n</robot>\n' });
  await hands.until('axis: 2 links');
  await hands.tab('Lint');
  await page.waitForSelector('.messages');
  const count = (await page.$$('.messages li')).length;
  await page.evaluate(() => [...document.querySelectorAll('.messages button')].find((each) => each.textContent.includes('line')).click());
  assert.ok(await page.$('.messages pre .here'));
  await page.waitForSelector('.fixes input');
  await page.click('.fixes input');
  await hands.wait(() => document.querySelectorAll('.lines li').length === 2);
  assert.match(await hands.text('.lines'), /axis\.urdf:4/);
  await hands.press('Open the mended text');
  await hands.wait((name) => new TextDecoder().decode(window.kinemorph.session.state.robot.files['axis.urdf']).includes(name), 'continuous');
  await hands.tab('Lint');
  await hands.wait((was) => document.querySelector('.tabpanel p, .messages') && document.querySelectorAll('.messages li').length < was, count);
}

/** A second robot: the verdict, what differs, and both move together. */
export async function compares(hands) {
  const { page, source } = hands;
  await hands.openFixture('mechanisms/four_bar/four_bar.sdf');
  await hands.tab('Compare');
  await page.select('select[aria-label="Compare with"]', 't:mjcf');
  await page.waitForSelector('.verdict');
  assert.match(await page.$eval('.verdict', (each) => each.className), /good|fair/);
  await page.evaluate(() => window.kinemorph.session.move({ joint2: 0.3 }));
  const apart = await page.evaluate(async () => {
    const { session, solver } = window.kinemorph;
    const theirs = await solver.ask('stand', { slot: 'other', values: (await solver.ask('posture', { slot: 'other' })).values });
    const names = session.state.other.scene.links.map((link) => link.name), own = session.state.robot.scene.links.map((link) => link.name);
    return Math.max(...own.map((name, i) => (names.includes(name) ? Math.max(...session.state.posture.poses[i].map((value, k) => Math.abs(value - theirs.poses[names.indexOf(name)][k]))) : 0)));
  });
  assert.ok(apart < 1e-6, `the two stand apart by ${apart}`);
  const text = readFileSync(path.join(source, 'fixtures/mechanisms/four_bar/four_bar.sdf'), 'utf8');
  const changed = text.replace(/<mass>([\d.]+)<\/mass>/, (all, mass) => `<mass>${Number(mass) + 1}</mass>`);
  assert.notEqual(changed, text);
  await page.evaluate((words) => window.kinemorph.session.compare({ 'heavy.sdf': new TextEncoder().encode(words) }, 'heavy.sdf'), changed);
  await hands.wait(() => document.querySelector('.verdict.bad') && document.querySelector('.lines'));
  assert.match(await hands.text('.lines'), /mass/);
  await hands.press('Close it');
  await hands.wait(() => !document.querySelector('.verdict'));
}

/** A motion from the present posture, played and kept as a picture and a film. */
export async function simulates(hands, scratch) {
  const { page } = hands;
  const folder = path.join(scratch, `downloads-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const client = await page.createCDPSession();
  await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
  await hands.openFixture('mechanisms/four_bar/four_bar.sdf');
  await page.evaluate(() => window.kinemorph.session.move({ joint2: 0.3 }));
  const start = (await hands.posture()).values;
  await hands.tab('Simulate');
  await page.evaluate(() => { const input = document.querySelector('.fields input'); input.value = '0.6'; input.dispatchEvent(new Event('input', { bubbles: true })); });
  await hands.press('Simulate', '.tabpanel');
  await page.waitForSelector('.player');
  await hands.wait(() => document.querySelector('.player output').textContent === '0.60 s' && document.querySelector('.player button').getAttribute('aria-label') === 'Play');
  const moved = await hands.drawn();
  await page.evaluate(() => { const input = document.querySelector('.player input'); input.value = '0'; input.dispatchEvent(new Event('input', { bubbles: true })); });
  await hands.wait(() => document.querySelector('.player output').textContent === '0.00 s');
  assert.notEqual(await hands.drawn(), moved);
  assert.match(await hands.text('.tabpanel'), /loops stay closed within \de-/);
  const came = async (name, least) => {
    for (let i = 0; i < 300; ++i) {
      if (existsSync(path.join(folder, name)) && statSync(path.join(folder, name)).size > least) return readFileSync(path.join(folder, name));
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`${name} was not written: ${readdirSync(folder)}`);
  };
  await hands.press('Picture');
  assert.equal((await came('four_bar.png', 1000)).subarray(1, 4).toString(), 'PNG');
  await hands.press('Video');
  assert.equal((await came('four_bar.webm', 1000)).readUInt32BE(0), 0x1a45dfa3);
  await hands.tab('Move');
  (await hands.posture()).values.forEach((value, i) => assert.ok(Math.abs(value - start[i]) < 1e-12));
}
