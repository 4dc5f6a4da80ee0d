import { createElement, lazy, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react';
import { NOT_REACHED } from '../texts.ts';

/** The error of a screen whose script failed to load. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  /** Makes the screen load its script again at the next render, after a failure. */
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

/**
 * Reloads the page as soon as the server responds, because some browsers cache the failure of a script, and a new release has other file
 * names.
 */
async function reloadWhenReached(): Promise<void> {
  const isReached = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (isReached) location.reload();
}

/** Loads a script on demand, and reloads the page after a repeated failure. */
export function scriptLoader<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let failures = 0;
  return async () => {
    try {
      return await load();
    } catch (cause) {
      failures++;
      // Reload only after a repeated failure: a script that can never be loaded must not reload the page forever.
      if (failures > 1) await reloadWhenReached();
      throw cause;
    }
  };
}

/** Creates a screen, tab or dialog whose script is loaded on demand. The script can be preloaded, and is loaded again after a failure. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyScreen<Props> {
  const loadScript = scriptLoader(load);
  const createLazy = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => {
      try {
        return { default: await loadScript() };
      } catch (cause) {
        throw new ChunkLoadError(() => (latest = createLazy()), cause);
      }
    });
  let latest = createLazy();
  const Screen = (props: Props): ReactNode => createElement(latest, props);
  return Object.assign(Screen, { load });
}
