import type { ReactNode } from 'react';
import type { Connection } from '../device/counter-view.ts';
import { SERVER_TROUBLE } from '../texts.ts';

/** Says that the server is busy or has a problem, and that entries are kept. Without a network, the page's banner says so. */
export function ServerTrouble({ connection }: { connection: Connection }): ReactNode {
  const text = connection === 'busy' || connection === 'failing' ? SERVER_TROUBLE[connection] : null;
  return (
    <output className="block">
      {text !== null && <span className="mb-4 block rounded-card bg-wait-soft px-4 py-3 text-s font-semibold text-wait">{text}</span>}
    </output>
  );
}
