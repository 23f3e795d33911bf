// The pages of the site, from the documents of the repository and from what the command says of itself; then VitePress; then a
// look at every link of what came out.
//   build.mjs KINEMORPH OUT [PAGE]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fragmentOf } from '../web/app/share.mjs';

const site = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(site, '../..');
const [command, out, viewer] = process.argv.slice(2).map((name) => path.resolve(name));
const pages = path.join(out, 'pages'), dist = path.join(out, 'dist');

const kinemorph = (...args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
const read = (...parts) => fs.readFileSync(path.join(root, ...parts), 'utf8');
function put(name, text) {
  const file = path.join(pages, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

// Text that is no markup: VitePress takes < for a tag and {{ for a program.
const plain = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\{\{/g, '&#123;&#123;')
  .replace(/\|/g, '\\|').replace(/([*_[\]])/g, '\\$1');
const code = (text) => '```text\n' + text.trimEnd() + '\n```\n';
const title = (text) => (/^#\s+(.*)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');
// Markdown of others: tags in running text, but not in code.
function safe(text) {
  let fenced = false;
  return text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (fenced || /^ {4}/.test(line)) return line;
    return line.split(/(`[^`]*`)/).map((part) => part.startsWith('`') ? part : part.replace(/<(?!!--|img |\/?(details|summary)\b)/g, '&lt;')).join('');
  }).join('\n');
}

// Links between documents of the repository become links between pages; what has no page is named.
const pageOf = new Map();
const docs = fs.readdirSync(path.join(root, 'tools/docs')).filter((name) => name.endsWith('.md')).sort();
for (const name of docs) pageOf.set(path.join('tools/docs', name), '/guide/' + name.replace(/\.md$/, '').toLowerCase());
pageOf.set('tools/PIPELINES.md', '/guide/pipelines');
for (const folder of fs.readdirSync(path.join(root, 'formats')))
  if (fs.existsSync(path.join(root, 'formats', folder, 'profile.cc'))) pageOf.set(path.join('formats', folder, 'README.md'), '/formats/');
function linked(text, from) {
  return safe(text).replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image, words, target) => {
    if (/^[a-z]+:|^#/.test(target)) return whole;
    const [file, anchor] = target.split('#');
    const place = path.normalize(path.join(path.dirname(from), file));
    if (image) {
      const name = path.basename(place);
      fs.mkdirSync(path.join(pages, 'public/pictures'), { recursive: true });
      fs.copyFileSync(path.join(root, place), path.join(pages, 'public/pictures', name));
      return `![${words}](/pictures/${name})`;
    }
    if (place.startsWith('tools/docs/schemas/')) {  // published as they are
      const name = path.basename(place);
      fs.mkdirSync(path.join(pages, 'public/schemas'), { recursive: true });
      fs.copyFileSync(path.join(root, place), path.join(pages, 'public/schemas', name));
      return `<a href="/schemas/${name}" target="_blank">${words}</a>`;
    }
    const page = pageOf.get(place);
    if (page) return `[${words}](${page}${anchor ? '#' + anchor : ''})`;
    if (!fs.existsSync(path.join(root, place))) throw new Error(`${from}: no such file: ${target}`);
    return words === place || words === target ? `\`${place}\`` : `${words} (\`${place}\`)`;
  });
}

// Where a document says <!-- robot: FILE -->, the page that runs in a browser opens with this robot once it is asked for.
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

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(pages, { recursive: true });

// Guide.
const guide = [];
const order = (name) => ['INSTALL', 'TUTORIAL', 'GALLERY', 'FAQ', 'COMPARISON', 'FORMATS'].findIndex((start) => name.startsWith(start)) + 1 || 99;
for (const name of [...docs].sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1))) {
  const from = path.join('tools/docs', name), text = read(from);
  put(pageOf.get(from).slice(1) + '.md', await moving(linked(text, from), from));
  guide.push({ text: title(text), link: pageOf.get(from) });
}
put('guide/pipelines.md', linked(read('tools/PIPELINES.md'), 'tools/PIPELINES.md'));
guide.push({ text: title(read('tools/PIPELINES.md')), link: '/guide/pipelines' });

// Formats.
const table = JSON.parse(kinemorph('formats', '--json'));
const words = { native: 'yes', lowered: 'exact', partial: 'partly', lost: 'lost', refused: 'refused' };
const folders = { urdf: 'urdf', 'urdf+': 'urdf', sdf: 'sdformat', mjcf: 'mjcf', mbs: 'robotran', usda: 'usd' };
const slug = (name) => name.replace('+', '-plus');
const formats = [];
for (const format of table.formats) {
  const columns = Object.keys(table.capabilities).filter((name) => name.split(/[ @]/)[0] === format.name);
  let text = `# ${format.title}\n\n\`--to ${format.name}\``;
  if (format.versions?.length) text += `, or one of its versions: ${format.versions.map((v) => '`' + format.name + '@' + v + '`').join(' ')}`;
  text += `. Files: ${format.extensions.map((e) => '`' + e + '`').join(' ')}\n\n## What it can hold\n\n`;
  text += 'yes: the format has it; exact: expressed exactly by other means; partly: exact where possible, the rest is reported; '
    + 'lost: reported as a loss; refused: nothing is written.\n\n';
  text += `| what a model uses | ${columns.map(plain).join(' | ')} | how |\n|---|${columns.map(() => '---|').join('')}---|\n`;
  for (const feature of Object.keys(table.capabilities[columns[0]])) {
    const cells = columns.map((column) => table.capabilities[column][feature]);
    const notes = [...new Set(cells.map((cell) => cell.note).filter(Boolean))];
    text += `| \`${feature}\` | ${cells.map((cell) => words[cell.support]).join(' | ')} | ${plain(notes.join('; '))} |\n`;
  }
  const notes = path.join('formats', folders[format.name] ?? format.name, 'README.md');
  if (fs.existsSync(path.join(root, notes))) text += '\n## Notes and traps\n\n' + linked(read(notes), notes).replace(/^#\s+.*$/m, '').replace(/^## /gm, '### ');
  put(`formats/${slug(format.name)}.md`, text);
  formats.push({ text: format.title, link: `/formats/${slug(format.name)}` });
}
put('formats/index.md', '# Formats\n\n' + formats.map((f) => `- [${f.text}](${f.link})`).join('\n') + '\n');

// Messages.
const codes = JSON.parse(kinemorph('explain', '--json'));
for (const entry of codes) {
  let text = `# ${entry.code}\n\n${plain(entry.meaning)}\n\n**Remedy:** ${plain(entry.remedy || 'nothing need be done')}\n`;
  if (entry.example) text += '\n## Example\n\n' + code(entry.example);
  text += `\nThe same in the terminal: \`kinemorph explain ${entry.code}\`. [All messages](/messages/)\n`;
  put(`messages/${entry.code}.md`, text);
}
put('messages/index.md', '# Messages\n\nWhat stands in brackets behind a message.\n\n| code | meaning |\n|---|---|\n'
  + codes.map((entry) => `| [${entry.code}](/messages/${entry.code}) | ${plain(entry.meaning)} |`).join('\n') + '\n');

// The command.
const help = kinemorph('--help');
const commands = [...help.slice(help.search(/Subcommands|SUBCOMMANDS/)).matchAll(/^ {2}([a-z]+)\s/gm)].map((match) => match[1]);
if (commands.length < 8) throw new Error('the help lists too few subcommands: ' + commands);
put('commands/index.md', '# The command\n\n' + code(help) + '\n' + commands.map((name) => `- [${name}](/commands/${name})`).join('\n') + '\n');
for (const name of commands) put(`commands/${name}.md`, `# kinemorph ${name}\n\n` + code(kinemorph(name, '--help')));

// The library: its public headers, with what they say of themselves at the top.
let library = '# The library\n\n' + linked(/## As a library\n([\s\S]*?)(?=\n## |$)/.exec(read('README.md'))[1], 'README.md') + '\n';
for (const layer of ['graph', 'formats', 'converters']) {
  library += `\n## ${layer}\n\n| header | what |\n|---|---|\n`;
  const include = path.join(root, layer, 'include');
  for (const file of fs.readdirSync(include, { recursive: true }).filter((name) => name.endsWith('.h')).sort()) {
    const head = /^((?:\/\/.*\n)+)/.exec(fs.readFileSync(path.join(include, file), 'utf8'))?.[1] ?? '';
    const paragraph = head.replace(/^\/\/ ?/gm, '').split(/\n\s*\n/)[0].replace(/\s+/g, ' ').trim();
    library += `| \`${file}\` | ${plain(paragraph)} |\n`;
  }
}
put('library.md', library);

put('index.md', await moving(linked(read('tools/site/index.md'), 'tools/site/index.md'), 'tools/site/index.md'));
if (viewer) fs.copyFileSync(viewer, path.join(pages, 'public/kinemorph.html'));
put('.vitepress/theme/index.mjs', "import theme from 'vitepress/theme';\nimport './robot.css';\nexport default theme;\n");
put('.vitepress/theme/robot.css', `.robot summary { cursor: pointer; color: var(--vp-c-brand-1); font-weight: 500; }
.robot iframe { width: 100%; height: 680px; border: 1px solid var(--vp-c-divider); border-radius: 8px; margin: 8px 0; }
`);
const sidebar = [{ text: 'Guide', items: guide }, { text: 'Formats', items: formats },
  { text: 'Reference', items: [{ text: 'The command', link: '/commands/' }, ...commands.map((name) => ({ text: name, link: `/commands/${name}` })),
    { text: 'Messages', link: '/messages/' }, { text: 'The library', link: '/library' }] }];
fs.writeFileSync(path.join(pages, '.vitepress/config.mjs'), `export default ${JSON.stringify({
  title: 'kinemorph', description: 'Robot descriptions between URDF, SDFormat, MJCF and MBS, without losing the kinematic loops',
  outDir: dist, cleanUrls: false, lastUpdated: false,
  themeConfig: { nav: [...(viewer ? [{ text: 'Try it', link: '/kinemorph.html', target: '_blank' }] : []), { text: 'Guide', link: guide[0].link }, { text: 'Formats', link: '/formats/' }, { text: 'Messages', link: '/messages/' }],
    sidebar, outline: [2, 3], search: { provider: 'local' } } })};\n`);
const modules = path.join(pages, 'node_modules');
if (!fs.existsSync(modules)) fs.symlinkSync(path.join(site, 'node_modules'), modules);
const { build } = await import('vitepress');
await build(pages);

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
