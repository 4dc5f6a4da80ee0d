import type { ReactNode } from 'react';

export function CheckRow({
  isOn,
  onToggle,
  children,
}: {
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  children: ReactNode;
}): ReactNode {
  return (
    <label className="flex min-h-11 items-center gap-3 text-s dense:min-h-9">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onToggle(event.target.checked)}
        className="size-5 shrink-0 accent-accent"
      />
      <span className="min-w-0 break-words">{children}</span>
    </label>
  );
}
