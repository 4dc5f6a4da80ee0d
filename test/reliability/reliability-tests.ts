// Lists all reliability tests. docs/reliability.md describes the row of each test. It also lists the rows that npm test alone proves.
import { counter } from './counter/counter.ts';
import { limits } from './load/limits.ts';
import { savesDuringReports, spike } from './load/crowd.ts';
import { mailFloods } from './abuse/mail-floods.ts';
import { abuse } from './abuse/abuse.ts';
import { clock } from './faults/clock.ts';
import { csvDialects } from './attacks/csv-dialects.ts';
import { runVitestTests } from './vitest-tests.ts';
import { formulas } from './attacks/formulas.ts';
import { fullDisk } from './faults/full-disk.ts';
import { injection } from './attacks/injection.ts';
import { killedMigration } from './faults/killed-migration.ts';
import { killed } from './faults/killed.ts';
import { moved } from './faults/moved-backup.ts';
import { alerts } from './monitoring/alerts.ts';
import { movedTenant } from './faults/moved-tenant.ts';
import { processes } from './processes/processes.ts';
import type { ReliabilityTest } from './reliability-test.ts';
import { pgbouncer } from './cluster/pgbouncer.ts';
import { patroni } from './cluster/patroni.ts';
import { proxy } from './load/proxy.ts';
import { slowClients } from './load/slow-clients.ts';
import { standby } from './standby/standby.ts';
import { startedTwice } from './faults/started-twice.ts';
import { stopped } from './faults/stopped.ts';
import { synced } from './faults/fsync.ts';
import { upgrade } from './faults/upgrade.ts';

const RACES = 'test/races.test.ts';
const LONG_LISTS = ['tenant-growth', 'expensive-reads'].map((name) => ({ file: `test/${name}.test.ts`, title: 'blocks the event loop' }));
const OUTBOX = 'src/server/mail/outbox-worker.test.ts';

export const RELIABILITY_TESTS: readonly ReliabilityTest[] = [
  {
    row: 'R5',
    what: '1,000 bodies for send-emails',
    needs: [],
    minutes: 2,
    run: runVitestTests('1,000 bodies', [
      { file: 'test/hostile-bodies.test.ts', title: 'a distributor can mail only its own customers and agents' },
    ]),
  },
  {
    row: 'R6',
    what: 'ordering is closed, or the distribution unpublished, amid 200 saves, 20 times each',
    needs: [],
    minutes: 3,
    run: runVitestTests('20 closings and 20 withdrawals, each amid 200 saves', [{ file: RACES, title: 'while customers save' }]),
  },
  {
    row: 'limits',
    what: '1,000 customers at 64 at once for 100 units on two servers, 20 rounds, half of them with closing',
    needs: ['ps'],
    minutes: 5,
    run: limits,
  },
  {
    row: 'clock',
    what: 'ordering closes by the clock amid 200 saves on two servers, which run on, stop or are killed over the closing, 7 times each',
    needs: ['ps'],
    minutes: 4,
    run: clock,
  },
  {
    row: 'freeze',
    what: 'the largest input of every call, with four kinds of text each; lists of 5,000 orders, and of 40 orders with 5,000 lines',
    needs: [],
    minutes: 2,
    run: runVitestTests('four kinds of text', [{ file: 'test/event-loop.test.ts', title: 'the largest input of' }, ...LONG_LISTS]),
  },
  {
    row: 'R3',
    what: 'unknown fields in every call that changes something',
    needs: [],
    minutes: 1,
    run: runVitestTests('every call', [{ file: 'test/permissions.test.ts', title: 'do not change what a request writes to any table' }]),
  },
  {
    row: 'R8',
    what: 'two windows change the same version 100 times',
    needs: [],
    minutes: 1,
    run: runVitestTests('100 rounds', [
      { file: RACES, title: 'of two changes of the same order version, one is saved and the other is refused' },
    ]),
  },
  {
    row: 'R9',
    what: '50 equal requests at once, 200 times; 10,000 different ones without a conflict',
    needs: [],
    minutes: 4,
    run: runVitestTests('200 rounds of 50 equal requests, and 10,000 different ones', [
      { file: 'src/server/http/pipeline/idempotency.test.ts', title: 'has one effect and one reply when sent fifty times at once' },
      { file: RACES, title: 'ten concurrent saves with an idempotency key each all succeed' },
    ]),
  },
  {
    row: 'R10',
    what: '10,000 quantities',
    needs: [],
    minutes: 3,
    run: runVitestTests('10,000 quantities', [
      { file: 'test/hostile-bodies.test.ts', title: 'stores a whole number between 0 and the maximum' },
    ]),
  },
  {
    row: 'R11',
    what: '500 bodies with a product twice',
    needs: [],
    minutes: 1,
    run: runVitestTests('500 bodies', [{ file: 'test/hostile-bodies.test.ts', title: 'a product that is repeated in an order' }]),
  },
  {
    row: 'R12',
    what: '1,000 orders on every surface after every step of the day',
    needs: [],
    minutes: 5,
    run: runVitestTests('1,000 orders', [{ file: 'test/equal-amounts.test.ts', title: 'equal an exact calculation with fractions' }]),
  },
  {
    row: 'R17',
    what: 'kill -9 of Node alone and of everything amid 200 order writes, 20 times each',
    needs: ['ps'],
    minutes: 6,
    run: killed,
  },
  { row: 'R18', what: 'a disk write between each of 200 orders and its answer', needs: ['strace', 'ps'], minutes: 1, run: synced },
  { row: 'R19', what: '20 double starts, 20 starts after kill -9 of everything', needs: ['ps'], minutes: 3, run: startedTwice },
  { row: 'R20', what: 'a thousand orders moved to the other kind of database and back', needs: ['ps'], minutes: 2, run: moved },
  { row: 'move', what: 'a distributor with 3,000 orders moves while others order', needs: ['ps'], minutes: 2, run: movedTenant },
  { row: 'R21', what: 'a full disk, 10 times', needs: ['root', 'mount', 'ps'], minutes: 5, run: fullDisk },
  { row: 'R22', what: 'kill -9 before and amid each statement of the migrations', needs: ['ps'], minutes: 4, run: killedMigration },
  { row: 'R23', what: 'ten report readers beside 50 customers who save', needs: ['ps'], minutes: 1, run: savesDuringReports },
  {
    row: 'R25',
    what: 'faults in every phase among 1,000 mails',
    needs: [],
    minutes: 3,
    run: runVitestTests('1,000 mails', [
      { file: OUTBOX, title: 'mails with faults in every phase' },
      { file: 'src/start-worker.test.ts', title: 'when a worker is killed with SIGKILL at any of ten moments' },
    ]),
  },
  {
    row: 'R26',
    what: '1,800 hostile mails and 200 hostile addresses',
    needs: [],
    minutes: 2,
    run: runVitestTests('2,000 names, subjects and addresses', [
      { file: 'src/server/mail/smtp-transport.test.ts', title: 'hostile names, subjects and bodies' },
      { file: 'src/server/mail/smtp-transport.test.ts', title: 'invalid addresses before connecting to a server' },
    ]),
  },
  {
    row: 'R30',
    what: '1,000 wrong tries from as many addresses, the owner in after each 50; then the owner in beside tries that never pause',
    needs: [],
    minutes: 4,
    run: runVitestTests('1,000 wrong tries, the owner in 20 times of 20, and 20 times of 20 beside tries that never pause', [
      { file: 'src/features/auth/guessing.test.ts', title: 'a lock caused by others from many IP addresses' },
      { file: 'src/features/auth/device.test.ts', title: 'while others continuously guess passwords and request links' },
    ]),
  },
  {
    row: 'R31',
    what: '10,000 guesses at one account, 1,260 at 252 accounts from one network',
    needs: [],
    minutes: 5,
    run: runVitestTests('10,000 guesses at one account, 1,260 at 252 accounts from one network', [
      { file: 'src/features/auth/routes.test.ts', title: 'begins after five of many concurrent guesses' },
      { file: 'src/features/auth/flood.test.ts', title: 'can lock fewer than 20' },
    ]),
  },
  {
    row: 'R37',
    what: '3,500 bodies and 2,000 addresses for every call',
    needs: [],
    minutes: 25,
    run: runVitestTests('3,500 bodies and 2,000 addresses for each call', [{ file: 'test/fuzz.test.ts', title: 'replies to random' }]),
  },
  {
    row: 'R38',
    what: '10,000 rows in 45 dialects, uploads killed amid their rows and done again',
    needs: ['ps'],
    minutes: 4,
    run: csvDialects,
  },
  {
    row: 'R39',
    what: 'a spreadsheet program opens 8,000 hostile cells, split at commas, semicolons or tabs',
    needs: ['soffice'],
    minutes: 1,
    run: formulas,
  },
  {
    row: 'R40',
    what: 'sqlmap on every parameter and wapiti, signed in as each role',
    needs: ['sqlmap', 'wapiti'],
    minutes: 12,
    run: injection,
  },
  {
    row: 'R41',
    what: '20 dates, from six zones to six, each saved five times',
    needs: [],
    minutes: 2,
    run: runVitestTests('720 rounds of five saves', [
      { file: 'test/date-zones.test.ts', title: 'the date of a distribution stays the same' },
    ]),
  },
  {
    row: 'R42',
    what: 'two members of staff weigh one order at once, 500 times',
    needs: [],
    minutes: 2,
    run: runVitestTests('500 rounds', [{ file: RACES, title: 'two members of staff weigh one order at once' }]),
  },
  {
    row: 'joining',
    what: '2,100 joins of one network and 2,500 invitations, with a joiner and a reset of others beside them',
    needs: ['ps'],
    minutes: 2,
    run: mailFloods,
  },
  {
    row: 'outbox',
    what: '100,000 mails of 1,000 distributors are queued; claims are timed',
    needs: [],
    minutes: 1,
    run: runVitestTests('100,000 queued mails, sign-in mails first, distributors in turn', [
      { file: 'src/server/mail/outbox-rows.test.ts', title: '' },
    ]),
  },
  {
    row: 'counter',
    what: 'two stations of the counter serve the same families, of five weighed units each, through 30 cuts of 5 to 60 s each, reloads and kills of the browser, three kills of the server and a new release',
    needs: ['ps', 'chromium'],
    on: 'given',
    minutes: 30,
    run: counter,
  },
  { row: 'R48', what: 'SIGTERM while 50 customers save, 20 times', needs: ['ps'], minutes: 3, run: stopped },
  { row: 'R49', what: 'ten bursts of 200 saves', needs: ['ps'], minutes: 1, run: spike },
  {
    row: 'R50',
    what: 'ten customers save beside the 200 slow connections of slowhttptest',
    needs: ['slowhttptest', 'ps'],
    minutes: 1,
    run: slowClients,
  },
  { row: 'processes', what: 'four servers and two workers on one database', needs: ['ps'], minutes: 5, run: processes },
  {
    row: 'standby',
    what: 'a primary killed amid orders, three times; its standby takes over',
    needs: ['ps', 'pg_basebackup'],
    on: 'given',
    minutes: 2,
    run: standby,
  },
  {
    row: 'patroni',
    what: "a cluster of Patroni, etcd and HAProxy amid orders: primary and etcd's leader killed, switched over, cut off, suspended, twice each",
    needs: ['ps', 'patroni', 'etcd', 'etcdctl', 'haproxy', 'pg_basebackup'],
    on: 'given',
    minutes: 6,
    run: patroni,
  },
  {
    row: 'pgbouncer',
    what: 'two servers and a worker behind pgbouncer amid orders: pgbouncer and PostgreSQL killed, three times each',
    needs: ['ps', 'pgbouncer'],
    on: 'given',
    minutes: 3,
    run: pgbouncer,
  },
  {
    row: 'upgrade',
    what: 'a new version starts beside the one before, amid orders',
    needs: ['git', 'tar', 'ps'],
    minutes: 1,
    run: upgrade,
  },
  {
    row: 'proxy',
    what: 'two servers restarted behind nginx as docs/operations.md has it',
    needs: ['nginx', 'ps'],
    on: 'given',
    minutes: 1,
    run: proxy,
  },
  { row: 'alerts', what: 'promtool tests the alert rules', needs: ['promtool'], on: 'given', minutes: 1, run: alerts },
  {
    row: 'abuse',
    what: 'each flood of test/reliability/abuse/floods.ts beside ten customers who save on two servers with a mail worker',
    needs: ['ps'],
    minutes: 6,
    run: abuse,
  },
];
