import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { textProblems } from './check-texts.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function problemsOf(text: string, file = 'src/features/orders/page.tsx'): string[] {
  const root = mkdtempSync(join(tmpdir(), 'texts-'));
  roots.push(root);
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return textProblems(root);
}

test('every UI text of this repository is in a file named texts.ts', () => {
  expect(textProblems(resolve(import.meta.dirname, '..'))).toEqual([]);
});

describe('the check of UI texts reports a text outside of the text catalogues, with its line', () => {
  test.each([
    ['<p>paid</p>', 'paid'],
    ['<p>\n  about {n}\n</p>', 'about'],
    ["<p>{'paid'}</p>", 'paid'],
    ["<p>{isPaid ? SAID : 'unpaid'}</p>", 'unpaid'],
    ["<>{isPaid && 'paid'}</>", 'paid'],
    ['<p>{`${n} units`}</p>', 'units'],
    ["<p>{n + ' units'}</p>", 'units'],
    ['<Field label="email" />', 'email'],
    ["<Field hint={'as yyyy'} />", 'as yyyy'],
    ['<input placeholder="name" aria-label={LABEL} />', 'name'],
    ['<button aria-label={`open ${name}`} />', 'open'],
    ["<Tabs tabs={[{ value: 'fees', label: 'fees' }]} />", 'fees'],
    ["<Back way={{ href: '/agent', to: 'Back to Dashboard' }} />", 'Back to Dashboard'],
    ["toast({ title: SAID, note: isLate ? 'late' : undefined })", 'late'],
    ['say(`Saving ${n}`)', 'Saving'],
  ])('in the code %s', (code, word) => {
    expect(problemsOf(`const page = (\n${code});`)).toEqual([
      expect.stringMatching(new RegExp(`^src/features/orders/page\\.tsx:[23]: "${word}" stands in no texts\\.ts$`)),
    ]);
  });
});

test.each([
  [
    'classes, addresses, keys and ids',
    '<a className="flex gap-2" href="/agent" id="main" data-kind={`row ${n}`} key="Enter" onKeyDown={(e) => e.key === \'F2\'} />',
  ],
  ['what stands in a catalogue', '<Field label={SAVE} hint={savedText(n)}>{TITLE}</Field>'],
  ['signs and figures', '<p>· {n} × {`$${n}`} …</p>'],
  ['what is compared', "<p>{role === 'Admin' ? A : B}</p>"],
  ['what only a programmer meets', "throw new Error('This is never shown')"],
  ['types', "type Method = 'Cheque' | 'Wire'"],
])('the check of UI texts does not report code that contains no UI text: %s', (_, code) => {
  expect(problemsOf(`const page = () => {${code.startsWith('<') ? `(${code})` : code}};`)).toEqual([]);
});

test.each(['src/client/draft.ts', 'src/domain/print.ts', 'src/shared/dates.ts'])(
  'the check of UI texts also covers the file %s, because users see its texts',
  (file) => {
    expect(problemsOf("export const alt = 'Drawing of a fish';", file)).toEqual([`${file}:1: "Drawing of a fish" stands in no texts.ts`]);
  },
);

test.each([
  'src/features/orders/page.test.tsx',
  'src/features/orders/texts.de.ts',
  'src/features/orders/contract.ts',
  'src/features/orders/csv.ts',
  'src/features/orders/routes.ts',
  'src/server/errors.ts',
  'src/start-server.ts',
])('the check of UI texts accepts any text in the file %s', (file) => {
  expect(problemsOf("export const said = { title: 'Paid in full' };", file)).toEqual([]);
});
