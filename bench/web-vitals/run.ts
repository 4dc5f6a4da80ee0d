// npm run web-vitals: measures how fast the built application feels in a browser. The command never fails because of a figure.
import type { Browser } from '@playwright/test';
import { closeAll, given, keep, tell } from '../command.ts';
import { startBrowser } from './browser.ts';
import { HOW_TO_GET_IT, lighthousePath, measureLighthouse } from './lighthouse.ts';
import { textOf, type Figure } from './print.ts';
import { measureRoutes } from './routes.ts';
import { measureSlowLine } from './slow-line.ts';
import { measureTables } from './tables.ts';
import { measureTyping } from './typing.ts';
import { measureVitals } from './vitals.ts';
import { startSeededServers, type SeededServers } from './seed.ts';

const PARTS = { typing: measureTyping, vitals: measureVitals, line: measureSlowLine, tables: measureTables, routes: measureRoutes };

const isWanted = (part: string): boolean => given('parts')?.split(',').includes(part) ?? true;

/**
 * Runs the parts named by the option `--parts=typing,tables`, or all parts: typing, vitals, line, tables, routes and lighthouse.
 * `--rounds=5` repeats them five times.
 */
async function measureAll(browser: Browser, servers: SeededServers): Promise<Figure[]> {
  const figures: Figure[] = [];
  const lighthouse = lighthousePath();
  if (isWanted('lighthouse') && lighthouse === null) tell(HOW_TO_GET_IT);
  for (let round = 1; round <= Number(given('rounds') ?? 3); round++) {
    for (const [part, measure] of Object.entries(PARTS)) {
      if (!isWanted(part)) continue;
      figures.push(...(await measure(browser, servers)));
      tell(`round ${round}, ${part}`);
    }
    if (!isWanted('lighthouse') || lighthouse === null) continue;
    figures.push(...(await measureLighthouse(lighthouse, servers)));
    tell(`round ${round}, Lighthouse`);
  }
  return figures;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void closeAll().then(() => process.exit(130)));
try {
  const servers = await startSeededServers();
  const browser = await startBrowser();
  keep({ stop: () => browser.close() });
  tell('the product, the bare page and the browser are ready');
  console.log(textOf(await measureAll(browser, servers)));
} finally {
  await closeAll();
}
