// One comment on a pull request, through the gh command: written once, then kept up to date.
import { createHash } from 'node:crypto';
import process from 'node:process';
import { run } from './tool.mjs';

// Two jobs of one workflow do not write over each other's comment.
function marker() {
  const job = createHash('sha256').update(`${process.env.GITHUB_WORKFLOW ?? ''}\n${process.env.GITHUB_JOB ?? ''}`).digest('hex').slice(0, 16);
  return `<!-- kinemorph ${job} -->`;
}

// Others may write the marker too: only a robot's comment, or one of somebody who belongs here, is taken for ours.
const ours = (comment) => comment.body?.startsWith(marker())
  && (comment.user?.type === 'Bot' || ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(comment.author_association));

/** Why it could not be written; empty where it was, or where there is nothing to say. */
export function commentOn(number, text, anything) {
  const repository = process.env.GITHUB_REPOSITORY ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return 'GITHUB_REPOSITORY names no repository';
  const gh = (words, body) => run('gh', ['api', ...words], body === undefined ? {} : { input: JSON.stringify({ body }) });
  const listed = gh(['--paginate', '--slurp', `repos/${repository}/issues/${number}/comments?per_page=100`]);
  if (listed.code !== 0) return listed.err.trim().slice(0, 300);
  let earlier;
  try {
    earlier = JSON.parse(listed.out).flat().find(ours);
  } catch {
    return 'gh answered no JSON';
  }
  if (!earlier && !anything) return '';
  const body = `${marker()}\n${text}`;
  if (earlier?.body.trim() === body.trim()) return '';
  const written = earlier
    ? gh(['--method', 'PATCH', `repos/${repository}/issues/comments/${Number(earlier.id)}`, '--input', '-'], body)
    : gh(['--method', 'POST', `repos/${repository}/issues/${number}/comments`, '--input', '-'], body);
  return written.code === 0 ? '' : written.err.trim().slice(0, 300);
}
