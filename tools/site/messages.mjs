// The pages of the messages, from `kinemorph explain --json`: one page for each area, and a table of all.
import { code, plain, words } from './text.mjs';

const titles = { losses: 'Losses', refusals: 'Refusals', loops: 'Loops', 'side-cars': 'Side-cars', joints: 'Joints', mjcf: 'MuJoCo MJCF', xacro: 'xacro', shapes: 'Shapes and meshes',
  text: 'Text and XML', usd: 'USD', simulation: 'Simulation', files: 'Files', inertia: 'Masses and inertias', proof: 'Proof', names: 'Names', lint: 'Lint', export: 'Export', batch: 'Batch', other: 'Other' };
const titleOf = (area) => titles[area] ?? area[0].toUpperCase() + area.slice(1);

/** Areas, the largest first and the rest last: {area, title, link, codes}. */
export function areasOf(codes) {
  const areas = new Map();
  for (const entry of codes) areas.set(entry.area ?? 'other', [...(areas.get(entry.area ?? 'other') ?? []), entry]);
  return [...areas].map(([area, entries]) => ({ area, title: titleOf(area), link: `/messages/${area}`, codes: entries }))
    .sort((a, b) => (a.area === 'other') - (b.area === 'other') || b.codes.length - a.codes.length);
}

/** Markdown of one area. */
export function areaPage(area) {
  let text = `# Messages: ${area.title}\n\n<SectionFilter label="Search these ${area.codes.length} messages" />\n\n`;
  for (const entry of area.codes) {
    text += `## ${entry.code} {#${entry.code}}\n\n${words(entry.meaning[0].toUpperCase() + entry.meaning.slice(1))}.\n\n`.replace(/([.?!])\.\n/, '$1\n');
    if (entry.why) text += `**Why it matters:** ${words(entry.why)}\n\n`;
    text += `**What to do:** ${words(entry.remedy || 'nothing')}\n\n`;
    if (entry.ignore) text += `**When to ignore it:** ${words(entry.ignore)}\n\n`;
    if (entry.example) text += code(entry.example) + '\n';
  }
  return text;
}

/** Markdown of the page of all messages. */
export function messagesPage(areas) {
  const all = areas.flatMap((area) => area.codes.map((entry) => ({ ...entry, link: `${area.link}#${entry.code}` }))).sort((a, b) => (a.code < b.code ? -1 : 1));
  return `# Messages\n\nEach message of kinemorph ends with a code in brackets. This page finds the code. In the terminal, \`kinemorph explain CODE\` prints the same, and \`kinemorph explain WORD\` searches.\n\n`
    + `<FilterTable label="Search ${all.length} messages">\n\n| code | meaning |\n|---|---|\n` + all.map((entry) => `| [${entry.code}](${entry.link}) | ${plain(entry.meaning)} |`).join('\n') + '\n\n</FilterTable>\n\n'
    + '## By area\n\n' + areas.map((area) => `[${area.title}](${area.link}) (${area.codes.length})`).join(' · ') + '\n';
}
