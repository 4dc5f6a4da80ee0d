import { ScanQrCode } from 'lucide-react';
import { memo, useRef, useState, type ReactNode } from 'react';
import { hasCameraAccess } from '../../../client/camera/use-qr-camera.ts';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { Button } from '../../../client/ui/forms/button.tsx';
import { Dialog } from '../../../client/ui/overlays/dialog.tsx';
import { SCAN_LEAD, SCAN_WITH_CAMERA } from '../texts.ts';

const CameraReader = lazyScreen(async () => (await import('./camera-reader.tsx')).CameraReader);

/** A button that opens the camera and finds an order by its printed code (contract §14). */
export const ScanButton = memo(function ScanButton({ onOrder }: { onOrder: (orderId: number) => void }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const found = useRef<number | null>(null);
  if (!hasCameraAccess()) return null;
  return (
    <Dialog
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      // The order is opened after the dialog has returned the focus to this button, because the opened order takes the focus itself.
      onClosed={() => {
        if (found.current !== null) onOrder(found.current);
        found.current = null;
      }}
      trigger={
        <Button icon={<ScanQrCode aria-hidden />} className="min-h-12">
          <span className="max-md:sr-only">{SCAN_WITH_CAMERA}</span>
        </Button>
      }
      title={SCAN_WITH_CAMERA}
      description={SCAN_LEAD}
      size="m"
    >
      <CameraReader
        onOrder={(orderId) => {
          found.current = orderId;
          setIsOpen(false);
        }}
      />
    </Dialog>
  );
});
