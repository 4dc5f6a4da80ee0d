import { Tabs as Radix } from 'radix-ui';
import { useEffect, useRef, type ReactNode } from 'react';
import { LazyPart } from '../../lazy-part.tsx';
import { isRtl } from '../../is-rtl.ts';
import { SkeletonTable } from '../feedback/skeleton.tsx';

interface TabsProps<T extends string> {
  /** The accessible name of the tab list. */
  label: string;
  labels: Readonly<Record<T, string>>;
  /** The content of each tab that is shown, in the order of the tab list. */
  contents: Readonly<Partial<Record<T, ReactNode>>>;
  value: T;
  onValue: (value: T) => void;
}

// How many pixels stay free before and behind the chosen tab when it is scrolled into view. More pixels stay free behind the tab, because
// the row of tabs fades out there.
const BEFORE = 16;
const BEHIND = 48;

/** Scrolls the chosen tab into view when the tabs are wider than the screen. Scrolls the tab list only, never the page. */
function intoView(tab: HTMLElement | null): void {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const [atTab, atRow] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  const [left, right] = isRtl() ? [BEHIND, BEFORE] : [BEFORE, BEHIND];
  const missingLeft = atRow.left + left - atTab.left;
  const missingRight = atTab.right + right - atRow.right;
  if (missingLeft > 0) row.scrollLeft -= missingLeft;
  else if (missingRight > 0) row.scrollLeft += missingRight;
}

export function Tabs<T extends string>({ label, labels, contents, value, onValue }: TabsProps<T>): ReactNode {
  const tabs = Object.keys(contents) as T[];
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The positions are measured after the browser has painted. An earlier measurement would force the browser to compute the layout of the
    // whole page immediately.
    let painted: ReturnType<typeof setTimeout>;
    const painting = requestAnimationFrame(() => (painted = setTimeout(() => intoView(chosen.current))));
    return () => {
      cancelAnimationFrame(painting);
      clearTimeout(painted);
    };
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={(next) => onValue(next as T)} activationMode="manual">
      <div className="no-print -mx-4 mb-6 shadow-[inset_0_-1px_var(--line)] md:mx-0">
        {/* The labels align with the page title, and their touch areas extend beyond the labels. The row fades out where the user can
            scroll to more tabs. */}
        <Radix.List
          aria-label={label}
          // The tab list has a focus outline, too, because Shift+Tab on a tab moves the focus to the tab list.
          className="flex gap-1 overflow-x-auto px-1 focus-visible:outline-2! focus-visible:outline-focus! focus-visible:outline-solid! [scrollbar-width:none] md:-mx-3 md:px-0 after:pointer-events-none after:sticky after:end-0 after:mb-px after:w-10 after:shrink-0 after:bg-linear-to-l after:from-[var(--surface,var(--paper))] after:to-transparent rtl:after:bg-linear-to-r forced-colors:after:hidden"
        >
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab}
              value={tab}
              ref={tab === value ? chosen : undefined}
              onFocus={(event) => intoView(event.currentTarget)}
              // A clicked tab gets the focus without a focus ring. Radix focuses tabs by script, for which browsers show the ring if the
              // user pressed a key before.
              onMouseDown={(event) => event.currentTarget.focus({ focusVisible: false })}
              className="relative min-h-11 shrink-0 px-3 text-s font-semibold whitespace-nowrap text-ink-soft after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:text-ink data-[state=active]:after:bg-accent forced-colors:data-[state=active]:after:bg-[Highlight]"
            >
              {labels[tab]}
            </Radix.Trigger>
          ))}
        </Radix.List>
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab} value={tab} className="outline-offset-4">
          <LazyPart fallback={<SkeletonTable hasHead />}>{contents[tab]}</LazyPart>
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
