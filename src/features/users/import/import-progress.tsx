import type { ReactNode } from 'react';
import { ImportProgress } from '../../../client/ui/feedback/import-progress.tsx';
import { downloadFailed, leftOut, withoutEmail, type CustomerImport } from './customer-import.ts';
import { createdText, CREATING, invitationsText, NO_INVITATION_YET, rowsText } from '../texts.ts';

export function CustomerImportProgress({ shown, action }: { shown: CustomerImport; action: ReactNode }): ReactNode {
  const { isEnded, total, done } = shown;
  const left = leftOut(shown);
  return (
    <ImportProgress
      label={CREATING}
      done={done}
      total={total}
      result={isEnded ? resultOf(shown) : null}
      failed={left}
      onDownload={() => downloadFailed(left)}
      action={action}
    />
  );
}

/** Returns the texts that show the result of the import. The total includes the rows that could not be read (spec §8). */
function resultOf({ created, invited, failed, dropped, isInvited }: CustomerImport): { title: string; text: string } {
  const invitations = isInvited ? invitationsText(invited, created) : NO_INVITATION_YET;
  const blank = withoutEmail(dropped);
  const rows = rowsText({ created, known: dropped.length - blank, blank, failed: failed.length });
  return {
    title: createdText('customer', { created, sent: created + failed.length }).title,
    text: created > 0 ? `${rows} ${invitations}` : rows,
  };
}
