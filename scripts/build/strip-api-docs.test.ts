import { expect, test } from 'vitest';
import { withoutApiDocs } from './strip-api-docs.ts';

test('the plugin removes from an endpoint only the properties that the API document uses', () => {
  const code = `const SAYS = { summary: 'kept' };
export const listTills = endpoint({ method: 'GET', path: '/api/tills', summary: 'All tills',
  description: \`Of \${SAYS}\`, roles: ['agent'], refusals: { 409: CLOSED } });`;
  const left = withoutApiDocs('contract.ts', code);
  expect(left.replaceAll(/\s+/g, ' ')).toBe(
    "const SAYS = { summary: 'kept' }; export const listTills = endpoint({ method: 'GET', path: '/api/tills', roles: ['agent'], });",
  );
});
