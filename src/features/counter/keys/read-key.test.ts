import { expect, test } from 'vitest';
import { NO_KEYS, readKey, type KeyMeaning, type KeyPress } from './read-key.ts';

const PAY = { kind: 'button', target: 'Pay', content: '' } as const;
const SCANNED = { pause: 10, ...PAY };
const TYPED = { pause: 400, ...PAY };

interface Sequence extends Pick<KeyPress, 'kind' | 'target' | 'content'>, Partial<Pick<KeyPress, 'isCaretAtEnd'>> {
  readonly keys: readonly string[];
  /** Milliseconds before each key. */
  readonly pause: number;
}

/** Returns the meaning of the last key of the sequences. A field's content grows with every key that it receives. */
function meaningOf(...sequences: readonly Sequence[]): KeyMeaning {
  let history = NO_KEYS;
  let meaning: KeyMeaning = { is: 'key' };
  let at = 1000;
  for (const { keys, pause, kind, target, content, isCaretAtEnd = true } of sequences) {
    let typed = content;
    for (const key of keys) {
      at += pause;
      ({ history, meaning } = readKey(history, {
        key,
        at,
        isShortcut: false,
        kind,
        target,
        content: typed,
        isCaretAtEnd,
        isFamily: (text) => text === 'oz',
      }));
      if (kind !== 'button' && meaning.is === 'key' && key.length === 1) typed += key;
    }
  }
  return meaning;
}

const withEnter = (text: string): readonly string[] => [...text.split(''), 'Enter'];

test.each<{ name: string; sequences: readonly Sequence[]; meaning: KeyMeaning }>([
  {
    name: 'Enter after the code of an order, which a scanner typed after a digit in a field',
    sequences: [{ keys: withEnter('1FD1:57'), pause: 10, kind: 'field', target: 'Cash given', content: '5' }],
    meaning: { is: 'order code', orderId: 57, content: '51' },
  },
  {
    name: 'Enter after a weight label at a button',
    sequences: [{ keys: withEnter('2001001004873'), ...SCANNED }],
    meaning: { is: 'lost weight', content: '' },
  },
  {
    name: 'Enter after a weight label in a weight field',
    sequences: [{ keys: withEnter('2001001004873'), pause: 10, kind: 'weight field', target: '11-0', content: '' }],
    meaning: { is: 'weight label', code: '2001001004873', content: '' },
  },
  {
    name: 'Enter after a weight label that follows a typed weight in a weight field',
    sequences: [{ keys: withEnter('2001001004873'), pause: 10, kind: 'weight field', target: '11-0', content: '4.1' }],
    meaning: { is: 'weight label', code: '2001001004873', content: '4.1' },
  },
  {
    name: 'Enter after an unknown code at a button',
    sequences: [{ keys: withEnter('4006381333931'), ...SCANNED }],
    meaning: { is: 'unknown code', content: '', isAtButton: true },
  },
  {
    name: 'Enter after a name that a person typed at a button',
    sequences: [{ keys: withEnter('Cohen R'), ...TYPED }],
    meaning: { is: 'text at a button', text: 'Cohen R' },
  },
  {
    name: 'Tab after a name that a person typed at a button',
    sequences: [{ keys: [...'Cohen'.split(''), 'Tab'], ...TYPED }],
    meaning: { is: 'text at a button', text: 'Cohen' },
  },
  {
    name: 'Tab after the code of an order at a button',
    sequences: [{ keys: [...'FD1:57'.split(''), 'Tab'], ...SCANNED }],
    meaning: { is: 'order code', orderId: 57, content: '' },
  },
  {
    name: 'Tab at a button at which nothing was typed',
    sequences: [{ keys: ['Tab'], ...TYPED }],
    meaning: { is: 'key' },
  },
  {
    name: 'Enter after a name of which Backspace has deleted the only letter',
    sequences: [{ keys: ['C', 'Backspace', 'Enter'], ...TYPED }],
    meaning: { is: 'key' },
  },
  {
    name: 'a space between two names at a button',
    sequences: [{ keys: ['C', ' '], ...TYPED }],
    meaning: { is: 'ignored' },
  },
  {
    name: 'a key that follows the Enter of an unknown code at once',
    sequences: [{ keys: [...withEnter('4006381333931'), '5'], ...SCANNED }],
    meaning: { is: 'ignored' },
  },
  {
    name: 'a key that follows the Enter of an unknown code later',
    sequences: [
      { keys: withEnter('4006381333931'), ...SCANNED },
      { keys: ['Enter'], ...TYPED },
    ],
    meaning: { is: 'key' },
  },
  {
    name: 'Enter after an amount in a field',
    sequences: [{ keys: withEnter('1000.00'), pause: 10, kind: 'field', target: 'Cash given', content: '' }],
    meaning: { is: 'key' },
  },
  {
    name: 'Enter after a code in a field that is no amount, because it is above 9999.99',
    sequences: [{ keys: withEnter('90000.00'), pause: 10, kind: 'field', target: 'Cash given', content: '' }],
    meaning: { is: 'unknown code', content: '', isAtButton: false },
  },
  ...[
    'abramov, rivka',
    'Yaffe',
    '#21',
    '# 21',
    '845-555-0132',
    '(845) 555 0196',
    '9735550196',
    '845.555.0132',
    'moshe105@mail.test',
    '105moshe@mail.test',
  ].map((text) => ({
    name: `Enter after "${text}" in a weight field`,
    sequences: [{ keys: withEnter(text), pause: 110, kind: 'weight field', target: '11-0', content: '' } as const],
    meaning: { is: 'family in a weight field', text, weight: '' } as const,
  })),
  ...[
    '5becker',
    '4.87 Yaffe, Dov',
    '5 #21',
    '4.8oz',
    '4.8gr',
    '5 ea',
    "4.2'adler",
    '4.2]green',
    '4.2+adler',
    '4.2-adler',
    '4.8#Alvarez',
    '4.8 8455550132',
    '4.8 (845) 555-0132',
    '4.8lena@post.test',
  ].map((content) => ({
    name: `Enter after "${content}" in a weight field`,
    sequences: [{ keys: withEnter(content), pause: 110, kind: 'weight field', target: '11-0', content: '' } as const],
    meaning: {
      is: 'family in a weight field',
      text: content.replace(/^[\d.]+[ '\]+#-]?/, ''),
      weight: /^[\d.]+/.exec(content)?.[0] ?? '',
    } as const,
  })),
  {
    name: 'Enter after an order number that was typed within a weight',
    sequences: [{ keys: withEnter('#30'), pause: 110, kind: 'weight field', target: '11-0', content: '5.12', isCaretAtEnd: false }],
    meaning: { is: 'key' },
  },
  ...(
    [
      [100, 'ignored'],
      [350, 'key'],
    ] as const
  ).map(([pause, is]) => ({
    name: `a second Enter ${pause} ms after a name in a weight field, which has moved to the search,`,
    sequences: [
      { keys: withEnter('becker'), pause: 110, kind: 'weight field', target: '11-0', content: '' },
      { keys: ['Enter'], pause, kind: 'search', target: 'search', content: 'becker' },
    ] as const,
    meaning: { is },
  })),
  {
    name: 'Tab after a name in a weight field',
    sequences: [{ keys: [...'Cohen'.split(''), 'Tab'], pause: 110, kind: 'weight field', target: '11-0', content: '' }],
    meaning: { is: 'family in a weight field', text: 'Cohen', weight: '' },
  },
  ...[
    '4.87',
    '4,87 lb',
    '4.87 Pounds',
    '5.02 kgs',
    '12 OZ net',
    '4.8 lb/oz',
    '4.80kg G',
    '4.8 кг',
    'ST,GS,+0004.87kg',
    'Y',
    '1026',
    '12.21 12.34',
    '4.8#',
    '4@5',
    '4.8/',
    '123456.5',
  ].map((text) => ({
    name: `Enter after "${text}" in a weight field`,
    sequences: [{ keys: withEnter(text), pause: 110, kind: 'weight field', target: '11-0', content: '' } as const],
    meaning: { is: 'key' } as const,
  })),
  {
    name: 'Tab right after Enter',
    sequences: [{ keys: ['Enter', 'Tab'], ...SCANNED }],
    meaning: { is: 'ignored' },
  },
])('$name means $meaning.is (contract §14)', ({ sequences, meaning }) => {
  expect(meaningOf(...sequences)).toEqual(meaning);
});

test('a second Enter right after an unknown code in a field leaves the field unchanged (contract §14)', () => {
  const scanned = { keys: withEnter('4006381333931'), pause: 10, kind: 'field', target: 'Cash given', content: '50' } as const;
  expect(meaningOf(scanned)).toEqual({ is: 'unknown code', content: '50', isAtButton: false });
  expect(meaningOf(scanned, { ...scanned, keys: ['Enter'] })).toEqual({ is: 'ignored' });
});

const ENTER = { keys: ['Enter'], kind: 'button', target: 'Pay', content: '' } as const;

test.each<{ code: string; kind: KeyPress['kind'] }>([
  { code: 'FD1:57', kind: 'button' },
  { code: 'FD1:57', kind: 'field' },
  { code: 'FD1:57', kind: 'weight field' },
  { code: 'FD1:57', kind: 'search' },
  { code: '2001001004873', kind: 'button' },
  { code: '2001001004873', kind: 'weight field' },
  { code: '4006381333931', kind: 'button' },
  { code: '4006381333931', kind: 'field' },
])(
  'a second Enter after the code $code at a $kind is ignored, whatever has the focus by then; an Enter after 0.3 seconds is not (reliability abuse)',
  ({ code, kind }) => {
    const scanned = { keys: withEnter(code), pause: 10, kind, target: 'scanned into', content: '' };
    for (const place of [
      ENTER,
      { ...ENTER, target: 'Brisket 2/2', kind: 'weight field' },
      { ...ENTER, kind, target: 'scanned into' },
    ] as const) {
      if (place.kind === 'search') continue;
      expect(meaningOf(scanned, { ...place, pause: 10 }).is).toBe('ignored');
      expect(meaningOf(scanned, { ...place, pause: 100 }, { ...place, pause: 100 }).is).toBe('ignored');
      expect(meaningOf(scanned, { ...place, pause: 350 }).is).toBe('key');
    }
  },
);

test('an Enter that ends another text right after a code is not ignored (contract §14)', () => {
  const scanned = { keys: withEnter('FD1:57'), pause: 10, kind: 'button', target: 'Pay', content: '' } as const;
  const weighed = { keys: withEnter('4.5'), pause: 35, kind: 'weight field', target: '11-0', content: '' } as const;
  expect(meaningOf(scanned, weighed)).toEqual({ is: 'key' });
  expect(meaningOf(scanned, { ...scanned, keys: withEnter('FD1:58') })).toEqual({ is: 'order code', orderId: 58, content: '' });
});
