import { useLocation } from 'wouter';
import { useSave } from '../../../client/api/use-calls.ts';
import { toast } from '../../../client/toasts/toast.ts';
import { deleteDistribution } from '../contract.ts';

export function useDeleteDistribution(id: number, message: string): { remove: () => void; isDeleting: boolean } {
  const [, navigate] = useLocation();
  // The data of this screen is not read again after deleting, because the screen would request the deleted distribution. The dashboard
  // reads its list when it opens.
  const { save, isSaving } = useSave(deleteDistribution, {
    refresh: false,
    onSaved: () => toast({ title: message }),
    leave: () => navigate('/distributor'),
  });
  return { remove: () => void save({ params: { id } }), isDeleting: isSaving };
}
