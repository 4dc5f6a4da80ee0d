// Runs Lighthouse for five pages on a phone with a slow connection. Lighthouse is not a dependency, because it would install two hundred
// packages.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/chromium.ts';
import type { Figure } from './print.ts';
import { CUSTOMER, DISTRIBUTOR, type SeededServers } from './seed.ts';

export const HOW_TO_GET_IT = 'no Lighthouse here: "npm install --no-save lighthouse@12.8.2", or LIGHTHOUSE_PATH=…/lighthouse/cli/index.js';

const PAGES: readonly { page: string; path: string; userId?: number; bestPractices: number }[] = [
  // The goal for best practices is below 100. The specification requires a response with status 401 for a signed-out user; the browser logs
  // it, and Lighthouse counts the message as a fault.
  { page: 'sign-in', path: '/auth', bestPractices: 95 },
  { page: 'customer dashboard', path: '/customer', userId: CUSTOMER, bestPractices: 100 },
  { page: 'order page, 200 products', path: '/customer/order/1', userId: CUSTOMER, bestPractices: 100 },
  { page: 'distributor dashboard', path: '/distributor', userId: DISTRIBUTOR, bestPractices: 100 },
  { page: 'distribution detail', path: '/distributor/distribution/1', userId: DISTRIBUTOR, bestPractices: 100 },
];

const Score = z.object({ score: z.number() });
const Report = z.object({ categories: z.object({ performance: Score, accessibility: Score, 'best-practices': Score }) });

/** Returns the path of the Lighthouse command, or null when Lighthouse is not installed. */
export function lighthousePath(): string | null {
  const given = process.env['LIGHTHOUSE_PATH'];
  const own = join(import.meta.dirname, '../../node_modules/lighthouse/cli/index.js');
  return [given, own].find((path) => path !== undefined && existsSync(path)) ?? null;
}

async function judge(lighthouse: string, address: string, userId: number | undefined) {
  const headers = userId === undefined ? {} : { Cookie: `sid=s${userId}` };
  const flags = ['--headless=new', ...CHROMIUM_ARGS].join(' ');
  const categories = '--only-categories=performance,accessibility,best-practices';
  const asked = [address, '--quiet', '--output=json', '--output-path=stdout', categories, `--chrome-flags=${flags}`];
  const { stdout } = await promisify(execFile)(process.execPath, [lighthouse, ...asked, `--extra-headers=${JSON.stringify(headers)}`], {
    env: { ...process.env, CHROME_PATH: chromiumPath() },
    maxBuffer: 64 * 1024 * 1024,
  });
  return Report.parse(JSON.parse(stdout)).categories;
}

/** Runs Lighthouse up to three times, because it sometimes loses the trace of a page (NO_NAVSTART). Returns null after three failures. */
async function judgement(...asked: Parameters<typeof judge>): Promise<Awaited<ReturnType<typeof judge>> | null> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const scores = await judge(...asked).catch(() => null);
    if (scores) return scores;
  }
  return null;
}

export async function measureLighthouse(lighthouse: string, { url }: SeededServers): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { page, path, userId, bestPractices } of PAGES) {
    const scores = await judgement(lighthouse, url + path, userId);
    if (!scores) {
      console.error(`Lighthouse could not judge: ${page}`);
      continue;
    }
    const { performance, accessibility, 'best-practices': practices } = scores;
    const of = (name: string, limit: number, score: number): Figure => ({
      figure: `Lighthouse, ${page}, ${name}`,
      unit: 'points',
      limit,
      ours: Math.round(score * 100),
      bare: null,
    });
    figures.push(
      of('performance', 95, performance.score),
      of('accessibility', 100, accessibility.score),
      of('best practices', bestPractices, practices.score),
    );
  }
  return figures;
}
