// The ways in: errors and missing meshes are said; a zip, a pasted text, a dropped file; an address.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openPage } from './browser.mjs';

export async function throughEveryDoor(hands, { app, scratch }) {
  const { page, open, until, source } = hands;
  await open({ 'broken.urdf': readFileSync(path.join(source, 'fixtures/invalid/joint_cycle.urdf'), 'utf8') });
  await until('broken.urdf has errors');
  await page.waitForSelector('.messages .error');
  assert.deepEqual(await page.evaluate(() => Object.keys(window.kinemorph.viewer.figures)), [], 'the robot before it is gone');
  await open({ 'typo.urdf': '<robot name="t"><link name="base"/><link name="arm"/><joint name="j" type="fixed"><parent link="bas"/><child link="arm"/></joint></robot>' });
  await until('typo.urdf has errors');
  assert.match(await hands.text('.messages .error .note'), /did you mean 'base'/);
  const five = [1, 2, 3, 4, 5].map((i) => `<link name="l${i}"><inertial><mass value="1,5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>`).join('');
  await open({ 'alike.urdf': `<robot name="t"><link name="base"/>${five}</robot>` });
  await until('alike.urdf has errors');
  assert.match(await hands.text('.messages'), /and 4 more/, 'five messages of one kind are a row');
  await open({ 'a/robot.urdf': '<robot name="meshy"><link name="a"><visual><geometry><mesh filename="package://a/m.stl"/></geometry></visual></link></robot>' });
  await until('meshy: 1 link');
  assert.match(await hands.text('.stage .note'), /1 mesh file is not among the files/);
  await open({
    'a/robot.urdf': '<robot name="meshed"><link name="a"><visual><geometry><mesh filename="package://a/m.stl"/></geometry></visual></link></robot>',
    'a/m.stl': 'solid m\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid m\n',
  });
  await until('meshed: 1 link');
  assert.equal(await page.$('.stage .note'), null);

  const { zipSync, strToU8 } = await import(pathToFileURL(path.join(app, 'node_modules/fflate/esm/browser.js')));
  writeFileSync(path.join(scratch, 'robot.zip'), zipSync({
    'zipped/robot.urdf': strToU8('<robot name="zipped"><link name="a"><visual><geometry><mesh filename="meshes/m.obj"/></geometry></visual></link></robot>'),
    'zipped/meshes/m.obj': strToU8('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'),
  }));
  await (await page.$('input[type=file]')).uploadFile(path.join(scratch, 'robot.zip'));
  await until('zipped: 1 link');
  assert.equal(await page.$('.stage .note'), null);
  // One that says that it holds 2 GB is not unpacked, and the robot stays.
  const large = Buffer.from(zipSync({ 'a.urdf': strToU8('<robot/>') }));
  large.writeUInt32LE(0x7fffffff, large.indexOf('PK\u0001\u0002') + 24);
  writeFileSync(path.join(scratch, 'large.zip'), large);
  await (await page.$('input[type=file]')).uploadFile(path.join(scratch, 'large.zip'));
  await until('The zip is too large: it holds more than 512 MB');
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
}

/** The page's policy: no script of strangers runs, nothing is asked of a network. */
export async function keepsItsPolicy(browser, file, { source, app }) {
  const hands = await openPage(browser, file, { source, app });
  await hands.until('four_bar: 4 links');
  assert.deepEqual(hands.mistakes, []);
  const tried = await hands.page.evaluate(async () => {
    const holder = document.createElement('div');
    holder.innerHTML = '<img src="data:," onerror="globalThis.handler = 1"><img src="https://127.0.0.1:1/x.png">';
    document.body.append(holder);
    const answer = await fetch('https://127.0.0.1:1/x').then(() => 'answered', () => 'refused');
    await new Promise((done) => setTimeout(done, 300));
    return { answer, handler: globalThis.handler ?? 'silent' };
  });
  assert.deepEqual(tried, { answer: 'refused', handler: 'silent' });
  assert.ok(hands.mistakes.length >= 3 && hands.mistakes.every((each) => /Content Security Policy/.test(each)), hands.mistakes.join('\n'));
  await hands.page.close();
}

/** A robot in its posture goes into the address and comes out of it; what is too large is told. */
export async function byAddress(hands, browser, file, { app, source }) {
  await hands.openFixture('mechanisms/four_bar/four_bar.sdf');
  await hands.page.evaluate(() => window.kinemorph.session.move({ joint2: 0.3 }));
  const before = await hands.posture();
  await hands.press('Share');
  await hands.wait(() => location.hash.startsWith('#robot=') && document.querySelector('.said'));
  const fragment = await hands.page.evaluate(() => location.hash);
  assert.ok(fragment.length < 3000, `${fragment.length} characters`);
  const second = await openPage(browser, file, { source, app, fragment });
  await second.until('four_bar: 4 links');
  (await second.posture()).values.forEach((value, i) => assert.ok(Math.abs(value - before.values[i]) < 1e-6));
  await second.page.evaluate((cut) => { location.hash = cut; }, fragment.slice(0, 300));
  await second.until('a part of the address is missing');
  assert.deepEqual(second.mistakes, []);
  await second.page.close();
  const noise = Array.from({ length: 9000 }, (none, i) => `<link name="a${(Math.imul(i + 1, 2654435761) >>> 0).toString(36)}${(Math.imul(i + 7, 40503001) >>> 0).toString(36)}"/>`);
  await hands.open({ 'large.urdf': `<robot name="large">${noise.slice(0, 1).join('')}<!--${noise.join('')}--></robot>` });
  await hands.until('large: 1 link');
  await hands.press('Share');
  await hands.wait(() => /too large for an address: .* limit.*kinemorph view/.test(document.querySelector('.said')?.textContent));
  await hands.page.evaluate(() => history.replaceState(null, '', location.pathname));
}
