import { KeyRound, Pencil, Smartphone, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../client/ui/forms/button.tsx';
import { shortDate } from '../../shared/dates.ts';
import type { PasskeyItem, SecondFactor } from './contract.ts';
import { addedText, CODE_APP, removeLabel, renameLabel, usedText } from './texts.ts';

interface FactorListProps {
  factor: SecondFactor;
  onRename: (passkey: PasskeyItem) => void;
  /** Called with the passkey to remove, or with `null` to remove the code app. */
  onRemove: (passkey: PasskeyItem | null) => void;
}

const datesText = ({ createdAt, usedAt }: { createdAt: string; usedAt: string | null }): string =>
  [addedText(shortDate(createdAt.slice(0, 10))), usedAt === null ? null : usedText(shortDate(usedAt.slice(0, 10)))]
    .filter(Boolean)
    .join(', ');

export function FactorList({ factor: { passkeys, codeApp }, onRename, onRemove }: FactorListProps): ReactNode {
  return (
    <ul className="divide-y divide-line rounded-ctl border border-line">
      {passkeys.map((passkey) => (
        <Row key={passkey.id} icon={<KeyRound aria-hidden />} name={passkey.name} dates={datesText(passkey)}>
          <IconButton label={renameLabel(passkey.name)} icon={<Pencil aria-hidden />} onClick={() => onRename(passkey)} />
          <IconButton label={removeLabel(passkey.name)} icon={<Trash2 aria-hidden />} onClick={() => onRemove(passkey)} />
        </Row>
      ))}
      {codeApp && (
        <Row icon={<Smartphone aria-hidden />} name={CODE_APP} dates={datesText(codeApp)}>
          <IconButton label={removeLabel(CODE_APP)} icon={<Trash2 aria-hidden />} onClick={() => onRemove(null)} />
        </Row>
      )}
    </ul>
  );
}

function Row({ icon, name, dates, children }: { icon: ReactNode; name: string; dates: string; children: ReactNode }): ReactNode {
  return (
    <li className="flex items-center gap-3 py-1.5 ps-3 pe-1 [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-ink-soft">
      {icon}
      <div className="min-w-0 grow">
        <p className="font-semibold break-words">{name}</p>
        <p className="text-s text-ink-soft">{dates}</p>
      </div>
      <div className="flex shrink-0">{children}</div>
    </li>
  );
}
