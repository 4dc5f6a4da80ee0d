import { describe, expect, test } from 'vitest';
import { InvalidEnvError, readEnv } from './env.ts';

const faultOf = (source: NodeJS.ProcessEnv): string => {
  try {
    readEnv(source);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEnvError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
};

test("the configuration uses the contract's default values when no environment variable is set (contract §1)", () => {
  expect(readEnv({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: null,
    dataDir: 'data',
    smtpUrl: null,
    mailFrom: 'Feastday <feastday@localhost>',
    admin: null,
    trustProxy: 0,
    sessionDays: 7,
    savesPerMinute: 120,
    backupHours: 24,
    backupKeep: 14,
    backupCommand: null,
    restoreDrillDays: 7,
    corsOrigins: [],
    sourceUrl: null,
    securityContact: null,
    logLevel: 'info',
    metricsToken: null,
    secondFactorKey: null,
  });
});

test('the configuration treats an environment variable with an empty value as not set', () => {
  expect(readEnv({ PORT: '', DATABASE_URL: ' ', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' })).toEqual(readEnv({}));
});

test('the configuration reads every environment variable (contract §1)', () => {
  const source = {
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://Orders.example.org/',
    DATABASE_URL: 'postgres://ann:p%40ss@db.example.org:5432/feastday?sslmode=require',
    DATA_DIR: '/var/lib/feast day',
    SMTP_URL: 'smtps://ann:secret@mail.example.org',
    MAIL_FROM: 'Beth El <orders@example.org>',
    ADMIN_EMAIL: ' Admin@Example.org ',
    ADMIN_PASSWORD: ' Three-Sheep-42 ',
    TRUST_PROXY: '2',
    SESSION_DAYS: '30',
    SAVES_PER_MINUTE: '60',
    BACKUP_HOURS: '6',
    BACKUP_KEEP: '30',
    BACKUP_COMMAND: process.execPath,
    RESTORE_DRILL_DAYS: '30',
    CORS_ORIGINS: 'https://a.example.org, http://localhost:5173/',
    SOURCE_URL: 'https://git.example.org/feastday',
    SECURITY_CONTACT: 'mailto:security@example.org',
    LOG_LEVEL: 'debug',
    METRICS_TOKEN: 'sixteen-or-more-letters',
    SECOND_FACTOR_KEY: 'thirty-two-or-more-letters-of-a-key',
  };
  expect(readEnv(source)).toEqual({
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'https://orders.example.org',
    databaseUrl: 'postgres://ann:p%40ss@db.example.org:5432/feastday?sslmode=require',
    dataDir: '/var/lib/feast day',
    smtpUrl: 'smtps://ann:secret@mail.example.org',
    mailFrom: 'Beth El <orders@example.org>',
    admin: { email: 'admin@example.org', password: 'Three-Sheep-42' },
    trustProxy: 2,
    sessionDays: 30,
    savesPerMinute: 60,
    backupHours: 6,
    backupKeep: 30,
    backupCommand: process.execPath,
    restoreDrillDays: 30,
    corsOrigins: ['https://a.example.org', 'http://localhost:5173'],
    sourceUrl: 'https://git.example.org/feastday',
    securityContact: 'mailto:security@example.org',
    logLevel: 'debug',
    metricsToken: 'sixteen-or-more-letters',
    secondFactorKey: 'thirty-two-or-more-letters-of-a-key',
  });
});

test('the configuration derives the default PUBLIC_URL from PORT, and the default sender of mails from PUBLIC_URL (contract §1)', () => {
  expect(readEnv({ PORT: '4000' }).publicUrl).toBe('http://localhost:4000');
  expect(readEnv({ PUBLIC_URL: 'https://orders.example.org' }).mailFrom).toBe('Feastday <feastday@orders.example.org>');
});

test('the configuration accepts a PostgreSQL socket in DATABASE_URL (contract §1)', () => {
  expect(readEnv({ DATABASE_URL: 'postgresql:///feastday?host=/run/postgresql' }).databaseUrl).toContain('/run/postgresql');
});

describe('the server refuses an invalid value in one line with the variable, the problem and a valid example (contract §1)', () => {
  test.each<[NodeJS.ProcessEnv, string]>([
    [{ PORT: 'abc' }, 'PORT must be a whole number between 0 and 65535, not "abc". Example: PORT=3000'],
    [{ PORT: '65536' }, 'PORT must be a whole number between 0 and 65535, not "65536". Example: PORT=3000'],
    [{ PORT: '-1' }, 'PORT must be a whole number between 0 and 65535, not "-1". Example: PORT=3000'],
    [{ PORT: '0x50' }, 'PORT must be a whole number between 0 and 65535, not "0x50". Example: PORT=3000'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be a whole number between 0 and 10, not "true". Example: TRUST_PROXY=0'],
    [{ SESSION_DAYS: '0' }, 'SESSION_DAYS must be a whole number between 1 and 365, not "0". Example: SESSION_DAYS=7'],
    [{ SAVES_PER_MINUTE: '-1' }, 'SAVES_PER_MINUTE must be a whole number between 0 and 100000, not "-1". Example: SAVES_PER_MINUTE=120'],
    [{ BACKUP_HOURS: 'daily' }, 'BACKUP_HOURS must be a whole number between 0 and 8760, not "daily". Example: BACKUP_HOURS=24'],
    [
      { BACKUP_COMMAND: 'copy-backup' },
      'BACKUP_COMMAND must be the absolute path of a program that this user may run, not "copy-backup". Example: BACKUP_COMMAND=/usr/local/bin/copy-backup',
    ],
    [{ BACKUP_KEEP: '0' }, 'BACKUP_KEEP must be a whole number between 1 and 10000, not "0". Example: BACKUP_KEEP=14'],
    [{ SESSION_DAYS: '1.5' }, 'SESSION_DAYS must be a whole number between 1 and 365, not "1.5". Example: SESSION_DAYS=7'],
    [{ HOST: 'http://a' }, 'HOST must be an address or a name of this machine, not "http://a". Example: HOST=127.0.0.1'],
    [
      { PUBLIC_URL: 'orders.example.org' },
      'PUBLIC_URL must be an http or https address without a path, not "orders.example.org". Example: PUBLIC_URL=https://orders.example.org',
    ],
    [
      { PUBLIC_URL: 'https://example.org/shop' },
      'PUBLIC_URL must be an http or https address without a path, not "https://example.org/shop". Example: PUBLIC_URL=https://orders.example.org',
    ],
    [
      { MAIL_FROM: 'Beth El' },
      'MAIL_FROM must be an e-mail address, with or without a name, not "Beth El". Example: MAIL_FROM=Feastday <orders@example.org>',
    ],
    [
      { MAIL_FROM: 'A\r\nBcc: x <a@example.org>' },
      'MAIL_FROM must be an e-mail address, with or without a name, not "A\\r\\nBcc: x <a@example.org>". Example: MAIL_FROM=Feastday <orders@example.org>',
    ],
    [
      { SOURCE_URL: 'javascript:alert(1)' },
      'SOURCE_URL must be an http or https address, not "javascript:alert(1)". Example: SOURCE_URL=https://git.example.org/feastday',
    ],
    [
      { SECURITY_CONTACT: 'http://example.org/report' },
      'SECURITY_CONTACT must be an e-mail address or an https address, not "http://example.org/report". Example: SECURITY_CONTACT=security@example.org',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud". Example: LOG_LEVEL=info'],
    [
      { CORS_ORIGINS: 'https://a.example.org, *' },
      'CORS_ORIGINS must be a list of origins separated by commas, and "*" is none. Example: CORS_ORIGINS=https://shop.example.org,https://www.example.org',
    ],
    [
      { ADMIN_EMAIL: 'ann', ADMIN_PASSWORD: 'Three-Sheep-42' },
      'ADMIN_EMAIL must be an e-mail address, not "ann". Example: ADMIN_EMAIL=you@example.org',
    ],
    [
      { SECOND_FACTOR_KEY: 'too short' },
      'SECOND_FACTOR_KEY must be 32 to 200 visible characters of your own. Example: SECOND_FACTOR_KEY=9b7d41c6a3e85f0c8a2e9b7d41c6a3e8',
    ],
    ...['short', '5f0c8a2e9b7d41c6a3e8'].map((token): [NodeJS.ProcessEnv, string] => [
      { METRICS_TOKEN: token },
      'METRICS_TOKEN must be 16 to 200 visible characters of your own. Example: METRICS_TOKEN=5f0c8a2e9b7d41c6a3e8',
    ]),
    [{ ADMIN_EMAIL: 'ann@example.org' }, 'ADMIN_PASSWORD must be set together with ADMIN_EMAIL. Example: ADMIN_PASSWORD=Three-Sheep-42'],
    [{ ADMIN_PASSWORD: 'Three-Sheep-42' }, 'ADMIN_EMAIL must be set together with ADMIN_PASSWORD. Example: ADMIN_EMAIL=you@example.org'],
  ])('as for the environment %o', (source, message) => {
    expect(faultOf(source)).toBe(message);
  });
});

describe("the admin's password must satisfy the rules of spec §5", () => {
  test.each([
    ['  Ab3456  ', 'must be at least 8 characters'],
    ['three-sheep-42', 'must contain at least one uppercase letter'],
    ['THREE-SHEEP-42', 'must contain at least one lowercase letter'],
    ['Three-Sheep-And', 'must contain at least one number'],
  ])('so the password "%s" is refused', (password, fault) => {
    const message = faultOf({ ADMIN_EMAIL: 'ann@example.org', ADMIN_PASSWORD: password });
    expect(message).toBe(`ADMIN_PASSWORD ${fault}. Example: ADMIN_PASSWORD=Three-Sheep-42`);
  });
});

describe('a message about an invalid value never shows a secret', () => {
  test.each<[string, NodeJS.ProcessEnv]>([
    ['a database of another kind', { DATABASE_URL: 'mysql://ann:hunter2@db/x' }],
    ['an address that cannot be read', { DATABASE_URL: 'postgres://ann:hunter2@db:port/x' }],
    ['a mail server of another kind', { SMTP_URL: 'https://ann:hunter2@mail' }],
    ['a mail server without a host', { SMTP_URL: 'smtp://' }],
    ['a name in the public address', { PUBLIC_URL: 'https://ann:hunter2@example.org' }],
    ['a name in something that is no address', { PUBLIC_URL: 'https://ann:hunter2@exa mple:x' }],
    ['a name in an origin', { CORS_ORIGINS: 'https://ann:hunter2@example.org' }],
    ['a weak password', { ADMIN_EMAIL: 'ann@example.org', ADMIN_PASSWORD: 'hunter2' }],
  ])('for this invalid value: %s', (_, source) => {
    const message = faultOf(source);
    expect(message).toContain('Example: ');
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain('\n');
  });
});
