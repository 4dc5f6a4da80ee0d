import { createElement, lazy, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react';
import { NOT_REACHED } from '../texts.ts';

/** The script of a screen did not come. */
export class ChunkLoadError extends Error {
  override readonly name = 'NotFetched';
  /** The screen fetches its script anew when it is shown next. */
  readonly renew: () => void;

  constructor(renew: () => void, cause: unknown) {
    super(NOT_REACHED, { cause });
    this.renew = renew;
  }
}

export interface LazyScreen<Props extends object = object> {
  (props: Props): ReactNode;
  load: () => Promise<ComponentType<Props>>;
}

/** Some browsers remember that a script did not come, and a new release has other scripts: once the server answers, all is loaded anew. */
async function reloadWhenReached(): Promise<void> {
  const isReached = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (isReached) location.reload();
}

/** A screen, or a tab or a dialog of one, with a script of its own, which can be fetched before it is shown, and again when it did not come. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyScreen<Props> {
  let failures = 0;
  const anew = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (cause) {
        failures++;
        // Never at the first time: what cannot be loaded at all must not reload the page for ever.
        if (failures > 1) await reloadWhenReached();
        throw new ChunkLoadError(() => (latest = anew()), cause);
      }
    });
  let latest = anew();
  const Screen = (props: Props): ReactNode => createElement(latest, props);
  return Object.assign(Screen, { load });
}
