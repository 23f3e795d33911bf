// The pages of the command, from `kinemorph completion json`: options as tables, each with an address.
import { code, html, words } from './text.mjs';

const placeOf = (option) => option.names.find((name) => name.startsWith('--'))?.slice(2) ?? option.names[0].replace(/^-+/, '').toLowerCase();

function meaning(option) {
  const notes = [];
  if (option.choices?.length && !option.choices.every((choice) => option.about.includes(choice))) notes.push('One of ' + option.choices.map((choice) => `<code>${html(choice)}</code>`).join(', ') + '.');
  if (option.default) notes.push(`Default: <code>${html(option.default)}</code>.`);
  if (option.required) notes.push('Required.');
  if (option.repeatable) notes.push('Repeatable.');
  return words(option.about) + (notes.length ? ` <span class="note">${notes.join(' ')}</span>` : '');
}

function row(option) {
  const place = placeOf(option), value = option.value ? (option.value_optional ? `[=${option.value}]` : ' ' + option.value) : '';
  const names = option.names.map((name) => `<code>${html(name)}</code>`).join(', ');
  return `<tr id="${html(place)}"><td><a class="place" href="#${html(place)}">${names}</a>${value ? `<code class="value">${html(value)}</code>` : ''}</td><td>${meaning(option)}</td></tr>`;
}
const table = (head, rows) => `<div class="options"><table><thead><tr><th>${head}</th><th>meaning</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>\n`;

/** Markdown of one command. */
export function commandPage(command) {
  let text = `# kinemorph ${command.name}\n\n${words(command.about)}\n\n` + code('$ ' + command.usage, 'console');
  if (command.examples?.length) {
    text += '\n## Examples\n\n';
    for (const each of command.examples) text += `${words(each.about[0].toUpperCase() + each.about.slice(1))}:\n\n` + code('$ ' + each.line, 'console') + '\n';
  }
  const positionals = command.options.filter((option) => !option.names.some((name) => name.startsWith('-')));
  if (positionals.length) text += '\n## Arguments\n\n' + table('argument', positionals.map(row));
  const groups = new Map();
  for (const option of command.options) if (!positionals.includes(option)) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  for (const [group, options] of groups) text += `\n## ${group}\n\n` + table('option', options.map(row));
  return text;
}

/** Markdown of the page of all commands. */
export function commandsPage(data) {
  return `# Commands\n\n${words(data.about)}\n\n` + '`kinemorph COMMAND --help` prints the same in the terminal.\n\n| command | what it does |\n|---|---|\n'
    + data.commands.map((each) => `| [${each.name}](/commands/${each.name}) | ${words(each.about).replace(/\|/g, '\\|')} |`).join('\n') + `

## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | the input has errors, or \`verify\` found a difference |
| 2 | the command was used wrongly |
| 3 | \`--strict\`, and something would be lost |
| 4 | internal error |
`;
}
