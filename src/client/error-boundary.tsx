import { Component } from 'react';
import type { ReactNode } from 'react';
import { ChunkLoadError } from './navigation/lazy-screen.ts';
import { ErrorState } from './ui/feedback/error-state.tsx';
import { NOT_REACHED, NOTHING_LOST, PAGE_STOPPED } from './texts.ts';

export interface ErrorBoundaryProps {
  children: ReactNode;
  /** The frame of the app round a screen whose script did not come. */
  frame?: (notFetched: ReactNode) => ReactNode;
  /** Of a part of a screen, whose other parts stay as they are. */
  isPart?: boolean;
}

/** Catches what a screen throws while rendering, so that the way back stays usable. A `key` of the path gives the next screen its chance. */
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
    const isNotFetched = error instanceof ChunkLoadError;
    const told = isNotFetched ? (
      <ErrorState isPage={!isPart} text={NOT_REACHED} onRetry={this.retry} />
    ) : (
      <ErrorState isPage={!isPart} title={PAGE_STOPPED} text={NOTHING_LOST} onRetry={() => location.reload()} />
    );
    if (isPart) return told;
    return isNotFetched && frame ? frame(told) : <Alone>{told}</Alone>;
  }
}

/** Where there is no frame. */
export const Alone = ({ children }: { children: ReactNode }): ReactNode => <main className="mx-auto max-w-2xl px-4 py-12">{children}</main>;
