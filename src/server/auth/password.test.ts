import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { hashPassword, passwordMatches, SIGN_INS_BUSY } from './password.ts';

const verified = vi.hoisted((): string[] => []);
/** The passwords in the order in which they are hashed. */
const hashed = vi.hoisted((): string[] => []);
/** The mocked verification and the mocked hashing wait until this promise is resolved. */
const held = vi.hoisted((): { until: Promise<void> | undefined } => ({ until: undefined }));
/** The mocked hashing fails this many times before it succeeds. */
const refused = vi.hoisted(() => ({ count: 0 }));
/** The results of the verifications with these hashes, which need no thread. */
const results = vi.hoisted(() => new Map<string, boolean>());
vi.mock('./password-thread-pool.ts', async (original) => {
  const threads = await original<typeof import('./password-thread-pool.ts')>();
  const verifyOnThread: typeof threads.verifyOnThread = async (stored, password) => {
    verified.push(stored);
    await held.until;
    return results.get(stored) ?? (await threads.verifyOnThread(stored, password));
  };
  const hashOnThread: typeof threads.hashOnThread = async (password, cost) => {
    if (refused.count-- > 0) throw new Error('too many open files');
    hashed.push(password);
    await held.until;
    return await threads.hashOnThread(password, cost);
  };
  return { ...threads, hashOnThread, verifyOnThread };
});

const CLIENT = { address: '192.0.2.1', signal: new AbortController().signal };

test('a password is hashed with argon2id; the hash ignores surrounding spaces, and matches no other password (spec §5; contract §3)', async () => {
  const stored = await hashPassword(' Three-Sheep-42 ');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(stored).not.toContain('Three');
  const tries = ['Three-Sheep-42', '  Three-Sheep-42', 'three-sheep-42', ''].map((typed) => passwordMatches(typed, stored, CLIENT));
  expect(await Promise.all(tries)).toEqual([true, true, false, false]);
  expect(await passwordMatches('', null, CLIENT)).toBe(false);
});

test('for an unknown account, an account without a password and a wrong password, the server runs one hash verification of the same cost (contract §3)', async () => {
  const stored = await hashPassword('Three-Sheep-42');
  const costOf = (hashed: string): string => hashed.split('$').slice(0, 4).join('$');
  // This test compares the number and cost of hash verifications. The script bench/enumeration.ts measures the time.
  for (const hash of [stored, null, null]) {
    verified.length = 0;
    expect(await passwordMatches('Wrong-Word-1', hash, CLIENT)).toBe(false);
    expect(verified.map(costOf)).toEqual([costOf(stored)]);
  }
});

test('passwordMatches rejects a stored hash that is invalid, and still serves the next caller', async () => {
  const stored = await hashPassword('Three-Sheep-42');
  for (let round = 0; round < 3; round++) {
    await expect(passwordMatches('Three-Sheep-42', 'no hash', CLIENT)).rejects.toThrow();
    expect(await passwordMatches('Three-Sheep-42', stored, CLIENT)).toBe(true);
  }
});

describe('the password queue', () => {
  const from = (address: string, stored: string) => passwordMatches('Three-Sheep-42', stored, { ...CLIENT, address });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.until = promise;
    return resolve;
  };
  /** Returns the nth address of one /64 network. */
  const neighbor = (n: number): string => `2001:db8::${(n + 1).toString(16)}`;

  /** Returns an address in the nth /56 of one IPv6 /48. */
  const inBlock = (n: number): string => `2001:db8:48:${((n % 256) * 256 + Math.floor(n / 256)).toString(16)}::1`;
  /** Sends all sign-ins at once. Returns their names in the order in which the passwords are verified. */
  const orderOf = async (signIns: readonly (readonly [name: string, address: string])[]): Promise<(string | undefined)[]> => {
    const hashes = new Map<string, string>();
    for (const [name] of signIns) if (!hashes.has(name)) hashes.set(name, await hashPassword('Three-Sheep-42'));
    const names = new Map(Array.from(hashes, ([name, hash]) => [hash, name]));
    for (const hash of hashes.values()) results.set(hash, true);
    await passwordMatches('', null, CLIENT);
    const resume = hold();
    verified.length = 0;
    const all = signIns.map(([name, address]) => from(address, hashes.get(name) ?? ''));
    resume();
    await Promise.all(all);
    return verified.map((hash) => names.get(hash));
  };

  test('serves networks in turn, and treats all addresses of an IPv6 /64 as one', async () => {
    const flood = Array.from({ length: 40 }, (_, n) => ['flood', neighbor(n)] as const);
    const order = await orderOf([...flood, ['family', '192.0.2.9']]);
    expect(order.slice(0, 4)).toContain('family');
  });

  test('serves the blocks of IPv6 (/48) in turn, however many networks of one block wait, and the networks of a block in turn (reliability abuse)', async () => {
    const flood = Array.from({ length: 60 }, (_, n) => ['flood', inBlock(n % 30)] as const);
    const order = await orderOf([...flood, ['neighbor', inBlock(30)], ['family', '2001:db8:49::1'], ['hall', '192.0.2.9']]);
    expect(order.slice(0, 6)).toEqual(['flood', 'flood', 'flood', 'family', 'hall', 'flood']);
    // The neighbor has one turn in each round of the 31 networks of the block.
    expect(order.slice(0, 36)).toContain('neighbor');
  });

  /** Checks passwords one after the other. `hashOf` returns a hash that begins with `right` or `wrong`. */
  const check = async (address: string, count: number, hashOf: (n: number) => string) => {
    for (let n = 0; n < count; n++) {
      const hash = hashOf(n);
      results.set(hash, hash.startsWith('right'));
      expect(await from(address, hash)).toBe(hash.startsWith('right'));
    }
  };
  const NETWORKS = Array.from({ length: 10 }, (_, n) => `198.51.100.${n}`);
  /** The number of the sign-ins of the hall among the first 40, while the ten networks send many sign-ins. */
  const ofHall = async (hall: string): Promise<number> => {
    const flood = NETWORKS.flatMap((address) => Array.from({ length: 8 }, () => ['flood', address] as const));
    const order = await orderOf([...flood, ...Array.from({ length: 30 }, () => ['hall', hall] as const)]);
    return order.slice(0, 40).filter((name) => name === 'hall').length;
  };

  test('serves the networks that send wrong passwords, or sign in with one account again and again, as one network together; a hall in which some people mistype their passwords is not one of them (reliability abuse)', async () => {
    const hall = '203.0.113.5';
    await check(hall, 100, (n) => (n % 2 ? `right of hall ${n}` : 'wrong'));
    expect(await ofHall(hall)).toBeLessThan(8);
    for (const [n, address] of NETWORKS.entries()) await check(address, 40, () => (n % 2 ? 'right of one account' : 'wrong'));
    expect(await ofHall(hall)).toBeGreaterThan(15);
  });

  test('accepts sign-ins from elsewhere when a thousand networks of one IPv6 block (/48) fill it with one sign-in each (reliability abuse)', async () => {
    const stored = await hashPassword('Three-Sheep-42');
    await from('192.0.2.1', stored);
    const resume = hold();
    const client = new AbortController();
    const flood = Array.from({ length: 1010 }, (_, n) =>
      passwordMatches('Three-Sheep-42', stored, { address: inBlock(n), signal: client.signal }).catch(() => undefined),
    );
    const others = ['192.0.2.9', '2001:db8:49::1'].map((address) => from(address, stored));
    held.until = undefined;
    resume();
    expect(await Promise.all(others)).toEqual([true, true]);
    client.abort();
    await Promise.all(flood);
  });

  test('has a limit: a network that fills the queue gets 503 with Retry-After, and other networks are served', async () => {
    const stored = await hashPassword('Three-Sheep-42');
    await from('192.0.2.1', stored);
    const resume = hold();
    const client = new AbortController();
    const refused: unknown[] = [];
    const flood = Array.from({ length: 1010 }, (_, n) =>
      passwordMatches('Three-Sheep-42', stored, { address: neighbor(n), signal: client.signal }).catch(
        (error: unknown) => void (client.signal.aborted || refused.push(error)),
      ),
    );
    const others = ['192.0.2.9', '2001:db8:0:100::1'].map((address) => from(address, stored));
    held.until = undefined;
    resume();
    expect(await Promise.all(others)).toEqual([true, true]);
    client.abort();
    await Promise.all(flood);
    expect(refused).toHaveLength(10);
    for (const error of refused) expect(error).toMatchObject({ status: 503, retryAfter: 2, message: SIGN_INS_BUSY });
  });

  test(
    'hashes new passwords for the networks in turn, and hashes no password of a client that has disconnected (reliability abuse)',
    { tags: ['long'] },
    async () => {
      const stored = await hashPassword('Three-Sheep-42');
      await from('192.0.2.1', stored);
      const resume = hold();
      const client = new AbortController();
      const setPassword = (address: string, password: string, signal = CLIENT.signal) => hashPassword(password, { address, signal });
      hashed.length = 0;
      const flood = Array.from({ length: 40 }, (_, n) => setPassword(neighbor(n), 'flood'));
      const gone = expect(setPassword('192.0.2.8', 'gone', client.signal)).rejects.toMatchObject({ status: 499 });
      const family = [setPassword('192.0.2.9', 'family'), from('192.0.2.9', stored)];
      client.abort();
      resume();
      await Promise.all([gone, ...flood, ...family]);
      expect(hashed.indexOf('family')).toBeLessThan(10);
      expect(hashed).not.toContain('gone');
    },
  );

  test(
    'users whom the server knows take turns with all others behind the same IPv4 address, however many passwords others or they themselves send (reliability abuse)',
    { tags: ['long'] },
    async () => {
      const stored = await hashPassword('Three-Sheep-42');
      await from('192.0.2.1', stored);
      const resume = hold();
      hashed.length = 0;
      const send = (password: string, userId: number | null) => hashPassword(password, { ...CLIENT, userId });
      const flood = Array.from({ length: 80 }, (_, n) => send('flood', n % 2 === 0 ? null : 5));
      const family = send('family', 7);
      resume();
      await Promise.all([...flood, family]);
      expect(hashed.indexOf('family')).toBeLessThan(5);
    },
  );

  test('drops jobs of disconnected clients', async () => {
    const stored = await hashPassword('Three-Sheep-42');
    await from('192.0.2.1', stored);
    const resume = hold();
    const running = [from('192.0.2.1', stored), from('192.0.2.1', stored)];
    const client = new AbortController();
    const gone = passwordMatches('Three-Sheep-42', stored, { ...CLIENT, signal: client.signal });
    client.abort();
    await expect(gone).rejects.toMatchObject({ status: 499 });
    resume();
    expect(await Promise.all(running)).toEqual([true, true]);
  });
});

test('idle hashing threads do not keep the process from exiting', async () => {
  const file = new URL('password.ts', import.meta.url).href;
  const script = `import { hashPassword } from ${JSON.stringify(file)}; console.log((await hashPassword('Three-Sheep-42')).slice(0, 9));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 });
  expect(stdout).toBe('$argon2id\n');
});

test.runIf(process.platform === 'linux')('password hashing runs at a lower operating system priority than the event loop', async () => {
  await hashPassword('Three-Sheep-42');
  const niceOf = async (thread: string): Promise<number | null> => {
    // The thread may end before its file is read.
    const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => null);
    return stat === null ? null : Number(stat.split(') ')[1]?.split(' ')[16]);
  };
  const all = await Promise.all((await readdir('/proc/self/task')).map(niceOf));
  const own = getPriority();
  expect(all).toContain(Math.min(19, own + 5));
  expect(await niceOf(String(process.pid))).toBe(own);
});

test('when a hashing thread cannot start, the password queue rejects only the caller that needs this thread (contract §3)', async () => {
  vi.resetModules();
  const fresh = await import('./password.ts');
  const stored = await hashPassword('Three-Sheep-42');
  refused.count = 1;
  await expect(fresh.passwordMatches('Three-Sheep-42', stored, CLIENT)).rejects.toThrow('too many open files');
  expect(await fresh.passwordMatches('Three-Sheep-42', stored, CLIENT)).toBe(true);
  expect(await fresh.passwordMatches('Three-Sheep-42', null, CLIENT)).toBe(false);
});
