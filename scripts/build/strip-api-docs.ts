// Removes from the browser's scripts the parts of a contract.ts that only the API document needs: the summaries, descriptions,
// refusals and further statuses of the calls.
import { parseSync, Visitor } from 'vite';
import type { Plugin } from 'vite';

const CONTRACT = /[/\\]contract\.ts$/;
const OF_DOCUMENT: ReadonlySet<string> = new Set(['summary', 'description', 'refusals', 'statusOfChange']);

export function withoutApiDocs(file: string, code: string): string {
  const removed: { start: number; end: number }[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [call] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || call?.type !== 'ObjectExpression') return;
      for (const part of call.properties)
        if (part.type === 'Property' && part.key.type === 'Identifier' && OF_DOCUMENT.has(part.key.name)) removed.push(part);
    },
  }).visit(parseSync(file, code).program);
  // The parts are removed from the end of the file to its beginning, so that the positions of the remaining parts stay valid.
  return removed
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end).replace(/^\s*,/, ''), code);
}

export const stripApiDocs = (): Plugin => ({
  name: 'strip-api-docs',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (CONTRACT.test(id) ? { code: withoutApiDocs(id, code), map: null } : null),
});
