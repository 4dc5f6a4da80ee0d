import clsx from 'clsx';
import { useState, type ReactNode } from 'react';
import { useQrCamera } from '../../../client/camera/use-qr-camera.ts';
import { ErrorState } from '../../../client/ui/feedback/error-state.tsx';
import { Spinner } from '../../../client/ui/feedback/spinner.tsx';
import { parseOrderCode } from '../../../domain/counter/barcode.ts';
import { CAMERA_FAULTS, CAMERA_PICTURE, CAMERA_STARTS, NO_CAMERA, NO_CODE_YET, NOT_AN_ORDER_CODE } from '../texts.ts';

/** Shows the camera's picture until the camera reads the code of an order. */
export function CameraReader({ onOrder }: { onOrder: (orderId: number) => void }): ReactNode {
  const [isOtherCode, setIsOtherCode] = useState(false);
  const { video, state, retry } = useQrCamera((text) => {
    const orderId = parseOrderCode(text);
    setIsOtherCode(orderId === null);
    if (orderId !== null) onOrder(orderId);
  });
  const isOn = state === 'starting' || state === 'reading';
  return (
    <>
      {!isOn && <ErrorState title={NO_CAMERA} text={CAMERA_FAULTS[state]} onRetry={retry} />}
      <div className={clsx('relative overflow-hidden rounded-ctl bg-sunk', !isOn && 'hidden')}>
        <video
          ref={video}
          muted
          playsInline
          aria-label={CAMERA_PICTURE}
          className="aspect-[4/3] max-h-[60dvh] w-full object-cover md:aspect-video"
        />
        {state === 'starting' && (
          <span className="absolute inset-0 grid place-items-center text-ink-soft">
            <Spinner className="size-8" />
          </span>
        )}
      </div>
      {isOn && (
        <output className="mt-3 block min-h-6 text-s text-ink-soft">
          {state === 'starting' ? CAMERA_STARTS : isOtherCode ? NOT_AN_ORDER_CODE : NO_CODE_YET}
        </output>
      )}
    </>
  );
}
