import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { NOT_LOADED, TRY_AGAIN } from '../texts.ts';

export interface ErrorStateProps {
  title?: string;
  /** What happened, usually the error's message. */
  text: string;
  onRetry?: () => void;
}

export function ErrorState({ title = NOT_LOADED, text, onRetry }: ErrorStateProps): ReactNode {
  return (
    <div role="alert" className="flex flex-col items-start gap-4 rounded-card border border-bad/50 bg-card p-5 sm:flex-row sm:items-center">
      <TriangleAlert className="size-7 shrink-0 text-bad" strokeWidth={1.6} aria-hidden />
      <div className="min-w-0 grow">
        <p className="font-semibold">{title}</p>
        <p className="text-s text-ink-soft">{text}</p>
      </div>
      {onRetry && <Button onClick={onRetry}>{TRY_AGAIN}</Button>}
    </div>
  );
}
