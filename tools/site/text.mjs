// Texts for VitePress.

/** Text that is no markup: VitePress takes < for a tag and {{ for a program. */
export const plain = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\{\{/g, '&#123;&#123;')
  .replace(/\|/g, '\\|').replace(/([*_[\]])/g, '\\$1');

/** The same within HTML. */
export const html = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/\{\{/g, '&#123;&#123;');

/** HTML with options and codes in a fixed face. */
export const words = (text) => html(text).replace(/(^|[\s(])(--[a-z][a-z-]*|-[a-z](?=[\s,;.)]|$))/g, '$1<code>$2</code>');

export const code = (text, language = 'text') => '```' + language + '\n' + text.trimEnd() + '\n```\n';

/** The title of a document. */
export const title = (text) => (/^#\s+(.*)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');

/** Markdown of a document: tags in running text are no tags, words behind `console` are for the test. */
export function safe(text) {
  let fenced = false;
  return text.replace(/^<!-- (file|save) .*-->\n/gm, '').split('\n').map((line) => {
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
      return line.replace(/^(\s*```console).*/, '$1');
    }
    if (fenced || /^ {4}/.test(line)) return line;
    return line.split(/(`[^`]*`)/).map((part) => part.startsWith('`') ? part : part.replace(/<(?!!--|img |\/?(details|summary|div)\b)/g, '&lt;')).join('');
  }).join('\n');
}
