// What is wrong with a page in another language: words that stand in no catalogue, texts that are cut, controls on top of each other,
// sides that did not turn. Runs inside the page.

export interface Looked {
  readonly language: string;
  /** What the server has answered and a person has typed: it belongs to nobody's catalogue. */
  readonly data: readonly string[];
}

export function faultsOf({ language, data }: Looked): string[] {
  const faults = new Set<string>();
  const CONTROLS = 'button, a[href], input, select, textarea, summary, [role=tab], [role=menuitem]';
  /** Written by Intl in en-US as the specification says, and the product's own name. */
  const FIXED =
    /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]*day)?\b|\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\b[AP]M\b|Feastday|\b(UTC|GMT)\b/g;

  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.closest('.tox, [data-foreign]') === null;
  const nameOf = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 50);
    const classes = typeof element.className === 'string' ? element.className.split(' ').slice(0, 3).join('.') : '';
    return `<${element.tagName.toLowerCase()} ${classes}> "${text}"`;
  };

  const texts: { node: Text; parent: Element }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (parent && node.data.trim() !== '' && !['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(parent.tagName)) texts.push({ node, parent });
  }

  // Words.
  const known = data.toSorted((a, b) => b.length - a.length);
  const foreignIn = (text: string): string | undefined => {
    let left = text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '');
    for (const one of known) if (left.length > 1) left = left.replaceAll(one, ' ');
    return /[A-Za-z]{2,}/.exec(left.replaceAll(FIXED, ' '))?.[0];
  };
  const say = (where: string, text: string): void => {
    const word = foreignIn(text);
    if (word !== undefined) faults.add(`"${word}" stands in no texts.ts: ${where} "${text.trim().slice(0, 90)}"`);
  };
  if (language === 'en-XA') {
    for (const { node, parent } of texts)
      if (parent.tagName === 'OPTION' || isSeen(parent)) say(`<${parent.tagName.toLowerCase()}>`, node.data);
    for (const element of document.querySelectorAll(
      '[aria-label], [placeholder], [title], [alt], [aria-description], [aria-roledescription]',
    )) {
      if (!isSeen(element)) continue;
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description', 'aria-roledescription'])
        say(`${name} of <${element.tagName.toLowerCase()}>`, element.getAttribute(name) ?? '');
    }
    say('the title of the page', document.title);
  }

  // Cut texts.
  const range = document.createRange();
  for (const { node, parent } of texts) {
    if (!isSeen(parent) || parent.closest('.sr-only, select, [data-cut]') || (parent.clientWidth === 1 && parent.clientHeight === 1))
      continue;
    const style = getComputedStyle(parent);
    const cutsAcross =
      ['hidden', 'clip'].includes(style.overflowX) && parent.scrollWidth > parent.clientWidth + 1 && style.display !== 'inline';
    const cutsBelow =
      ['hidden', 'clip'].includes(style.overflowY) && parent.scrollHeight > parent.clientHeight + 1 && style.display !== 'inline';
    if ((cutsAcross || cutsBelow) && !parent.hasAttribute('title')) faults.add(`cut: ${nameOf(parent)}`);
    range.selectNodeContents(node);
    const control = parent.closest('button, a[href], summary, [role=tab], .pill');
    if (!control || ['inline', 'contents'].includes(getComputedStyle(control).display)) continue;
    const box = control.getBoundingClientRect();
    for (const line of range.getClientRects())
      if (
        line.width > 1 &&
        (line.left < box.left - 1.5 || line.right > box.right + 1.5 || line.bottom > box.bottom + 1.5 || line.top < box.top - 1.5)
      )
        faults.add(`leaves its control: ${nameOf(control)}`);
  }

  // Controls on top of each other.
  const layerOf = (element: Element): Element => {
    let at: Element | null = element;
    while (at && at !== document.body) {
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return at;
      at = at.parentElement;
    }
    return document.body;
  };
  const seenBoxOf = (element: Element): DOMRect | null => {
    const box = element.getBoundingClientRect();
    let { left, top, right, bottom } = box;
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const frame = at.getBoundingClientRect();
      left = Math.max(left, frame.left);
      top = Math.max(top, frame.top);
      right = Math.min(right, frame.right);
      bottom = Math.min(bottom, frame.bottom);
    }
    return right - left > 1 && bottom - top > 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
  };
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
      // A button inside a field, as the cross that clears a search, is meant.
      const isInside = one.control.matches('input') && one.box.left <= other.box.left + 1 && one.box.right >= other.box.right - 1;
      // The larger reach of small controls may touch.
      if (across > 8 && down > 8 && !isInside) faults.add(`on top of each other: ${nameOf(one.control)} and ${nameOf(other.control)}`);
    }
  }

  // Sides.
  const { documentElement: page } = document;
  if (page.scrollWidth > page.clientWidth) faults.add(`scrolls sideways by ${page.scrollWidth - page.clientWidth} px`);
  if (language === 'ar-XB') {
    if (page.dir !== 'rtl') faults.add('the page is not turned');
    for (const { parent } of texts) {
      const { textAlign } = getComputedStyle(parent);
      if (isSeen(parent) && ['left', 'right'].includes(textAlign)) faults.add(`stays ${textAlign}: ${nameOf(parent)}`);
    }
    const back = document.querySelector('main a:has(> svg.lucide-arrow-left)');
    if (back && isSeen(back) && page.clientWidth - back.getBoundingClientRect().right > 60) faults.add(`stays left: ${nameOf(back)}`);
    for (const svg of document.querySelectorAll(
      'svg.lucide-arrow-left, svg.lucide-arrow-right, svg.lucide-chevron-left, svg.lucide-chevron-right',
    ))
      if (isSeen(svg) && getComputedStyle(svg).scale === 'none') faults.add(`points the wrong way: ${svg.getAttribute('class')}`);
  }
  return [...faults];
}
