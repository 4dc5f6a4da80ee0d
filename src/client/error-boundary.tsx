import { Component } from 'react';
import type { ReactNode } from 'react';
import { ChunkLoadError } from './navigation/lazy-screen.ts';
import { ErrorState } from './ui/feedback/error-state.tsx';
import { NOT_REACHED, NOTHING_LOST, PAGE_STOPPED } from './texts.ts';

export interface ErrorBoundaryProps {
  children: ReactNode;
  /** Renders the page frame around the error of a screen whose script failed to load. */
  frame?: (notFetched: ReactNode) => ReactNode;
  /** Set for a part of a screen, so that the error replaces only that part and the others stay usable. */
  isPart?: boolean;
}

/**
 * Catches render errors of a screen, so that navigation stays usable. Callers pass the path as `key`, so that the next screen renders
 * normally.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    if (!(error instanceof ChunkLoadError)) return;
    error.renew();
    addEventListener('online', this.retry);
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.retry);
  }

  private readonly retry = (): void => {
    removeEventListener('online', this.retry);
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { error } = this.state;
    const { children, frame, isPart } = this.props;
    if (!error) return children;
    const isChunkLoadError = error instanceof ChunkLoadError;
    const message = isChunkLoadError ? (
      <ErrorState isPage={!isPart} text={NOT_REACHED} onRetry={this.retry} />
    ) : (
      <ErrorState isPage={!isPart} title={PAGE_STOPPED} text={NOTHING_LOST} onRetry={() => location.reload()} />
    );
    if (isPart) return message;
    return isChunkLoadError && frame ? frame(message) : <Alone>{message}</Alone>;
  }
}

/** Shows the error where no page frame is given. */
export const Alone = ({ children }: { children: ReactNode }): ReactNode => <main className="mx-auto max-w-2xl px-4 py-12">{children}</main>;
