// Words of a block of code stay whole where a line is folded: a path or an option is no place for a break.
const longest = 60;  // characters; a longer word may break, so that nothing is cut on a phone

const words = (text) => text.split(/(\s+)/).filter(Boolean).map((part) => /\S/.test(part) && part.length <= longest
  ? { type: 'element', tagName: 'span', properties: { class: 'whole' }, children: [{ type: 'text', value: part }] } : { type: 'text', value: part });

/** A transformer of Shiki: each token's words in spans, which site.css keeps on one line in commands. */
export const whole = {
  name: 'whole',
  span(node) { node.children = node.children.flatMap((child) => (child.type === 'text' ? words(child.value) : [child])); },
};
