// Removes from the browser's scripts the fields of the calls in a contract.ts that only the server and its API document read.
import { parseSync, Visitor } from 'vite';
import type { Plugin } from 'vite';

const CONTRACT = /[/\\]contract\.ts$/;
const OF_SERVER: ReadonlySet<string> = new Set([
  'summary',
  'description',
  'refusals',
  'statusOfChange',
  'roles',
  'agentPermission',
  'isOpenBeforeSecondFactor',
  'bodyLimit',
  'maxValues',
  'isExpensive',
  'rows',
  'isImport',
  'isExemptFromSaveLimit',
  'isEmergency',
]);

export function withoutServerFields(file: string, code: string): string {
  const removed: { start: number; end: number }[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [call] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || call?.type !== 'ObjectExpression') return;
      for (const part of call.properties)
        if (part.type === 'Property' && part.key.type === 'Identifier' && OF_SERVER.has(part.key.name)) removed.push(part);
    },
  }).visit(parseSync(file, code).program);
  // The parts are removed from the end of the file to its beginning, so that the positions of the remaining parts stay valid.
  return removed
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end).replace(/^\s*,/, ''), code);
}

export const stripServerFields = (): Plugin => ({
  name: 'strip-server-fields',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (CONTRACT.test(id) ? { code: withoutServerFields(id, code), map: null } : null),
});
