// The window of jsdom as vitest-setup.ts uses it. That file also runs without jsdom.
interface Page {
  readonly Element: { readonly prototype: object };
  readonly document: { readonly head: Emptied; readonly body: Emptied };
  readonly history: { readonly replaceState: (state: null, title: string, url: string) => void };
  readonly localStorage: { readonly clear: () => void };
  readonly sessionStorage: { readonly clear: () => void };
}
interface Emptied {
  readonly replaceChildren: () => void;
}

/** Adds what jsdom lacks because it has no layout: nothing scrolls, and no size ever changes. */
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

/** Resets the document before the worker's next test file. */
export function emptyPage(): void {
  const { document, history, localStorage, sessionStorage } = globalThis as unknown as Page;
  localStorage.clear();
  sessionStorage.clear();
  document.head.replaceChildren();
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
}
