// The moving picture of the README: a Stewart platform in the page, its loops closed.
//   film.mjs PAGE.html OUT.webp      (Chromium and img2webp of Debian's webp are needed)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [file, out] = process.argv.slice(2).map((name) => path.resolve(name));
const root = path.join(import.meta.dirname, '../..');
const { default: puppeteer } = await import(pathToFileURL(path.join(root, 'tools/web/app/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')));
const browser = await puppeteer.launch({
  executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage(), pictures = 48, frames = mkdtempSync(path.join(tmpdir(), 'film-'));
await page.setViewport({ width: 1024, height: 600 });
await page.goto(pathToFileURL(file).href);
await page.waitForFunction(() => document.querySelector('header .status').textContent.includes('mobility'));
await page.evaluate((text) => window.kinemorph.open({ 'stewart_platform.urdf': new TextEncoder().encode(text) }),
  readFileSync(path.join(root, 'fixtures/mechanisms/stewart_platform/stewart_platform.urdf'), 'utf8'));
await page.waitForFunction(() => document.querySelector('header .status').textContent.includes('stewart_platform:'));
for (let i = 0; i < pictures; ++i) {
  await page.evaluate(async (turn) => {
    const values = {};
    for (let leg = 0; leg < 6; ++leg) values[`leg_${leg + 1}`] = 0.05 * Math.sin(turn - Math.PI / 3 * leg);
    await window.kinemorph.session.move(values);
    await new Promise(requestAnimationFrame);
  }, 2 * Math.PI * i / pictures);
  await page.screenshot({ path: path.join(frames, `${String(i).padStart(2, '0')}.png`) });
}
await browser.close();
execFileSync('img2webp', ['-loop', '0', '-d', '80', '-lossy', '-q', '60', '-m', '6', ...Array.from({ length: pictures }, (none, i) => path.join(frames, `${String(i).padStart(2, '0')}.png`)), '-o', out]);
rmSync(frames, { recursive: true });
