import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { deleteDistribution } from '../distributions/contract.ts';
import { DELETE_REHEARSAL, REHEARSAL_DELETED } from './texts.ts';

const DASHBOARD = '/distributor';

/** Deletes a rehearsal without asking for confirmation: nothing in it is worth keeping, and another one starts with one click. */
export function DeleteRehearsal({ id }: { id: number }): ReactNode {
  const [, navigate] = useLocation();
  // The data of this screen is not read again after deleting, because the screen would request the deleted distribution. The dashboard
  // reads its list when it opens.
  const { save, isSaving } = useSave(deleteDistribution, {
    refresh: false,
    onSaved: () => {
      toast({ title: REHEARSAL_DELETED });
      navigate(DASHBOARD);
    },
  });
  return (
    <Button className="no-print" icon={<Trash2 aria-hidden />} isLoading={isSaving} onClick={() => void save({ params: { id } })}>
      {DELETE_REHEARSAL}
    </Button>
  );
}
