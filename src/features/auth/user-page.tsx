import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { deviceOwner } from '../../client/storage/device-owner.ts';
import { Page } from '../../client/ui/layout/page.tsx';
import { LogoutButton } from './account/logout-button.tsx';
import type { WaitingEntriesProps } from '../counter/waiting-entries.tsx';
import { useUser } from './auth-provider.tsx';
import { welcomeText } from './texts.ts';

export function UserPage({ children }: { children: ReactNode }): ReactNode {
  return (
    <Page welcome={welcomeText(useUser().email)} logout={<LogoutButton />}>
      <CounterEntries />
      {children}
    </Page>
  );
}

/** Shows the counter entries that wait on this device. Their script is loaded only on a device that has been used as a counter. */
export function CounterEntries(props: WaitingEntriesProps): ReactNode {
  const [Entries, setEntries] = useState<ComponentType<WaitingEntriesProps> | null>(null);
  useEffect(() => {
    if (deviceOwner() === null) return;
    // The screen works without the entries, so an error is ignored. The next screen loads the script again.
    import('../counter/waiting-entries.tsx').then(
      ({ WaitingEntries }) => setEntries(() => WaitingEntries),
      () => undefined,
    );
  }, []);
  return Entries && <Entries {...props} />;
}
