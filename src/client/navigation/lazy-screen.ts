import { createElement, lazy, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react';
import { NOT_REACHED } from '../texts.ts';

export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  /** Makes the next render of the screen load the script again. */
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
 * Reloads the page if the server responds. A reload helps when the browser has cached the failed request, or when a new release has renamed
 * the script.
 */
async function reloadWhenReached(): Promise<void> {
  const isReached = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (isReached) location.reload();
}

/** Returns a function that loads a script on demand. When loading fails repeatedly, the function reloads the page. */
export function scriptLoader<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let failures = 0;
  return async () => {
    try {
      return await load();
    } catch (cause) {
      failures++;
      // The page is reloaded only after a second failure, so that a script that can never be loaded does not reload the page endlessly.
      if (failures > 1) await reloadWhenReached();
      throw cause;
    }
  };
}

/**
 * Creates a screen, tab or dialog whose script is loaded on demand. `load` preloads the script. After a failure, the script can be
 * requested again.
 */
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
