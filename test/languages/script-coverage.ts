// Tests find elements by their English names. The functions in this file make the same tests find these elements in a pseudo-language
// (scripts/build/pseudo-language.ts).
import type { Locator, Page } from '@playwright/test';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'àƀçďéƒĝĥîĵķļɱñôþǫŕšţûṽŵẋýžÀƁÇĎÉƑĜĤÎĴĶĻṀÑÔÞǪŔŠŢÛṼŴẊÝŽ';
/** Matches the characters that pseudo-languages add around and between words. */
const AROUND = '[⟦⟧~\\u202C\\u202E]*';

const letter = (sign: string): string => {
  const accented = ACCENTED.charAt(PLAIN.indexOf(sign));
  return /[A-Za-z]/.test(sign) ? `[${sign}${accented}]` : sign;
};

const isQuantifier = (sign: string | undefined): boolean => sign !== undefined && '?*+{'.includes(sign);

/** Returns a pattern that matches `wanted` with plain, accented and mirrored letters. */
function inAnyLetters(wanted: RegExp | string, exact = false): RegExp {
  const escaped = typeof wanted === 'string' ? wanted.trim().replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`) : wanted.source;
  const signs = escaped.match(/\\u\{?[0-9a-f]+\}?|\\.|\[(?:\\.|[^\]])*\]|\(\?(?:[:=!]|<[=!])|\{[\d,]+\}|[^]/giu) ?? [];
  const source = signs.map((sign, index) => {
    if (sign === '^') return `^${AROUND}`;
    if (sign === '$') return '[⟦⟧~\\s\\u202C\\u202E]*$';
    if (sign === ' ') return '[⟦⟧~\\s\\u202C\\u202E]+';
    const isSign = sign.length === 1 && !'()|?*+'.includes(sign);
    return isSign && !isQuantifier(signs[index + 1]) ? letter(sign) + AROUND : letter(sign);
  });
  // As in Playwright, `exact` applies only to strings, because a regular expression states by its anchors whether it must match all of the text.
  const isWhole = exact && typeof wanted === 'string';
  const whole = isWhole ? `^${AROUND}${source.join('')}[⟦⟧~\\s]*$` : source.join('');
  const flags = typeof wanted === 'string' ? (exact ? 'u' : 'iu') : [...new Set(`${wanted.flags}u`)].join('');
  return new RegExp(whole, flags);
}

type Text = RegExp | string;
interface Options {
  exact?: boolean;
  name?: Text;
  hasText?: Text;
  hasNotText?: Text;
}

function optionsInAnyLetters({ exact, ...options }: Options): Options {
  const { name, hasText, hasNotText } = options;
  return {
    ...options,
    ...(name === undefined ? {} : { name: inAnyLetters(name, exact) }),
    ...(hasText === undefined ? {} : { hasText: inAnyLetters(hasText) }),
    ...(hasNotText === undefined ? {} : { hasNotText: inAnyLetters(hasNotText) }),
  };
}

type Methods = Record<string, (first: Text | Options, options?: Options) => Locator>;
const BY_TEXT = ['getByText', 'getByLabel', 'getByPlaceholder', 'getByTitle', 'getByAltText'];
const patched = new WeakSet<object>();

/** Changes the locators of all pages in this test worker, so that they find English names in pseudo-languages too. */
export function findInAnyLetters(page: Page): void {
  for (const methods of [page, page.locator('body')].map((one) => Object.getPrototypeOf(one) as Methods)) {
    if (patched.has(methods)) continue;
    patched.add(methods);
    for (const name of BY_TEXT) {
      const find = methods[name];
      if (find)
        methods[name] = function (this: unknown, first, options = {}) {
          return find.call(this, inAnyLetters(first as Text, options.exact));
        };
    }
    const { getByRole, filter } = methods;
    if (getByRole)
      methods['getByRole'] = function (this: unknown, role, options = {}) {
        return getByRole.call(this, role, optionsInAnyLetters(options));
      };
    if (filter)
      methods['filter'] = function (this: unknown, options) {
        return filter.call(this, optionsInAnyLetters(options as Options));
      };
  }
}
