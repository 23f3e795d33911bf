// VitePress's own theme without its fonts, and what it lacks.
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import Source from './Source.vue';
import FilterTable from './FilterTable.vue';
import SectionFilter from './SectionFilter.vue';
import './site.css';

// A block of commands is copied without its prompts and its output.
function copyCommands() {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('div.language-console > button.copy');
    if (!button) return;
    const lines = [...button.parentElement.querySelectorAll('pre .line')].map((line) => line.textContent);
    const commands = lines.filter((line) => /^[$>] /.test(line)).map((line) => line.slice(2));
    event.stopImmediatePropagation();
    navigator.clipboard?.writeText(commands.join('\n') + '\n');
    button.classList.add('copied');
    setTimeout(() => button.classList.remove('copied'), 2000);
  }, true);
}

// What scrolls is reached by the keyboard; the home page has a main part, as the others do.
function reachable() {
  document.querySelector('.VPHome')?.setAttribute('role', 'main');
  for (const each of document.querySelectorAll('.vp-doc pre, .vp-doc table, .vp-doc .wide'))
    if (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1) each.tabIndex = 0;
    else if (each.tagName !== 'PRE') each.removeAttribute('tabindex');
}

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'doc-after': () => h(Source) }),
  enhanceApp({ app, router }) {
    app.component('FilterTable', FilterTable);
    app.component('SectionFilter', SectionFilter);
    if (typeof document === 'undefined') return;
    copyCommands();
    const later = () => setTimeout(reachable, 100);
    router.onAfterRouteChange = later;
    addEventListener('resize', later);
    addEventListener('load', later);
  },
};
