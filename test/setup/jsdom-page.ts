// This type describes the parts of jsdom's window that this file uses. The types of the DOM are not available here, because vitest-setup.ts
// also runs without jsdom.
interface Page {
  getComputedStyle: (element: Styled) => Style;
  readonly Element: { readonly prototype: object };
  readonly Event: { readonly prototype: object };
  readonly document: { readonly head: Emptied; readonly body: Emptied; readonly createElement: (tag: string) => Styled };
  readonly history: { readonly replaceState: (state: null, title: string, url: string) => void };
  readonly localStorage: { readonly clear: () => void };
  readonly sessionStorage: { readonly clear: () => void };
}
interface Style {
  readonly display: string;
  readonly getPropertyValue: (name: string) => string;
}
interface Styled {
  readonly localName: string;
  readonly style: Style;
}
interface Emptied {
  readonly replaceChildren: () => void;
}

/** Adds functions that jsdom lacks because it has no layout. They do nothing: no element scrolls, and no size ever changes. */
export function withoutLayout(): void {
  const { Element } = globalThis as unknown as Page;
  Object.assign(Element.prototype, { scrollIntoView: () => undefined });
  const nothing = (): void => undefined;
  const ResizeObserver = class {
    readonly observe = nothing;
    readonly unobserve = nothing;
    readonly disconnect = nothing;
  };
  Object.assign(globalThis, { ResizeObserver });
}

/**
 * Lets computed styles contain the inline styles of an element and the `display` of its tag only. The tests load no style sheets, and jsdom
 * needs a fifth of their CPU time to match its own style sheet with each element whose accessible name a query reads.
 */
export function withInlineStyles(): void {
  const page = globalThis as unknown as Page;
  const { getComputedStyle } = page;
  const displays = new Map<string, string>();
  const displayOf = (tag: string): string => {
    const display = displays.get(tag) ?? getComputedStyle(page.document.createElement(tag)).display;
    displays.set(tag, display);
    return display;
  };
  page.getComputedStyle = (element) => {
    const { style, localName } = element;
    const display = style.display || displayOf(localName);
    // Whether a dialog is shown depends on its attributes.
    if (display === 'none') return getComputedStyle(element);
    const getPropertyValue = (name: string): string => (name === 'display' ? display : style.getPropertyValue(name));
    return new Proxy(style, {
      get: (_, name) => (name === 'display' ? display : name === 'getPropertyValue' ? getPropertyValue : Reflect.get(style, name)),
    });
  };
}

/** Lets events have the time of `performance.now()`, as in a browser, also while a test sets this time. jsdom reads another clock. */
export function withOneClock(): void {
  const { Event } = globalThis as unknown as Page;
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => performance.now(), configurable: true });
}

/** Resets the document and the browser storage before the next test file of the same worker process. */
export function emptyPage(): void {
  const { document, history, localStorage, sessionStorage } = globalThis as unknown as Page;
  localStorage.clear();
  sessionStorage.clear();
  document.head.replaceChildren();
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
}
