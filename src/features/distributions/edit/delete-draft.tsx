import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSave } from '../../../client/api/use-calls.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { ConfirmDialog } from '../../../client/ui/overlays/confirm-dialog.tsx';
import { deleteDistribution, type Distribution } from '../contract.ts';
import { DELETE_DRAFT, deleteDraftText, DELETING_DRAFT, DRAFT_DELETED } from '../texts.ts';

const DASHBOARD = '/distributor';

/** Deletes a draft after a confirmation. The server refuses if the draft has orders. */
export function DeleteDraft({ distribution: { id, name } }: { distribution: Distribution }): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  // The data of this screen is not read again after deleting, because the screen would request the deleted distribution. The dashboard
  // reads its list when it opens.
  const { save, isSaving } = useSave(deleteDistribution, {
    refresh: false,
    onSaved: () => {
      toast({ title: DRAFT_DELETED });
      navigate(DASHBOARD);
    },
  });
  return (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={setIsAsking}
      trigger={
        <button type="button" disabled={isSaving} className="link inline-flex min-h-11 items-center gap-2 text-s">
          <Trash2 className="size-4" aria-hidden />
          {DELETE_DRAFT}
        </button>
      }
      title={deleteDraftText(name)}
      confirmLabel={DELETE_DRAFT}
      isDanger
      onConfirm={() => void save({ params: { id } })}
    >
      {DELETING_DRAFT}
    </ConfirmDialog>
  );
}
