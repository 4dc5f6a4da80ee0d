import type { ReactNode } from 'react';
import { PrintSheet } from '../../client/ui/print/print-sheet.tsx';
import { QrCode } from '../../client/ui/print/qr-code.tsx';
import { QR_CODE, SHEET_LINE, SHEET_STEPS } from './texts.ts';

export function JoinSheet({ name, url }: { name: string; url: string }): ReactNode {
  return (
    <PrintSheet>
      <div className="grid justify-items-center gap-8 pt-10 text-center">
        <div>
          <p className="font-serif text-display leading-tight font-[560]">{name || 'Feastday'}</p>
          <p className="mt-3 text-l">{SHEET_LINE}</p>
        </div>
        <QrCode text={url} label={QR_CODE} className="w-[95mm]" />
        <p className="text-l font-semibold break-all">{url}</p>
        <ol className="grid list-inside list-decimal gap-2 text-start text-l">
          {SHEET_STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
    </PrintSheet>
  );
}
