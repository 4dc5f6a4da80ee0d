import { Download, Printer } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { download } from '../../client/api/download.ts';
import { useReportDirty } from '../../client/hooks/use-report-dirty.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { PrintSheet } from '../../client/ui/print/print-sheet.tsx';
import { useUser } from '../auth/auth-provider.tsx';
import { FormTitle } from './factor-form.tsx';
import { CODES_FILE, codesFileText, codesSheetTitle, DOWNLOAD, PRINT, RECOVERY_CODES, RECOVERY_LEAD, SAVED_THEM } from './texts.ts';

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
  onDirty: (isDirty: boolean) => void;
}

/**
 * Shows new recovery codes. This is the only time that the user can see these codes (contract §19), so they count as unsaved until the user
 * has copied, downloaded or printed them.
 */
export function RecoveryCodes({ codes, onDone, onDirty }: RecoveryCodesProps): ReactNode {
  const { email } = useUser();
  const [isKept, setIsKept] = useState(false);
  useReportDirty(!isKept, onDirty);
  return (
    <div onCopy={() => setIsKept(true)} className="grid gap-4 rounded-ctl border border-line p-4">
      <FormTitle title={RECOVERY_CODES} text={RECOVERY_LEAD} />
      <CodeList codes={codes} className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-6 gap-y-1.5" />
      <div className="flex flex-wrap gap-2.5">
        <Button
          icon={<Download aria-hidden />}
          onClick={() => {
            download(CODES_FILE, codesFileText(email, codes), 'text/plain;charset=utf-8');
            setIsKept(true);
          }}
        >
          {DOWNLOAD}
        </Button>
        <Button
          icon={<Printer aria-hidden />}
          onClick={() => {
            window.print();
            setIsKept(true);
          }}
        >
          {PRINT}
        </Button>
        <Button variant="main" onClick={onDone}>
          {SAVED_THEM}
        </Button>
      </div>
      <PrintSheet>
        <h1>{codesSheetTitle(email)}</h1>
        <p className="my-4">{RECOVERY_LEAD}</p>
        <CodeList codes={codes} className="grid gap-2" />
      </PrintSheet>
    </div>
  );
}

function CodeList({ codes, className }: { codes: readonly string[]; className: string }): ReactNode {
  return (
    <ul className={className}>
      {codes.map((code) => (
        <li key={code} dir="ltr" className="font-mono tracking-wide">
          {code}
        </li>
      ))}
    </ul>
  );
}
