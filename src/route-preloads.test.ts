import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { routes } from './api.ts';
import { ROUTE_PRELOADS } from './route-preloads.ts';

const router = await readFile(new URL('router.tsx', import.meta.url), 'utf8');
const scripts = new Map(
  [...router.matchAll(/const (\w+) = lazyScreen\(async \(\) => \(await import\('\.\/([^']+)'\)/g)].map(([, name, file]) => [name, file]),
);
const screens = [
  { path: '/auth', role: 'public', script: 'src/features/auth/sign-in/auth-page.tsx' },
  ...[...router.matchAll(/path: '([^']+)', role: '(\w+)', Screen: (\w+)/g)].map(([, path, role, name]) => ({
    path,
    role,
    script: `src/${scripts.get(name)}`,
  })),
];

test('the table of preloads lists only routes of the router, with the same role and script', () => {
  for (const { path, role, script } of ROUTE_PRELOADS) expect(screens).toContainEqual({ path, role, script });
});

test('each request in the table of preloads may be sent by the role that the route is for', () => {
  for (const { role, reads } of ROUTE_PRELOADS) {
    for (const address of reads(1, 2)) {
      const found = routes.find(
        ({ endpoint }) => endpoint.method === 'GET' && RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '\\d+')}$`).test(address),
      );
      const roles = role === 'public' ? [] : [role];
      expect([address, found?.endpoint.roles]).toEqual([address, expect.arrayContaining(roles)]);
    }
  }
});
