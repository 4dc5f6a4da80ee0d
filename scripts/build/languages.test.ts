import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterEach, describe, expect, test } from 'vitest';
import type { InAnyLanguage } from '../../src/shared/language.ts';
import { languages } from './languages.ts';
import { inPseudo } from './pseudo-language.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const PROJECT = {
  // The test builds the real index.html with another script.
  'index.html': readFileSync('index.html', 'utf8')
    .replace('/src/start-client.tsx', '/main.ts')
    .replace(/<link rel="icon".*/, ''),
  'src/client/styles/first-tokens.css': readFileSync('src/client/styles/first-tokens.css', 'utf8'),
  'main.ts': `import { GREETING, onlyHere, type Said } from './orders/texts.ts';\nconst said: Said = GREETING;\nconsole.log(said, onlyHere('Ann'));`,
  'orders/texts.ts': `import { CLOSE } from '../client/texts.ts';\nexport type Said = string;\nexport const GREETING: Said = 'Good day';\nexport const onlyHere = (name: string): string => \`\${CLOSE} it, \${name}\`;`,
  'client/texts.ts': `export const CLOSE = 'Close';`,
};

/** Builds index.html and its one script in the given language. */
async function builtIn(language: string | undefined, more: Record<string, string> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'languages-'));
  roots.push(root);
  for (const [file, text] of Object.entries({ ...PROJECT, ...more })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const plugins = language === undefined ? [] : [languages(language)];
  await build({ root, configFile: false, logLevel: 'silent', plugins, build: { modulePreload: { polyfill: false } } });
  const [script = ''] = readdirSync(join(root, 'dist/assets'));
  const page = readFileSync(join(root, 'dist/index.html'), 'utf8');
  return { page, name: script, script: readFileSync(join(root, 'dist/assets', script), 'utf8') };
}

test('the language plugin does not change a byte of the English bundle', async () => {
  const english = await builtIn('en');
  expect(english).toEqual(await builtIn(undefined));
  expect(english.page).toContain('content="A platform to place your holiday orders."');
  expect(english.page).toContain('This takes longer than usual. Please load the page again.');
  expect(english.page).toContain('<noscript>Feastday needs JavaScript to take your order.</noscript>');
});

test('a build for another language uses the text catalogues of that language, and English texts where a translation is missing', async () => {
  const { page, script } = await builtIn('de', { 'orders/texts.de.ts': `export const GREETING: string = 'Guten Tag';` });
  expect(page).toContain('<html lang="de" dir="ltr">');
  expect(script).toContain('Guten Tag');
  expect(script).not.toContain('Good day');
  expect(script).toContain('Close');
});

test('the HTML page of a language that is written right to left has dir="rtl"', async () => {
  expect((await builtIn('he')).page).toContain('<html lang="he" dir="rtl">');
});

test('the pseudo-language translates every catalogue, and also the texts that the HTML page shows before any script runs', async () => {
  const { page, script } = await builtIn('en-XA');
  expect(page).toContain('<html lang="en-XA" dir="ltr">');
  expect(page).not.toContain('A platform');
  expect(page).not.toContain('needs JavaScript');
  expect(page).not.toContain('takes longer');
  const said: unknown[] = [];
  // oxlint-disable-next-line typescript/no-implied-eval -- the test runs the script that it has built, and records its output
  new Function('console', script)({ log: (...texts: unknown[]) => said.push(...texts) });
  expect(said).toEqual(['⟦Ĝôôď ďàý~⟧', expect.stringMatching(/^⟦Çļôšé îţ, Ann ?~+⟧$/)]);
});

test('the build reports an unknown language', () => {
  expect(() => languages('../x')).toThrow('FEASTDAY_LANGUAGE must be a language, not "../x". Example: FEASTDAY_LANGUAGE=de');
});

test('the type check fails when a translated text catalogue has other keys or types than the English one', () => {
  interface English {
    CLOSE: 'Close';
    LABELS: { Cash: 'Cash' };
    atMost: (max: number) => string;
  }
  const texts = { CLOSE: 'Schließen', LABELS: { Cash: 'Bar' }, atMost: (max: number) => `Höchstens ${max}` };
  const fits: InAnyLanguage<English> = texts;
  // @ts-expect-error -- a text must not be a number
  const isNoText: InAnyLanguage<English> = { CLOSE: 3 };
  // @ts-expect-error -- the label of Cash is missing
  const lacksOne: InAnyLanguage<English> = { LABELS: {} };
  // @ts-expect-error -- the function must accept a number
  const takesText: InAnyLanguage<English> = { atMost: (max: string) => max };
  expect([fits, isNoText, lacksOne, takesText]).toHaveLength(4);
});

describe('the pseudo-language', () => {
  const said = inPseudo('en-XA');

  test('makes every text about a third longer', () => {
    const text = 'Nothing that you saved is lost. Load the page again to go on.';
    const longer = String(said(text)).length / text.length;
    expect(longer).toBeGreaterThan(1.25);
    expect(longer).toBeLessThan(1.4);
  });

  test('leaves inserted values, placeholders and keys unchanged', () => {
    const hello = said((name: string) => `Hello ${name}, {firstName}`) as (name: string) => string;
    expect(hello('Ann')).toMatch(/^⟦Ĥéļļô Ann, \{firstName\} ?~+⟧$/);
    expect(Object.keys(said({ Cash: 'Cash' }) as object)).toEqual(['Cash']);
    expect(said(42)).toBe(42);
  });

  test('does not convert a text a second time when it is inserted into another text', () => {
    const filterBy = said((header: string) => `Filter by ${header}`) as (header: string) => string;
    expect(filterBy(String(said('Name')))).toMatch(/^⟦Ƒîļţéŕ ƀý ⟦Ñàɱé~⟧ ?~+⟧$/);
  });

  test('has a right-to-left variant, which displays each word reversed', () => {
    expect(inPseudo('ar-XB')('Place Order')).toBe('\u202EPlace\u202C \u202EOrder\u202C');
  });
});
