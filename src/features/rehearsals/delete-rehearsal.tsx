import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../client/ui/forms/button.tsx';
import { useDeleteDistribution } from '../distributions/edit/use-delete-distribution.ts';
import { DELETE_REHEARSAL, REHEARSAL_DELETED } from './texts.ts';

/** Deletes a rehearsal without asking for confirmation: nothing in it is worth keeping, and another one starts with one click. */
export function DeleteRehearsal({ id }: { id: number }): ReactNode {
  const { remove, isDeleting } = useDeleteDistribution(id, REHEARSAL_DELETED);
  return (
    <Button className="no-print" icon={<Trash2 aria-hidden />} isLoading={isDeleting} onClick={remove}>
      {DELETE_REHEARSAL}
    </Button>
  );
}
