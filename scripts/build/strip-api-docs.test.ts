import { expect, test } from 'vitest';
import { withoutApiDocs } from './strip-api-docs.ts';

test('the build plugin removes the properties of an endpoint that only the API document uses, and keeps all others', () => {
  const code = `const SAYS = { summary: 'kept' };
export const listTills = endpoint({ method: 'GET', path: '/api/tills', summary: 'All tills',
  description: \`Of \${SAYS}\`, roles: ['agent'], refusals: { 409: CLOSED }, statusOfChange: 200 });`;
  const left = withoutApiDocs('contract.ts', code);
  expect(left.replaceAll(/\s+/g, ' ')).toBe(
    "const SAYS = { summary: 'kept' }; export const listTills = endpoint({ method: 'GET', path: '/api/tills', roles: ['agent'], });",
  );
});
