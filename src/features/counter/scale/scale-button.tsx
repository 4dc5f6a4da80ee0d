import { Scale as ScaleIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Scale } from '../../../client/hooks/use-scale.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { SCALE_LABELS } from './texts.ts';

interface ScaleButtonProps {
  state: Scale['state'];
  onConnect: Scale['connect'];
  onDisconnect: Scale['disconnect'];
}

/** A button that connects a scale. Shown only in browsers with the Web Serial API (contract §14). */
export function ScaleButton({ state, onConnect, onDisconnect }: ScaleButtonProps): ReactNode {
  return (
    <Button
      size="s"
      variant="quiet"
      icon={<ScaleIcon aria-hidden />}
      isLoading={state === 'connecting'}
      onClick={() => void (state === 'on' ? onDisconnect() : onConnect())}
    >
      {SCALE_LABELS[state]}
    </Button>
  );
}
