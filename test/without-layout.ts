/** Nothing has a place on a page that jsdom makes, so that nothing can be scrolled into view. */
export function withoutLayout(): void {
  const { Element } = globalThis as { Element?: { prototype: object } };
  Object.assign(Element?.prototype ?? {}, { scrollIntoView: () => undefined });
  const nothing = (): void => undefined;
  const ResizeObserver = class {
    readonly observe = nothing;
    readonly unobserve = nothing;
    readonly disconnect = nothing;
  };
  if (Element) Object.assign(globalThis, { ResizeObserver });
}
