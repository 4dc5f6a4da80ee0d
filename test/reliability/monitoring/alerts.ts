// Runs promtool, the tool of Prometheus. It checks the alert rules, runs their unit tests, and parses the queries of the dashboard.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Outcome } from '../reliability-test.ts';
import { openFolder } from '../setup/databases.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const RULES = join(DEPLOY, 'prometheus/alerts.yml');
const RULE_TESTS = join(DEPLOY, 'prometheus/alerts_test.yml');

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** Converts the queries of the dashboard to recording rules, because promtool parses only the expressions of rules. */
async function dashboardRules(): Promise<{ queries: number; rules: string }> {
  const { panels } = JSON.parse(await readFile(join(DEPLOY, 'grafana/feastday.json'), 'utf8')) as { panels: readonly Panel[] };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rules = queries.map((expr, index) => ({ record: `dashboard:query${index}`, expr }));
  // promtool reads YAML. Every JSON text is also valid YAML.
  return { queries: queries.length, rules: JSON.stringify({ groups: [{ name: 'dashboard', rules }] }) };
}

const promtool = async (...args: string[]): Promise<void> => {
  await promisify(execFile)('promtool', args).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`promtool ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
};

export async function alerts(): Promise<Outcome> {
  const { root, remove } = await openFolder('feastday-alerts-');
  await promtool('check', 'rules', RULES);
  await promtool('test', 'rules', RULE_TESTS);
  const { queries, rules } = await dashboardRules();
  const file = join(root, 'dashboard.yml');
  await writeFile(file, rules);
  await promtool('check', 'rules', file);
  await remove();
  const [ruleText, testText] = [await readFile(RULES, 'utf8'), await readFile(RULE_TESTS, 'utf8')];
  const names = [...ruleText.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const evaluations = [...testText.matchAll(/alertname: (\w+)(?: \}\n|\n\s+(exp_alerts))/g)];
  const isProved = (name: string): boolean =>
    [true, false].every((fires) => evaluations.some(([, tested, expected]) => tested === name && (expected !== undefined) === fires));
  const unproved = names.filter((name) => !isProved(name));
  const line = `${names.length} alerts, ${evaluations.length} evaluations, ${unproved.length} alerts without one that fires and one that does not${unproved.length > 0 ? ` (${unproved.join(', ')})` : ''}; ${queries} queries of the dashboard parsed`;
  return { line, holds: names.length > 0 && queries > 0 && unproved.length === 0 };
}
