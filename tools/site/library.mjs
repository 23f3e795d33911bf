// The reference of the library: each public header with its declarations and what their comments say.
import fs from 'node:fs';
import path from 'node:path';
import { code, plain } from './text.mjs';

const layers = [['converters', 'Convert, prove, move'], ['graph', 'The model and its mechanics'], ['formats', 'Formats and files']];

// A comment as Markdown: what is quoted stays.
const said = (lines) => lines.join(' ').replace(/\s+/g, ' ').trim().split(/(`[^`]*`)/).map((part) => part.startsWith('`') ? part : plain(part)).join('');

// The declarations of a namespace: runs of lines between blank ones outside of all braces but those of namespaces.
function declarations(text) {
  const items = [];
  let depth = 0, item = [];
  const finish = () => { if (item.some((line) => line.trim())) items.push(item); item = []; };
  for (const line of text.split('\n')) {
    if (/^\s*#/.test(line) || /^(inline )?namespace\b.*\{/.test(line) || (depth === 0 && /^\}\s*\/\/ namespace/.test(line))) { if (depth === 0) finish(); continue; }
    const bare = line.replace(/\/\/.*$/, '').replace(/"(\\.|[^"\\])*"/g, '""').replace(/'(\\.|[^'\\])'/g, "''");
    if (depth === 0 && line.trim() === '') { finish(); continue; }
    item.push(line);
    depth += (bare.match(/\{/g) ?? []).length - (bare.match(/\}/g) ?? []).length;
  }
  finish();
  return items;
}

function nameOf(lines) {
  const text = lines.filter((line) => !/^\s*\/\//.test(line)).join(' ').replace(/\[\[[a-z_]+\]\]/g, '').replace(/template\s*<[^>]*>/g, '');
  return (/^\s*(?:struct|class|enum class|enum)\s+([A-Za-z_]\w*)/.exec(text) ?? /^\s*using\s+(\w+)/.exec(text) ?? /([A-Za-z_]\w*(?:\s*operator[^\s(]+)?)\s*\(/.exec(text) ?? /(\w+)\s*(?:=|\{|;)/.exec(text))?.[1];
}

function headerPage(name, text) {
  const head = /^((?:\/\/.*\n)+)/.exec(text)?.[1] ?? '';
  let page = `# ${path.basename(name)}\n\n` + code(`#include <${name}>`, 'cpp') + '\n';
  const about = head.replace(/^\/\/ ?/gm, '').trim().split(/\n\s*\n/);
  for (const paragraph of about) page += /^ {2}/m.test(paragraph) && !/^\S/m.test(paragraph) ? code(paragraph.replace(/^ {1,3}/gm, ''), 'cpp') + '\n' : plain(paragraph.replace(/\s+/g, ' ')) + '\n\n';
  const seen = new Map();
  for (const item of declarations(text.slice(head.length))) {
    const first = item.findIndex((line) => !/^\s*\/\//.test(line));
    if (first < 0 || /^(struct|class) \w+;$/.test(item.join(' ').trim())) continue;
    const name = nameOf(item.slice(first)), comment = item.slice(0, first).map((line) => line.replace(/^\s*\/\/+<? ?/, ''));
    if (!name) continue;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    page += (count === 0 ? `## ${plain(name)} {#${name.toLowerCase()}}\n\n` : '') + (comment.length ? said(comment) + '\n\n' : '') + code(item.slice(first).join('\n'), 'cpp') + '\n';
  }
  return page;
}

/** All pages: {index, pages: [{name, file, link, text, layer}]}. `start` is the document that opens the reference. */
export function libraryPages(root, start) {
  const pages = [];
  for (const [layer] of layers) {
    const include = path.join(root, layer, 'include');
    for (const file of fs.readdirSync(include, { recursive: true }).filter((name) => name.endsWith('.h')).sort()) {
      const text = fs.readFileSync(path.join(include, file), 'utf8');
      const head = (/^((?:\/\/.*\n)+)/.exec(text)?.[1] ?? '').replace(/^\/\/ ?/gm, '').split(/\n\s*\n/)[0].replace(/\s+/g, ' ').trim();
      const short = file.replace(/^kinemorph\//, '').replace(/\.h$/, '');
      pages.push({ layer, name: short + '.h', file: path.join(layer, 'include', file), link: '/library/' + short.replaceAll('/', '-'), about: head, text: headerPage(file, text) });
    }
  }
  let index = start;
  for (const [layer, about] of layers) index += `\n## ${about}\n\n| header | content |\n|---|---|\n` + pages.filter((page) => page.layer === layer).map((page) => `| [${page.name}](${page.link}) | ${plain(page.about)} |`).join('\n') + '\n';
  return { index, pages, groups: layers.map(([layer, text]) => ({ text, items: pages.filter((page) => page.layer === layer).map(({ name, link }) => ({ text: name, link })) })) };
}
