// A page in Debian's Chromium, without a network: what the tests of the page do with it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const skip = (why) => { console.log(`web: skipped: ${why}`); process.exit(77); };

export async function launch(app) {
  if (!existsSync(path.join(app, 'node_modules'))) skip('npm --prefix tools/web/app ci --ignore-scripts was not run');
  if (!existsSync('/usr/bin/chromium')) skip('Chromium is not installed (tools/setup browser)');
  const { default: puppeteer } = await import(pathToFileURL(path.join(app, 'node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')));
  return puppeteer.launch({
    executablePath: '/usr/bin/chromium', headless: true, protocolTimeout: 600000,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
}

/** The page `file` in a tab, and hands for it. `mistakes` and `asked` collect what must not happen. */
export async function openPage(browser, file, { source, app, fragment = '', prepare }) {
  const page = await browser.newPage();
  page.setDefaultTimeout(60000);
  const mistakes = [], asked = [];
  page.on('pageerror', (error) => mistakes.push(error.stack ?? error.message));
  page.on('console', (message) => { if (message.type() === 'error') mistakes.push(message.text()); });
  page.on('request', (request) => { if (/^https?:/.test(request.url())) asked.push(request.url()); });
  await page.setViewport({ width: 1440, height: 900 });
  if (prepare) await page.evaluateOnNewDocument(prepare);
  await page.goto(pathToFileURL(file).href + fragment);
  const hands = {
    page, mistakes, asked, source,
    status: () => page.$eval('header .status', (element) => element.textContent),
    until: (words) => page.waitForFunction((sought) => document.querySelector('header .status').textContent.includes(sought), {}, words),
    open: (files, name) => page.evaluate((given, main) => window.kinemorph.open(
      Object.fromEntries(Object.entries(given).map(([each, text]) => [each, new TextEncoder().encode(text)])), main), files, name),
    openFixture: (name) => hands.open({ [path.basename(name)]: readFileSync(path.join(source, 'fixtures', name), 'utf8') }),
    async press(words, within = '') {
      const found = await page.evaluateHandle((sought, part) => [...document.querySelectorAll(`${part} button`)].find((each) => each.textContent.startsWith(sought)), words, within);
      assert.ok(found.asElement(), `there is no button '${words}'`);
      await found.evaluate((button) => button.click());
    },
    tab: (words) => hands.press(words, '.tabs'),
    text: (selector) => page.$eval(selector, (element) => element.textContent),
    texts: (selector) => page.$$eval(selector, (all) => all.map((each) => each.textContent)),
    wait: (test, ...words) => page.waitForFunction(test, {}, ...words),
    // Compared as texts: whatever is drawn differs where the picture does.
    drawn: () => page.evaluate(() => document.querySelector('canvas').toDataURL()),
    // The posture once every pull is answered.
    posture: () => page.evaluate(async () => { await window.kinemorph.session.pull(); const { values, residual, poses } = window.kinemorph.session.state.posture; return { values, residual, poses }; }),
    async axe(what) {
      await page.evaluate(readFileSync(path.join(app, 'node_modules/axe-core/axe.min.js'), 'utf8'));  // a script of its own the page's policy would refuse
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map((each) => `${what}: ${each.id}: ${each.nodes.map((node) => node.html).join(' ')}`), []);
    },
  };
  return hands;
}
