import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import type { useScale } from '../../../client/hooks/use-scale.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { SCALE_LABELS } from '../texts.ts';

/** A button that connects a scale. Shown only in browsers with the Web Serial API (contract §14). */
export function ScaleButton({ scale }: { scale: ReturnType<typeof useScale> }): ReactNode {
  if (!scale.isSupported) return null;
  const { state } = scale;
  return (
    <Button
      size="s"
      variant="quiet"
      icon={<Scale aria-hidden />}
      isLoading={state === 'connecting'}
      onClick={() => void (state === 'on' ? scale.disconnect() : scale.connect())}
    >
      {SCALE_LABELS[state]}
    </Button>
  );
}
