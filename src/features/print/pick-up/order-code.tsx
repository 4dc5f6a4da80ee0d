import { lazy, type ReactNode } from 'react';
import { orderCode } from '../../../domain/counter/barcode.ts';
import { orderCodeText } from '../texts.ts';

// Loaded on demand to keep the customer's print page small. PrintView prints only after it has loaded (../print-view.tsx).
const QrCode = lazy(async () => ({ default: (await import('../../../client/ui/print/qr-code.tsx')).QrCode }));

/** The code of an order that the counter's scanner reads (contract §14). */
export const OrderCode = ({ orderId, className }: { orderId: number; className: string }): ReactNode => (
  <QrCode text={orderCode(orderId)} label={orderCodeText(orderId)} className={className} />
);
