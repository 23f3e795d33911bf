// The pages of the site, from the documents of the repository and from what the command says of itself; then VitePress; then a
// look at every link of what came out.
//   build.mjs KINEMORPH OUT [PAGE]
// KINEMORPH_SOURCE_URL is the address of the repository, for the links to the source; without it pages name their source only.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fragmentOf } from '../web/app/share.mjs';
import { policyTag, scriptHashes } from '../web/policy.mjs';
import { commandPage, commandsPage } from './commands.mjs';
import { addressOf, guide } from './guide.mjs';
import { libraryPages } from './library.mjs';
import { areaPage, areasOf, messagesPage } from './messages.mjs';
import { plain, safe, title } from './text.mjs';

const site = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(site, '../..');
const [command, out, viewer] = process.argv.slice(2).map((name) => path.resolve(name));
const pages = path.join(out, 'pages'), dist = path.join(out, 'dist');
const sourceUrl = (process.env.KINEMORPH_SOURCE_URL ?? '').replace(/\/+$/, '');

const kinemorph = (...args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
const read = (...parts) => fs.readFileSync(path.join(root, ...parts), 'utf8');
// `source` is the file that a reader would edit. No page leads on to the next: the sidebar does.
function put(name, text, source) {
  const file = path.join(pages, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const wide = text.includes('<FilterTable') ? 'aside: false\npageClass: wide-page\n' : '';
  const matter = `prev: false\nnext: false\n${wide}${source ? `source: ${source}\n` : ''}`;
  fs.writeFileSync(file, text.startsWith('---\n') ? text.replace('---\n', `---\n${matter}`) : `---\n${matter}---\n\n${text}`);
}

// Links between documents of the repository become links between pages; a file without a page is named.
const pageOf = new Map();
for (const [, items] of guide) for (const [file] of items) pageOf.set(file, addressOf(file));
for (const name of fs.readdirSync(path.join(root, 'tools/docs')).filter((each) => each.endsWith('.md')))
  if (!pageOf.has(path.join('tools/docs', name))) throw new Error(`tools/docs/${name} has no place in tools/site/guide.mjs`);
for (const folder of fs.readdirSync(path.join(root, 'formats')))
  if (fs.existsSync(path.join(root, 'formats', folder, 'profile.cc'))) pageOf.set(path.join('formats', folder, 'README.md'), '/formats/');
pageOf.set('CONTRIBUTING.md', '/guide/contributing');
function publish(place, folder) {
  const name = path.basename(place);
  fs.mkdirSync(path.join(pages, 'public', folder), { recursive: true });
  fs.copyFileSync(path.join(root, place), path.join(pages, 'public', folder, name));
  return `/${folder}/${name}`;
}
function linked(text, from) {
  return safe(text).replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image, words, target) => {
    if (/^[a-z]+:|^#|^\//.test(target)) return whole;
    const [file, anchor] = target.split('#');
    const place = path.normalize(path.join(path.dirname(from), file));
    if (image) return `![${words}](${publish(place, 'pictures')})`;
    if (place.startsWith('tools/docs/schemas/')) return `<a href="${publish(place, 'schemas')}" target="_blank">${words}</a>`;  // published as they are
    const page = pageOf.get(place);
    if (page) return `[${words.endsWith('.md') ? titleOf(place) : words}](${page}${anchor ? '#' + anchor : ''})`;
    if (!fs.existsSync(path.join(root, place))) throw new Error(`${from}: no such file: ${target}`);
    return words === place || words === target ? `\`${place}\`` : `${words} (\`${place}\`)`;
  });
}
// A link that shows a file name shows the title of its page.
const titleOf = (file) => title(read(file));

// Where a document says <!-- robot: FILE -->, the page that runs in a browser opens with this robot once a reader asks.
async function moving(text, from) {
  const marks = [...text.matchAll(/^<!-- robot: (\S+) -->$/gm)];
  for (const [mark, file] of viewer ? marks : []) {
    const name = path.basename(file);
    const { fragment } = await fragmentOf({ files: { [name]: new Uint8Array(fs.readFileSync(path.join(root, path.dirname(from), file))) }, name });
    const address = `/kinemorph.html${fragment}`;
    text = text.replace(mark, `<details class="robot"><summary>Move ${name} here</summary>
<iframe title="${name} in kinemorph" loading="lazy" src="${address}"></iframe>
<a href="${address}" target="_blank">In a tab of its own</a></details>`);
  }
  return text;
}

// The wide tables of a page get a search, each of its own name, a head that stays, and a choice of columns.
const searchable = (text, label, columns) => {
  const named = {};
  return text.replace(/(?:^\|.*\n)+/gm, (table) => {
    const head = table.split('\n', 1)[0].split('|');
    if (head.length < 10) return table;
    const name = head[1].trim() === 'program' ? 'Search programs' : label;
    named[name] = (named[name] ?? 0) + 1;
    const own = named[name] > 1 ? `${name}, table ${named[name]}` : name;
    return `<FilterTable label="${own}"${columns ? ' columns' : ''}>\n\n${table}\n</FilterTable>\n`;
  });
};

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(pages, { recursive: true });

// Guide.
const searches = { 'tools/docs/FORMATS.md': ['Search features', true], 'tools/docs/SCOREBOARD.md': ['Search robots', true], 'tools/docs/MJCF_PORTABLE.md': ['Search elements', true] };
for (const [, items] of guide) for (const [file] of items) {
  let text = await moving(linked(read(file), file), file);
  if (searches[file]) text = searchable(text, ...searches[file]);
  put(addressOf(file).slice(1) + '.md', text, file);
}
put('guide/contributing.md', linked(read('CONTRIBUTING.md'), 'CONTRIBUTING.md'), 'CONTRIBUTING.md');

// Formats.
const table = JSON.parse(kinemorph('formats', '--json'));
const support = { native: 'yes', lowered: 'exact', partial: 'partly', lost: 'lost', refused: 'refused' };
const folders = { urdf: 'urdf', 'urdf+': 'urdf', sdf: 'sdformat', mjcf: 'mjcf', mbs: 'robotran', usda: 'usd' };
const slug = (name) => name.replace('+', '-plus');
const formats = [];
for (const format of table.formats) {
  const columns = Object.keys(table.capabilities).filter((name) => name.split(/[ @]/)[0] === format.name);
  let text = `# ${format.title}\n\n\`--to ${format.name}\``;
  if (format.versions?.length) text += `, or one of its versions: ${format.versions.map((v) => '`' + format.name + '@' + v + '`').join(' ')}`;
  text += `. Files: ${format.extensions.map((e) => '`' + e + '`').join(' ')}\n\n## Features\n\n`;
  text += 'yes: the format has the feature; exact: kinemorph expresses it by other elements, without any change; partly: exact where possible, the rest is reported; '
    + 'lost: reported as a loss; refused: kinemorph writes no file. [All formats in one table](/guide/formats)\n\n';
  text += `<FilterTable label="Search features">\n\n| feature | ${columns.map(plain).join(' | ')} | how |\n|---|${columns.map(() => '---|').join('')}---|\n`;
  for (const feature of Object.keys(table.capabilities[columns[0]])) {
    const cells = columns.map((column) => table.capabilities[column][feature]);
    const notes = [...new Set(cells.map((cell) => cell.note).filter(Boolean))];
    text += `| \`${feature}\` | ${cells.map((cell) => support[cell.support]).join(' | ')} | ${plain(notes.join('; '))} |\n`;
  }
  text += '\n</FilterTable>\n';
  const notes = path.join('formats', folders[format.name] ?? format.name, 'README.md'), known = fs.existsSync(path.join(root, notes));
  if (known) text += '\n## Notes on the code\n\n' + linked(read(notes), notes).replace(/^#\s+.*$/m, '').replace(/^## /gm, '### ');
  put(`formats/${slug(format.name)}.md`, text, known ? notes : '');
  formats.push({ text: format.title, link: `/formats/${slug(format.name)}` });
}
put('formats/index.md', '# Formats\n\n' + formats.map((f) => `- [${f.text}](${f.link})`).join('\n') + '\n- [Table of all formats](/guide/formats)\n');

// Messages.
const areas = areasOf(JSON.parse(kinemorph('explain', '--json')));
for (const area of areas) put(`messages/${area.area}.md`, areaPage(area), 'converters/report/codes.inc');
put('messages/index.md', messagesPage(areas));

// Commands.
const data = JSON.parse(kinemorph('completion', 'json'));
put('commands/index.md', commandsPage(data));
for (const each of data.commands) put(`commands/${each.name}.md`, commandPage(each));

// The library.
const library = libraryPages(root, '# Library reference\n\nEach page is one public header, with its declarations and their comments. Most programs need [gateway.h](/library/gateway) only. '
  + '[Use the library](/guide/library) shows a first program.\n');
put('library/index.md', library.index);
for (const page of library.pages) put(page.link.slice(1) + '.md', page.text, page.file);

put('index.md', await moving(linked(read('tools/site/index.md'), 'tools/site/index.md'), 'tools/site/index.md'));
publish('fixtures/pictures/leg_hops.svg', 'pictures');
publish('tools/site/theme/logo.svg', 'pictures');
if (viewer) fs.copyFileSync(viewer, path.join(pages, 'public/kinemorph.html'));
fs.mkdirSync(path.join(pages, '.vitepress'), { recursive: true });
fs.cpSync(path.join(site, 'theme'), path.join(pages, '.vitepress/theme'), { recursive: true });

const reference = [{ text: 'Commands', link: '/commands/' }, { text: 'Formats', link: '/formats/' }, { text: 'Messages', link: '/messages/' }, { text: 'Library', link: '/library/' }];
const main = [...guide.map(([text, items]) => ({ text, items: [...items.map(([file, short]) => ({ text: short, link: addressOf(file) })),
  ...(text === 'Reference' ? reference : text === 'Background' ? [{ text: 'Change kinemorph', link: '/guide/contributing' }] : [])] }))];
const back = { text: 'Guide', link: '/guide/convert' };
const sidebar = {
  '/guide/': main,
  '/commands/': [{ text: 'Commands', link: '/commands/', items: data.commands.map(({ name }) => ({ text: name, link: `/commands/${name}` })) }, back],
  '/formats/': [{ text: 'Formats', link: '/formats/', items: [...formats, { text: 'Table of formats', link: '/guide/formats' }] }, back],
  '/messages/': [{ text: 'Messages', link: '/messages/', items: areas.map((area) => ({ text: area.title, link: area.link })) }, back],
  '/library/': [{ text: 'Library', link: '/library/' }, ...library.groups, back],
};
fs.writeFileSync(path.join(pages, '.vitepress/config.mjs'), `import { whole } from './theme/whole.mjs';
const config = ${JSON.stringify({
  title: 'kinemorph', lang: 'en', description: 'Converts robot descriptions between URDF, SDFormat, MJCF, Robotran MBS and USD, and keeps their kinematic loops',
  outDir: dist, cleanUrls: false, lastUpdated: false, router: { prefetchLinks: false },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/pictures/logo.svg' }]],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    sourceUrl, logo: '/pictures/logo.svg', nav: [{ text: 'Guide', link: '/guide/convert', activeMatch: '^/guide/' }, { text: 'Reference', activeMatch: '^/(commands|formats|messages|library)/', items: [...reference, { text: 'Table of formats', link: '/guide/formats' }] },
      ...(viewer ? [{ text: 'Try it', link: '/kinemorph.html', target: '_blank' }] : []),
      { text: `v${data.version.replace(/^\D*/, '')}`, items: [{ text: 'Install', link: '/guide/install' }, ...(sourceUrl ? [{ text: 'Source', link: sourceUrl }, { text: 'Changes', link: `${sourceUrl}/blob/main/CHANGELOG.md` }] : [{ text: 'Change kinemorph', link: '/guide/contributing' }])] }],
    sidebar, outline: [2, 3], search: { provider: 'local' },
    footer: { message: `kinemorph ${data.version.replace(/^\D*/, '')}${sourceUrl ? ` · <a href="${sourceUrl}">source</a>` : ''}` } } })};
config.markdown.codeTransformers = [whole];
export default config;\n`);
const modules = path.join(pages, 'node_modules');
if (!fs.existsSync(modules)) fs.symlinkSync(path.join(site, 'node_modules'), modules);
const { build } = await import('vitepress');
await build(pages);

// Each page says what it may do, but for the one in which robots move, which says so itself. Code in colours has styles of its own.
for (const name of fs.readdirSync(dist, { recursive: true }).filter((each) => each.endsWith('.html'))) {
  const file = path.join(dist, name), text = fs.readFileSync(file, 'utf8');
  if (text.includes('http-equiv="Content-Security-Policy"')) continue;
  const policy = policyTag({
    'script-src': `'self' ${scriptHashes(text)}`, 'style-src': "'self' 'unsafe-inline'", 'img-src': "'self' data:", 'font-src': "'self'", 'connect-src': "'self'", 'frame-src': "'self'",
  });
  if (!text.includes('<head>')) throw new Error(`${name}: there is no head for the policy`);
  fs.writeFileSync(file, text.replace('<head>', () => `<head>\n    ${policy}`));
}

// Every link and picture of every page leads to a file, every anchor to a place.
const html = fs.readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.html'));
const ids = new Map();
const idsOf = (file) => {
  if (!ids.has(file)) ids.set(file, new Set([...fs.readFileSync(file, 'utf8').matchAll(/ id="([^"]*)"/g)].map((match) => match[1])));
  return ids.get(file);
};
const broken = [];
let links = 0;
for (const name of html) {
  const text = fs.readFileSync(path.join(dist, name), 'utf8');
  for (const [, target] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
    if (/^[a-z]+:|^\/\//.test(target)) continue;
    ++links;
    const [place, anchor] = target.replace(/&amp;/g, '&').split('#');
    let file = place === '' ? path.join(dist, name) : path.join(place.startsWith('/') ? dist : path.dirname(path.join(dist, name)), decodeURI(place));
    if (file.endsWith('/') || (fs.existsSync(file) && fs.statSync(file).isDirectory())) file = path.join(file, 'index.html');
    if (!fs.existsSync(file)) broken.push(`${name}: ${target}`);
    else if (anchor && !anchor.startsWith('robot=') && file.endsWith('.html') && !idsOf(file).has(decodeURIComponent(anchor))) broken.push(`${name}: ${target} (no such place)`);
  }
}
for (const line of new Set(broken)) console.error('site: broken link: ' + line);
console.log(`site: ${html.length} pages, ${links} links, ${broken.length} broken`);
process.exit(broken.length === 0 && links > 1000 ? 0 : 1);
