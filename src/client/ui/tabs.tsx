import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab<T extends string> {
  value: T;
  label: ReactNode;
  content: ReactNode;
}

export interface TabsProps<T extends string> {
  /** The accessible name of the row of tabs. */
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onValue: (value: T) => void;
}

/** Only the chosen tab's content is there. */
export function Tabs<T extends string>({ label, tabs, value, onValue }: TabsProps<T>): ReactNode {
  return (
    <Radix.Root value={value} onValueChange={(next) => onValue(next as T)} activationMode="manual">
      <Radix.List
        aria-label={label}
        className="no-print -mx-4 mb-6 flex gap-6 overflow-x-auto px-4 shadow-[inset_0_-1px_var(--line)] [scrollbar-width:none] md:mx-0 md:px-0"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
            className="min-h-11 shrink-0 border-b-2 border-transparent text-s font-semibold whitespace-nowrap text-ink-soft hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="outline-offset-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
