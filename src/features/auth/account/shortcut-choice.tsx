import { useState, type ReactNode } from 'react';
import { setShortcutsOn, areShortcutsOn } from '../../../client/focus/shortcut-preference.ts';
import { CheckField } from '../../../client/ui/forms/field.tsx';
import { SLASH, SLASH_LEAD } from '../texts.ts';

/** Renders the checkbox that switches single-key shortcuts off on this device. The checkbox is hidden on phones, which have no keyboard. */
export function ShortcutChoice(): ReactNode {
  const [isOn, setIsOn] = useState(areShortcutsOn);
  const choose = (next: boolean): void => {
    setShortcutsOn(next);
    setIsOn(next);
  };
  return (
    <section className="mt-7 hidden border-t border-line pt-5 md:block">
      <CheckField label={SLASH} hint={SLASH_LEAD} checked={isOn} onChange={(event) => choose(event.target.checked)} />
    </section>
  );
}
