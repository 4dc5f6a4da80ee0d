import type { ReactNode } from 'react';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { orderCode } from '../../../domain/counter/barcode.ts';
import { orderCodeText } from '../texts.ts';

// The code that draws QR codes is loaded on demand, so that the code of the customer's print page stays small. PrintView waits for it
// before printing (../print-view.tsx).
const QrCode = lazyScreen(async () => (await import('../../../client/ui/print/qr-code.tsx')).QrCode);

/** The QR code of an order, which the counter's scanner reads (contract §14). */
export const OrderCode = ({ orderId, className }: { orderId: number; className: string }): ReactNode => (
  <QrCode text={orderCode(orderId)} label={orderCodeText(orderId)} className={className} />
);
