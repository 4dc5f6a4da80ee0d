import { EllipsisVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../client/ui/forms/button.tsx';
import { Menu } from '../../client/ui/overlays/menu.tsx';
import { homeOf } from '../../domain/accounts/roles.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { CONTROL_ROOM } from '../control-room/texts.ts';
import { PICK_UP_PRINT } from '../print/texts.ts';
import { TILLS } from '../tills/texts.ts';
import { MORE_AT_COUNTER } from './texts.ts';

/**
 * Shows the links of the counter. Users who take payments get the link to the tills; the distributor gets the links to prints and to the
 * control room (contract §14, §15).
 */
export function CounterMenu({ distributionId }: { distributionId: string }): ReactNode {
  const { role, mayTakePayments } = useUser();
  const isDistributor = role === 'distributor';
  if (!isDistributor && mayTakePayments !== true) return null;
  const item = (label: string, page: string) => ({ label, href: `${homeOf(role)}/distribution/${distributionId}/${page}` });
  const ofDistributor = [item(CONTROL_ROOM, 'control-room'), item(PICK_UP_PRINT, 'pick-up-print')];
  return (
    <Menu
      trigger={<IconButton label={MORE_AT_COUNTER} icon={<EllipsisVertical aria-hidden />} />}
      items={[item(TILLS, 'tills'), ...(isDistributor ? ofDistributor : [])]}
    />
  );
}
