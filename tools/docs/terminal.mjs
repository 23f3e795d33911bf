// A terminal as a picture: terminal.mjs OUT.svg COMMAND... runs COMMAND by the shell in the present folder and draws what it prints, both streams.
// Long lines fold at 100 columns, as a terminal folds them.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const [out, ...words] = process.argv.slice(2);
const command = words.join(' '), columns = 100, high = 19, wide = 8.2, edge = 18;
const said = execFileSync('sh', ['-c', `exec 2>&1; ${command}`], { encoding: 'utf8', env: { ...process.env, COLUMNS: String(columns) } });

// At words, with the remainder moved in.
function folded(line) {
  const lines = [];
  const indent = /^ */.exec(line)[0] + '      ';
  while (line.length > columns) {
    const cut = line.lastIndexOf(' ', columns);
    if (cut <= indent.length) break;
    lines.push(line.slice(0, cut));
    line = indent + line.slice(cut + 1);
  }
  return [...lines, line];
}
const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const colour = (line) => escape(line)
  .replace(/(warning:)/, '<tspan class="warning">$1</tspan>').replace(/(error:)/, '<tspan class="error">$1</tspan>')
  .replace(/(note:|help:)/, '<tspan class="note">$1</tspan>').replace(/(\[[a-z-]+\])$/, '<tspan class="code">$1</tspan>');

const lines = said.trimEnd().split('\n').flatMap(folded);
const height = edge * 2 + 26 + high * (lines.length + 1), width = Math.round(columns * wide + 2 * edge);
const at = (i) => edge + 40 + high * i;
const text = [`<text class="typed" x="${edge}" y="${at(0)}"><tspan class="prompt">$ </tspan>${escape(command)}</text>`,
  ...lines.map((line, i) => `<text x="${edge}" y="${at(i + 1)}">${colour(line)}</text>`)];
fs.writeFileSync(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escape(command)}</title>
<desc>${escape(said)}</desc>
<style>
  text { font: 13.5px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d7dce4; white-space: pre; }
  .typed { fill: #ffffff; } .prompt { fill: #7ee787; } .warning { fill: #f2cc60; } .error { fill: #ff7b72; } .note { fill: #79c0ff; } .code { fill: #9aa4b2; }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#161b22"/>
<circle cx="${edge + 6}" cy="20" r="6" fill="#ff5f57"/><circle cx="${edge + 26}" cy="20" r="6" fill="#febc2e"/><circle cx="${edge + 46}" cy="20" r="6" fill="#28c840"/>
${text.join('\n')}
</svg>
`);
