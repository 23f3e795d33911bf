// `kinemorph view --watch`: the page has the robot in it, and shows each change of its files without a server.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openPage } from './browser.mjs';

export async function viewed(browser, empty, { source, app, scratch }) {
  const command = process.env.KINEMORPH ?? path.join(source, 'build/release/bin/kinemorph');
  if (!existsSync(command)) return void console.log('web: skipped: view: the native command was not built');
  const folder = path.join(scratch, `view-${process.pid}`), robot = path.join(folder, 'robot.sdf'), out = path.join(folder, 'out.html');
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(path.join(source, 'fixtures/mechanisms/four_bar/four_bar.sdf'), 'utf8');
  writeFileSync(robot, text);
  const env = { ...process.env, KINEMORPH_PAGE: empty, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const watching = spawn(command, ['view', robot, '-o', out, '--watch'], { env, stdio: 'inherit' });
  try {
    for (let i = 0; i < 200 && !existsSync(`${out}.js`); ++i) await new Promise((done) => setTimeout(done, 100));
    const hands = await openPage(browser, out, { source, app });
    await hands.until('four_bar: 4 links, 1 loop');
    await hands.page.evaluate(() => window.kinemorph.session.move({ joint2: 0.3 }));
    writeFileSync(robot, text.replace('name="four_bar"', 'name="changed"').replace("name='four_bar'", "name='changed'"));
    await hands.until('changed: 4 links, 1 loop');
    const { values } = await hands.posture();
    assert.ok(values.some((value) => Math.abs(value - 0.3) < 1e-9), 'the posture stays');
    writeFileSync(robot, '<sdf version="1.9"><model name="bad"><link/></model></sdf>');
    await hands.until('has errors');
    writeFileSync(robot, text);
    await hands.until('four_bar: 4 links, 1 loop');
    assert.deepEqual([...hands.mistakes, ...hands.asked], []);
    await hands.page.close();
  } finally {
    watching.kill();
  }
  assert.match(execFileSync(command, ['view', robot, '-o', out, '--no-open'], { env, encoding: 'utf8' }), /out\.html/);
}
