import { useEffect, useRef, useState, type ReactNode } from 'react';

const PACE = 1_000;

/** Announces changes of a text to screen readers politely, at most once a second; does not announce the initial text (design §3.3). */
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
