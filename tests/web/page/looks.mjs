// How the pages of the documentation site look: at three widths, light and dark, nothing is cut and axe-core finds nothing; the home page is light.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const widths = [1440, 768, 390];

// What a reader cannot reach: a page wider than the screen, code cut at its margin.
const cut = () => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(`the page is ${document.documentElement.scrollWidth} wide, the screen ${innerWidth}`);
  for (const each of document.querySelectorAll('.vp-doc pre'))
    if (each.scrollWidth > each.clientWidth + 1) found.push(`code is cut: ${each.textContent.slice(0, 60)}`);
  return found;
};

/** Looks at `names` below `base`: each wide and light, and narrow and dark; those in `pictures` in all views, with a picture in `scratch`. Returns how many views there were. */
export async function looks(browser, base, names, { app, scratch, pictures = [] }) {
  const axe = readFileSync(path.join(app, 'node_modules/axe-core/axe.min.js'), 'utf8');
  const faults = [];
  let views = 0;
  for (const dark of [false, true]) {
    const page = await browser.newPage();
    page.setDefaultTimeout(60000);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.evaluateOnNewDocument((scheme) => localStorage.setItem('vitepress-theme-appearance', scheme), dark ? 'dark' : 'light');
    for (const width of widths) {
      await page.setViewport({ width, height: 900 });
      for (const name of names) {
        if ((width === 768 || dark !== (width === 390)) && !pictures.includes(name)) continue;
        await page.goto(`${base}/${name}.html`, { waitUntil: 'load' });
        await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__);
        await new Promise((ready) => setTimeout(ready, 200));
        const view = `${name} ${width} ${dark ? 'dark' : 'light'}`;
        faults.push(...(await page.evaluate(cut)).map((fault) => `${view}: ${fault}`));
        if (pictures.includes(name)) await page.screenshot({ path: path.join(scratch, `${name.replaceAll('/', '_')}_${width}_${dark ? 'dark' : 'light'}.png`) });
        if (width !== 768) {
          await page.evaluate(axe);  // a script of its own the page's policy would refuse
          const { violations } = await page.evaluate(() => window.axe.run());
          faults.push(...violations.map((each) => `${view}: ${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')} (${each.nodes.length})`));
        }
        ++views;
      }
    }
    await page.close();
  }
  assert.deepEqual(faults, []);
  return views;
}

/** Bytes that the page at `address` loads, as they are stored; what `left` matches does not count. */
export async function weightOf(browser, address, left) {
  const page = await browser.newPage(), sizes = [];
  page.on('response', (response) => sizes.push(response.buffer().then((bytes) => (left.test(response.url()) ? 0 : bytes.length), () => 0)));
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(address, { waitUntil: 'networkidle0' });
  const weight = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await page.close();
  return weight;
}
