// Finds errors on a page in another language: untranslated words, clipped texts, overlapping controls, and parts that are not mirrored. All
// functions except the last run inside the page. The page gets their source code, so they may call only functions of this file.
import type { Page } from '@playwright/test';

export interface ScannedText {
  readonly language: string;
  /** The strings that the server has returned or the test has typed. They are data, so they need no translation. */
  readonly data: readonly string[];
}

/**
 * Returns whether an element is checked. TinyMCE is left out, because it has its own texts. Column names are left out, because they are the
 * same in every language.
 */
function isSeen(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.closest('.tox, [translate=no]') === null;
}

function nameOf(element: Element): string {
  const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 50);
  const classes = typeof element.className === 'string' ? element.className.split(' ').slice(0, 3).join('.') : '';
  return `<${element.tagName.toLowerCase()} ${classes}> "${text}"`;
}

function textsOn(): { node: Text; parent: Element }[] {
  const texts: { node: Text; parent: Element }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (parent && node.data.trim() !== '' && !['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(parent.tagName)) texts.push({ node, parent });
  }
  return texts;
}

function foreignIn(text: string, known: readonly string[]): string | undefined {
  /**
   * Matches texts that are the same in every language: names of days and months, AM and PM (dates are formatted in en-US, as specified),
   * the application's name, and file names.
   */
  const FIXED =
    /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]*day)?\b|\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\b[AP]M\b|Feastday|[\w-]+\.csv\b|\b(UTC|GMT)\b/g;
  let left = text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '');
  for (const one of known) if (left.length > 1) left = left.replaceAll(one, ' ');
  return /[A-Za-z]{2,}/.exec(left.replaceAll(FIXED, ' '))?.[0];
}

function wordFaults(data: readonly string[]): string[] {
  const SAID = ['aria-label', 'placeholder', 'title', 'alt', 'aria-description', 'aria-roledescription'];
  const faults: string[] = [];
  const known = data.toSorted((a, b) => b.length - a.length);
  const hear = (where: string, text: string): void => {
    const word = foreignIn(text, known);
    if (word !== undefined) faults.push(`"${word}" stands in no texts.ts: ${where} "${text.trim().slice(0, 90)}"`);
  };
  for (const { node, parent } of textsOn())
    if (parent.closest('option, select') !== null || isSeen(parent)) hear(`<${parent.tagName.toLowerCase()}>`, node.data);
  for (const element of document.querySelectorAll(SAID.map((name) => `[${name}]`).join())) {
    if (!isSeen(element)) continue;
    for (const name of SAID) hear(`${name} of <${element.tagName.toLowerCase()}>`, element.getAttribute(name) ?? '');
  }
  hear('the title of the page', document.title);
  return faults;
}

function isCut(parent: Element): boolean {
  const { overflowX, overflowY, display } = getComputedStyle(parent);
  if (display === 'inline' || parent.hasAttribute('title')) return false;
  const isAcross = ['hidden', 'clip'].includes(overflowX) && parent.scrollWidth > parent.clientWidth + 1;
  return isAcross || (['hidden', 'clip'].includes(overflowY) && parent.scrollHeight > parent.clientHeight + 1);
}

/** Returns the control that contains a text, if the text is larger than the control's box. */
function controlLeft({ node, parent }: { node: Text; parent: Element }): Element | null {
  const control = parent.closest('button, a[href], summary, [role=tab], .pill');
  if (!control || ['inline', 'contents'].includes(getComputedStyle(control).display)) return null;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = control.getBoundingClientRect();
  const isOutside = (line: DOMRect): boolean =>
    line.width > 1 &&
    (line.left < box.left - 1.5 || line.right > box.right + 1.5 || line.bottom > box.bottom + 1.5 || line.top < box.top - 1.5);
  return [...range.getClientRects()].some(isOutside) ? control : null;
}

function cutFaults(): string[] {
  return textsOn().flatMap((text) => {
    const { parent } = text;
    const isUnseen = !isSeen(parent) || parent.closest('.sr-only, select') !== null;
    if (isUnseen || (parent.clientWidth === 1 && parent.clientHeight === 1)) return [];
    const control = controlLeft(text);
    return [...(isCut(parent) ? [`cut: ${nameOf(parent)}`] : []), ...(control ? [`leaves its control: ${nameOf(control)}`] : [])];
  });
}

/**
 * Returns the layer of an element: the nearest fixed or sticky element around it, or the page. Elements of different layers may cover each
 * other.
 */
function layerOf(element: Element): Element {
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
    if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return at;
  return document.body;
}

/** Returns the part of an element's box that is visible within its scroll containers. */
function seenBoxOf(element: Element): DOMRect | null {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
    if (getComputedStyle(at).overflow === 'visible') continue;
    const frame = at.getBoundingClientRect();
    [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
    [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
  }
  return right - left > 1 && bottom - top > 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
}

function overlapFaults(): string[] {
  const CONTROLS = 'button, a[href], input, select, textarea, summary, [role=tab], [role=menuitem]';
  const faults: string[] = [];
  const boxes = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => isSeen(control) && !control.matches('.sr-only, [type=hidden], [aria-hidden]'))
    .slice(0, 300)
    .flatMap((control) => {
      const box = seenBoxOf(control);
      return box ? [{ control, box, layer: layerOf(control) }] : [];
    });
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      if (one.layer !== other.layer || one.control.contains(other.control) || other.control.contains(one.control)) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      // A button inside a field is not an error, for example the button that clears a search field.
      const isInside = one.control.matches('input') && one.box.left <= other.box.left + 1 && one.box.right >= other.box.right - 1;
      // A small overlap is allowed, because the enlarged touch areas of small controls may touch each other.
      if (across > 8 && down > 8 && !isInside) faults.push(`on top of each other: ${nameOf(one.control)} and ${nameOf(other.control)}`);
    }
  }
  return faults;
}

function sideFaults(): string[] {
  const ARROWS = ['arrow-left', 'arrow-right', 'chevron-left', 'chevron-right'].map((name) => `svg.lucide-${name}`).join();
  const { documentElement: page } = document;
  const staying = textsOn()
    .map(({ parent }) => parent)
    .filter((parent) => isSeen(parent) && ['left', 'right'].includes(getComputedStyle(parent).textAlign));
  const back = document.querySelector('main a:has(> svg.lucide-arrow-left)');
  const isBackLeft = back !== null && isSeen(back) && page.clientWidth - back.getBoundingClientRect().right > 60;
  const arrows = [...document.querySelectorAll(ARROWS)].filter((svg) => isSeen(svg) && getComputedStyle(svg).scale === 'none');
  return [
    ...(page.dir === 'rtl' ? [] : ['the page is not turned']),
    ...[...staying, ...(isBackLeft ? [back] : [])].map((element) => `stays on its side: ${nameOf(element)}`),
    ...arrows.map((svg) => `points the wrong way: ${svg.getAttribute('class')}`),
  ];
}

function faultsInside({ language, data }: ScannedText): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const faults = [
    ...(language === 'en-XA' ? wordFaults(data) : []),
    ...cutFaults(),
    ...overlapFaults(),
    ...(scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth} px`] : []),
    ...(language === 'ar-XB' ? sideFaults() : []),
  ];
  return [...new Set(faults)];
}

export async function faultsOn(page: Page, scanned: ScannedText): Promise<string[]> {
  const parts = [
    isSeen,
    nameOf,
    textsOn,
    foreignIn,
    wordFaults,
    isCut,
    controlLeft,
    cutFaults,
    layerOf,
    seenBoxOf,
    overlapFaults,
    sideFaults,
  ];
  const source = [...parts, faultsInside].map((part) => part.toString()).join('\n');
  return await page.evaluate<string[]>(`(() => {${source}\nreturn faultsInside(${JSON.stringify(scanned)});})()`);
}
