// Checks that the alert rules and the dashboard name only existing metrics, and only existing rows of the runbook.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const ALERTS = read('deploy/prometheus/alerts.yml');
const DASHBOARD = read('deploy/grafana/feastday.json');

test.each([
  ['alert rules', ALERTS, 5],
  ['dashboard', DASHBOARD, 6],
])('every metric in the file of the %s is in /metrics or is one of Prometheus itself', async (_, text, least) => {
  await testApp.app.inject({ method: 'GET', url: '/api/health' });
  const { body } = await testApp.app.inject({ method: 'GET', url: '/metrics' });
  const named = [...text.matchAll(/\b([a-z_0-9]+)\{job=\\?"feastday/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThanOrEqual(least);
  const known = (name: string) => name === 'up' || new RegExp(`^${name}[{ ]`, 'm').test(body);
  expect(named.filter((name) => !known(name))).toEqual([]);
});

test('every alert names a row of the table "When something is wrong" in docs/operations.md', () => {
  const rows = read('docs/operations.md').split('## When something is wrong')[1] ?? '';
  const runbooks = [...ALERTS.matchAll(/runbook: '(.*)'/g)].map(([, row = '']) => row);
  expect(runbooks).toHaveLength(ALERTS.match(/- alert:/g)?.length ?? 0);
  expect(runbooks.filter((row) => !rows.includes(`| ${row} |`))).toEqual([]);
});
