import { Component } from 'react';
import type { ReactNode } from 'react';
import { ChunkLoadError } from './navigation/lazy-screen.ts';
import { ErrorState } from './ui/feedback/error-state.tsx';
import { NOT_REACHED, NOTHING_LOST, PAGE_STOPPED } from './texts.ts';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Renders the page's header and footer around the error message that is shown when the script of a screen could not be loaded. */
  frame?: (notFetched: ReactNode) => ReactNode;
  /** True for a part of a screen. The error message then replaces only that part, and the rest of the screen stays usable. */
  isPart?: boolean;
}

/**
 * Shows a message when a screen throws while rendering, so that the user can still navigate. Callers pass the path as `key`, so that the
 * next screen is rendered normally.
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
    return isChunkLoadError && frame ? frame(message) : <StandalonePage>{message}</StandalonePage>;
  }
}

/** Renders an error message on a page without header and footer. */
export const StandalonePage = ({ children }: { children: ReactNode }): ReactNode => (
  <main className="mx-auto max-w-2xl px-4 py-12">{children}</main>
);
