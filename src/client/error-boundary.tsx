import { Component } from 'react';
import type { ReactNode } from 'react';
import { ErrorState } from './ui/error-state.tsx';
import { NOTHING_LOST, PAGE_STOPPED } from './texts.ts';

/** Catches what a screen throws while rendering, so that the way back stays usable. A `key` of the path gives the next screen its chance. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <main className="mx-auto max-w-2xl px-4 py-12">
        <ErrorState title={PAGE_STOPPED} text={NOTHING_LOST} onRetry={() => location.reload()} />
      </main>
    );
  }
}
