import type { ReactNode } from 'react';
import { PrintSheet } from '../../client/ui/print-sheet.tsx';
import { QrCode } from './qr-code.tsx';

/** The page to hang up: one sheet with the code, the link and the three steps. */
export function JoinSheet({ name, url }: { name: string; url: string }): ReactNode {
  return (
    <PrintSheet>
      <div className="grid justify-items-center gap-8 pt-10 text-center">
        <div>
          <p className="font-serif text-display leading-tight">{name || 'Feastday'}</p>
          <p className="mt-3 text-l">Place your holiday order online</p>
        </div>
        <QrCode text={url} label="QR code of the join link" className="w-[95mm]" />
        <p className="text-l font-semibold break-all">{url}</p>
        <ol className="grid list-inside list-decimal gap-2 text-left text-l">
          <li>Scan the code, or type the address into your browser.</li>
          <li>Enter your e-mail address.</li>
          <li>Open the mail you get, set a password, and order.</li>
        </ol>
      </div>
    </PrintSheet>
  );
}
