import { expect, test } from 'vitest';
import { forgetSession, recentUserOf, rememberSession } from './recent-sessions.ts';

test('a person with thousands of sessions does not make the server forget the sessions of others (reliability abuse)', () => {
  const family = { userId: 1, role: 'customer', tenantId: 1 } as const;
  const attacker = { userId: 2, role: 'customer', tenantId: 2 } as const;
  rememberSession('family', family);
  for (let n = 0; n < 20_001; n++) rememberSession(`cookie ${n}`, attacker);
  expect(recentUserOf('family')).toMatchObject(family);
  expect([recentUserOf('cookie 19950'), recentUserOf('cookie 19951')]).toMatchObject([null, attacker]);
  forgetSession('family');
  expect(recentUserOf('family')).toBeNull();
});
