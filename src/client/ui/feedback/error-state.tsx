import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { NOT_LOADED, TRY_AGAIN } from '../../texts.ts';

export interface ErrorStateProps {
  title?: string | undefined;
  text: string;
  onRetry: () => void;
  /** True when the error replaces the whole page. The title is then the heading of the page. */
  isPage?: boolean;
  /** True when the error replaces a small part of a card. It is then a line of text without a frame. */
  isInline?: boolean | undefined;
}

export function ErrorState({ title = NOT_LOADED, text, onRetry, isPage = false, isInline = false }: ErrorStateProps): ReactNode {
  if (isInline)
    return (
      <p role="alert" className="text-s text-bad wrap-anywhere">
        {`${title}: ${text} `}
        <button type="button" onClick={onRetry} className="link inline-flex min-h-11 items-center dense:min-h-6">
          {TRY_AGAIN}
        </button>
      </p>
    );
  const Title = isPage ? 'h1' : 'p';
  return (
    <div role="alert" className="flex flex-col items-start gap-4 rounded-card border border-bad/50 bg-card p-5 sm:flex-row sm:items-center">
      <TriangleAlert className="size-7 shrink-0 text-bad" strokeWidth={1.6} aria-hidden />
      <div className="min-w-0 grow">
        <Title className="font-sans text-m leading-normal font-semibold tracking-normal">{title}</Title>
        <p className="text-s text-ink-soft">{text}</p>
      </div>
      <Button onClick={onRetry}>{TRY_AGAIN}</Button>
    </div>
  );
}
