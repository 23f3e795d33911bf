// A table of comma-separated values, by RFC 4180: a name may hold commas, quotes and ends of lines.
export function rowsIn(text) {
  const rows = [[]];
  const field = /"((?:[^"]|"")*)"|[^,"\r\n]*/y;
  for (let at = 0; at < text.length;) {
    field.lastIndex = at;
    const found = field.exec(text);
    rows.at(-1).push(found[1] === undefined ? found[0] : found[1].replaceAll('""', '"'));
    at = field.lastIndex;
    if (text[at] === ',') {
      ++at;
      if (at === text.length) rows.at(-1).push('');
    } else if (at < text.length) {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}
