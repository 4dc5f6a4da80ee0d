import { expect, test } from 'vitest';
import { withoutServerFields } from './strip-server-fields.ts';

test('the build plugin removes the properties of an endpoint that only the server and its API document use, and keeps all others', () => {
  const code = `const SAYS = { summary: 'kept' };
export const listTills = endpoint({ method: 'GET', path: '/api/tills', summary: 'All tills',
  description: \`Of \${SAYS}\`, roles: ['agent'], idempotent: true, refusals: { 409: CLOSED }, statusOfChange: 200 });`;
  const left = withoutServerFields('contract.ts', code);
  expect(left.replaceAll(/\s+/g, ' ')).toBe(
    "const SAYS = { summary: 'kept' }; export const listTills = endpoint({ method: 'GET', path: '/api/tills', idempotent: true, });",
  );
});
