// How far two texts are apart that two compilers computed.
// 0: the same bytes. Else how far the numbers are apart, relative to the largest of the text's neighbours or 1; infinite: other words.
const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;
export function distance(a, b) {
  if (a === b) return 0;
  if (a.replace(number, '#') !== b.replace(number, '#')) return Infinity;
  const first = a.match(number), second = b.match(number);
  let most = Number.MIN_VALUE;
  first.forEach((text, i) => {
    const x = Number(text), y = Number(second[i]);
    if (text !== second[i]) most = Math.max(most, Math.abs(x - y) / Math.max(1, Math.abs(x), Math.abs(y)));
  });
  return most;
}
