// What a page may do, said by the page itself: scripts are those that were written with it, and nothing is asked of a network.
import { createHash } from 'node:crypto';

export const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The tag, of {directive: sources}. It stands before all that it is about. */
export function policyTag(rules) {
  const words = Object.entries({ 'default-src': "'none'", ...rules, 'base-uri': "'none'", 'form-action': "'none'" });
  return `<meta http-equiv="Content-Security-Policy" content="${words.map(([name, sources]) => `${name} ${sources}`).join('; ')}">`;
}

/** The hashes of the scripts that stand in a page. */
export const scriptHashes = (html) => [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, text]) => hashOf(text)).join(' ');
