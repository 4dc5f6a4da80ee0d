// This type describes the parts of jsdom's window that this file uses. The types of the DOM are not available here, because vitest-setup.ts
// also runs without jsdom.
interface Page {
  readonly Element: { readonly prototype: object };
  readonly Event: { readonly prototype: object };
  readonly document: { readonly head: Emptied; readonly body: Emptied };
  readonly history: { readonly replaceState: (state: null, title: string, url: string) => void };
  readonly localStorage: { readonly clear: () => void };
  readonly sessionStorage: { readonly clear: () => void };
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
