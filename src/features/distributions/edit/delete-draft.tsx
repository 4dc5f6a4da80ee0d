import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import type { Distribution } from '../contract.ts';
import { DELETE_DRAFT, deleteDraftText, DELETING_DRAFT, DRAFT_DELETED } from '../texts.ts';
import { useDeleteDistribution } from './use-delete-distribution.ts';

/** Deletes a draft after a confirmation. The server refuses if the draft has orders. */
export function DeleteDraft({ distribution: { id, name } }: { distribution: Distribution }): ReactNode {
  const { remove, isDeleting } = useDeleteDistribution(id, DRAFT_DELETED);
  return (
    <ConfirmDialog
      trigger={
        <button type="button" disabled={isDeleting} className="link inline-flex min-h-11 items-center gap-2 text-s">
          <Trash2 className="size-4" aria-hidden />
          {DELETE_DRAFT}
        </button>
      }
      title={deleteDraftText(name)}
      confirmLabel={DELETE_DRAFT}
      isDanger
      onConfirm={remove}
    >
      {DELETING_DRAFT}
    </ConfirmDialog>
  );
}
