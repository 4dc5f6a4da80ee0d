// Checks that every text shown in the browser comes from a texts.ts file (docs/decisions/010-languages.md).
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'vite';
import type { ESTree } from 'vite';

/** Names of JSX attributes and properties whose strings are displayed or read aloud by a screen reader. */
const SAID = new Set(
  'label title subtitle placeholder alt text hint error context description header heading noun note empty confirmLabel cancelLabel openLabel summary caption message figure aside word'.split(
    ' ',
  ),
);
const VISIBLE_ARIA = /^aria-(label|description|roledescription|valuetext|placeholder)$/;
const isUserVisible = (name: string): boolean => SAID.has(name) || VISIBLE_ARIA.test(name);

const LETTERS = /\p{L}{2}/u;
/**
 * Matches a capital letter followed by small letters. Sentences and labels begin like this, and hardly any other string in a program does.
 */
const PROSE = /^\p{Lu}[\p{Ll}'’]+(?=[\s,.:;!?…]|$)/u;

/** Strings in the sources that look like UI texts, each with the reason why it need not be in a texts.ts file. */
const ALLOWED: Readonly<Record<string, string>> = {
  Feastday: 'the name of the product',
  Enter: 'a key',
  Escape: 'a key',
  Undo: 'a key',
  Tab: 'a key',
  Shift: 'a key',
  Home: 'a key',
  End: 'a key',
  Delete: 'a key',
  Backspace: 'a key',
  Infinity: 'a number',
  Cash: 'a payment method as it is sent',
  'Credit Card': 'a payment method as it is sent',
  Check: 'a payment method as it is sent',
  Other: 'a payment method as it is sent',
};

/**
 * Matches files that are not checked: the catalogues themselves, tests, and files whose strings no screen displays, such as CSV column
 * names and descriptions of calls. Mails are not checked, because they are in English only.
 */
const UNSEEN = /\.test\.tsx?$|\/(texts(\.[a-z-]+)?|contract|csv|mail|email-page|queries|routes)\.ts$|^src\/(server\/.*|[^/]+)\.ts$/;

interface Found {
  start: number;
  text: string;
}

/** Returns the strings that an expression may evaluate to: a literal, both branches of a condition, the parts of a template. */
function stringsOf(node: ESTree.Expression | ESTree.JSXEmptyExpression): Found[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [{ start: node.start, text: node.value }] : [];
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ start, value }) => ({ start, text: value.cooked ?? value.raw }));
  if (node.type === 'ConditionalExpression') return [...stringsOf(node.consequent), ...stringsOf(node.alternate)];
  if (node.type === 'LogicalExpression') return [...stringsOf(node.left), ...stringsOf(node.right)];
  if (node.type === 'BinaryExpression' && node.operator === '+') return [...stringsOf(node.left), ...stringsOf(node.right)];
  return [];
}

/** Returns the text between two JSX tags. */
function renderedIn(child: ESTree.JSXChild): Found[] {
  if (child.type === 'JSXText') return [{ start: child.start, text: child.value }];
  return child.type === 'JSXExpressionContainer' ? stringsOf(child.expression) : [];
}

function textsIn(file: string, text: string): Found[] {
  const { program } = parseSync(file, text);
  const found: Found[] = [];
  const ignored = new Set<number>();
  const collect = (strings: readonly Found[]): void => void found.push(...strings.filter((one) => LETTERS.test(one.text)));
  new Visitor({
    JSXElement: (node) => collect(node.children.flatMap(renderedIn)),
    JSXFragment: (node) => collect(node.children.flatMap(renderedIn)),
    JSXAttribute({ name, value }) {
      if (!value || name.type !== 'JSXIdentifier' || !isUserVisible(name.name)) return;
      if (value.type === 'Literal') collect(stringsOf(value));
      if (value.type === 'JSXExpressionContainer') collect(stringsOf(value.expression));
    },
    Property(node) {
      if (node.key.type === 'Identifier' && isUserVisible(node.key.name)) collect(stringsOf(node.value as ESTree.Expression));
    },
    BinaryExpression(node) {
      if (node.operator !== '+') for (const side of [node.left, node.right]) ignored.add(side.start);
    },
    SwitchCase: (node) => void (node.test && ignored.add(node.test.start)),
    TSLiteralType: (node) => void ignored.add(node.literal.start),
    // Only developers see the message of a thrown Error, so it need not be in a texts.ts file.
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Error')
        for (const argument of node.arguments) ignored.add(argument.start);
    },
    ImportDeclaration: (node) => void ignored.add(node.source.start),
    Literal(node) {
      if (typeof node.value === 'string' && PROSE.test(node.value)) found.push({ start: node.start, text: node.value });
    },
    TemplateElement(node) {
      if (PROSE.test(node.value.raw)) found.push({ start: node.start, text: node.value.raw });
    },
  }).visit(program);
  const byPlace = new Map(found.map((one) => [one.start, one]));
  return [...byPlace.values()]
    .filter(({ start, text: words }) => !ignored.has(start) && !(words.trim() in ALLOWED))
    .toSorted((a, b) => a.start - b.start);
}

const lineAt = (text: string, start: number): number => text.slice(0, start).split('\n').length;

/** Returns one message per UI text outside of the texts.ts files. `root` is a repository's folder. */
export function textProblems(root: string): string[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !UNSEEN.test(file))
    .toSorted((a, b) => a.localeCompare(b))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return textsIn(file, text).map(({ start, text: words }) => `${file}:${lineAt(text, start)}: "${words.trim()}" stands in no texts.ts`);
    });
}

if (import.meta.main) {
  const problems = textProblems(resolve(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'Every word stands in a texts.ts.' : `${problems.length} words stand in no texts.ts.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
