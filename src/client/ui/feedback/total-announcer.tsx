import { useEffect, useRef, useState, type ReactNode } from 'react';

const PACE = 1_000;

/** Lets screen readers announce a changed text politely, at most once a second. The initial text is not announced. */
export function TotalAnnouncer({ text }: { text: string }): ReactNode {
  const [said, setSaid] = useState('');
  const latest = useRef(text);
  const timer = useRef(0);
  useEffect(() => {
    if (latest.current === text) return;
    latest.current = text;
    timer.current ||= window.setTimeout(() => {
      timer.current = 0;
      setSaid(latest.current);
    }, PACE);
  }, [text]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = 0;
    },
    [],
  );
  return (
    <output aria-live="polite" className="sr-only">
      {said}
    </output>
  );
}
