// Markdown of the summary and of the comment.

/**
 * A text of others as code: GitHub makes mentions and links of all other text after the Markdown was read. Whatever Markdown or HTML would
 * take for its own is written as its number.
 */
export function shown(text, most = 200) {
  // Control characters, line ends of Unicode, marks that turn the direction of writing.
  const plain = [...String(text)].map((c) => (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(c) ? `\\u{${c.codePointAt(0).toString(16)}}` : c));
  const cut = plain.length > most ? [...plain.slice(0, most), '...'] : plain;
  return `<code>${cut.join('').replace(/[^\p{L}\p{N} ]/gu, (c) => `&#${c.codePointAt(0)};`)}</code>`;
}

const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const WEIGHTS = ['motion', 'interface', 'looks'];

function resultOf(entry, strict) {
  if (entry.exit_code === 3) return `refused (strict: ${strict})`;
  if (!entry.report) return 'errors';
  return entry.report.losses.length === 0 ? 'nothing is lost' : counted(entry.report.losses.length, 'loss', 'losses');
}

// "velocity-limit (3), damping": what is lost, the most frequent first.
function features(losses) {
  const count = new Map();
  for (const loss of losses) count.set(loss.feature, (count.get(loss.feature) ?? 0) + 1);
  return [...count].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name, n]) => shown(name) + (n > 1 ? ` (${n})` : '')).join(', ');
}

/** Of all files: what each target loses. A summary holds 1 MiB. */
export function summaryText(targets, strict, most = 4e5) {
  let text = '';
  const share = most / Object.keys(targets).length;
  for (const [to, files] of Object.entries(targets)) {
    const names = Object.keys(files).sort();
    text += `## kinemorph: to ${shown(to)}\n\n`;
    if (names.length === 0) text += 'No descriptions of robots were found.\n\n';
    else text += '| file | result | motion | interface | looks | what |\n|---|---|---|---|---|---|\n';
    const begin = text.length;
    let left = names.length;
    for (const name of names) {
      if (text.length - begin > share) break;
      --left;
      const losses = files[name].report?.losses ?? [];
      const weights = WEIGHTS.map((weight) => losses.filter((loss) => loss.weight === weight).length || '');
      text += `| ${shown(name)} | ${resultOf(files[name], strict)} | ${weights.join(' | ')} | ${features(losses)} |\n`;
    }
    if (left > 0) text += `\n... and ${counted(left, 'file')} more.\n`;
    text += '\n';
  }
  return text;
}

// What makes two losses the same: not the line, nor the value.
const keyOf = (loss) => JSON.stringify([loss.feature, loss.weight, loss.subject?.kind, loss.subject?.name]);
// Of `here` what `there` has not, as often as it has it.
function without(here, there) {
  const left = new Map();
  for (const loss of there) left.set(keyOf(loss), (left.get(keyOf(loss)) ?? 0) + 1);
  return here.filter((loss) => {
    const count = left.get(keyOf(loss)) ?? 0;
    left.set(keyOf(loss), count - 1);
    return count <= 0;
  });
}

/** What differs between two revisions: {to, file, kind, fresh, past} for each file and target. */
export function compared(before, after) {
  const changes = [];
  for (const to of Object.keys(after)) {
    const old = before[to] ?? {};
    for (const file of [...new Set([...Object.keys(old), ...Object.keys(after[to])])].sort()) {
      const was = old[file], is = after[to][file];
      const change = { to, file, fresh: [], past: [], kind: !is ? 'removed' : was ? 'changed' : is.report ? 'new' : 'newly broken' };
      if (is && was && !is.report && was.report) change.kind = 'broken';
      if (is && was && is.report && !was.report) change.kind = 'mended';
      if (is?.report) change.fresh = without(is.report.losses, was?.report?.losses ?? []);
      if (is?.report && was?.report) change.past = without(was.report.losses, is.report.losses);
      if (change.kind !== 'changed' || change.fresh.length || change.past.length) changes.push(change);
    }
  }
  return changes;
}

const KINDS = { removed: 'removed', new: 'new', 'newly broken': 'new, and has errors', broken: 'can no longer be converted: it has errors now', mended: 'can be converted now', changed: '' };

function lossLines(title, losses, most) {
  if (losses.length === 0) return '';
  const order = [...losses].sort((a, b) => WEIGHTS.indexOf(a.weight) - WEIGHTS.indexOf(b.weight));
  let text = `\n${title}\n\n`;
  for (const loss of order.slice(0, most)) {
    const place = loss.file ? ` (${shown(loss.file)}${loss.line > 0 ? `, line ${Number(loss.line)}` : ''})` : '';
    text += `- ${WEIGHTS.includes(loss.weight) ? loss.weight : ''}: ${shown(`${loss.element}: ${loss.what}`, 400)}${place}\n`;
  }
  return losses.length > most ? `${text}- ... and ${losses.length - most} more\n` : text;
}

/** The comment's text, of at most so many characters. */
export function changesText(changes, most) {
  let text = '### What this change loses in conversions\n';
  if (changes.length === 0) return `${text}\nNothing: every robot loses what it lost before.\n`;
  let left = changes.length;
  for (const change of changes) {
    let part = `\n#### ${shown(change.file)} to ${shown(change.to)}${KINDS[change.kind] ? `: ${KINDS[change.kind]}` : ''}\n`;
    part += lossLines(change.kind === 'new' ? 'It loses:' : 'Lost now:', change.fresh, 30) + lossLines('Lost no more:', change.past, 30);
    if (change.kind === 'new' && change.fresh.length === 0) part += '\nNothing is lost.\n';
    if (text.length + part.length > most - 100) break;
    text += part;
    --left;
  }
  return left > 0 ? `${text}\n... and ${counted(left, 'file')} more: see the summary of the run.\n` : text;
}
