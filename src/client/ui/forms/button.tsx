import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { Spinner } from '../feedback/spinner.tsx';

export type ButtonVariant = 'main' | 'plain' | 'quiet' | 'danger';
type ButtonSize = 's' | 'm' | 'l';

interface Look {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
}

const VARIANTS: Record<ButtonVariant, string> = {
  main: 'border-accent bg-accent text-accent-ink hover:not-disabled:border-accent-hover hover:not-disabled:bg-accent-hover',
  plain: 'border-line-strong bg-card text-ink hover:not-disabled:border-ink-soft hover:not-disabled:bg-sunk',
  quiet: 'border-transparent text-ink-soft hover:not-disabled:bg-sunk hover:not-disabled:text-ink',
  danger: 'border-bad bg-bad text-accent-ink hover:not-disabled:border-bad-hover hover:not-disabled:bg-bad-hover',
};

// Buttons are at least 44 px high, so that a finger hits them. Small and medium buttons are lower where a mouse is used (styles.css).
const SIZES: Record<ButtonSize, string> = {
  s: 'min-h-11 px-3 text-s dense:min-h-8',
  m: 'min-h-11 px-4 text-s dense:min-h-10',
  l: 'min-h-12 px-6 text-m',
};

export const buttonClass = ({ variant = 'plain', size = 'm' }: Look = {}): string =>
  clsx(
    'button relative inline-flex max-w-full shrink-0 items-center justify-center gap-2 rounded-ctl border font-semibold leading-tight',
    VARIANTS[variant],
    SIZES[size],
  );

export interface ButtonProps extends ComponentProps<'button'>, Look {
  icon?: ReactNode;
  /** While true, the button is disabled and shows a spinner over its label; its width does not change. */
  isLoading?: boolean;
}

export function Button({ variant, size, icon, isLoading = false, disabled, className, children, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || isLoading}
      aria-busy={isLoading || undefined}
      className={clsx(buttonClass({ variant, size }), className)}
    >
      <span className={clsx('inline-flex items-center gap-2', isLoading && 'opacity-0')}>
        {icon}
        {children}
      </span>
      {isLoading && <Spinner className="absolute size-5" />}
    </button>
  );
}

interface ButtonLinkProps extends Look {
  href: string;
  icon?: ReactNode;
  className?: string;
  /** Called before the navigation. */
  onClick?: () => void;
  children: ReactNode;
}

export function ButtonLink({ href, variant, size, icon, className, onClick, children }: ButtonLinkProps): ReactNode {
  return (
    <Link href={href} onClick={onClick} className={clsx(buttonClass({ variant, size }), className)}>
      {icon}
      {children}
    </Link>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The accessible name of the button, which shows only an icon. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, className, ...rest }: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={clsx(
        'grid size-11 shrink-0 place-items-center rounded-ctl text-ink-soft hover:not-disabled:bg-sunk hover:not-disabled:text-ink disabled:opacity-50 dense:size-10 [&_svg]:size-5',
        className,
      )}
    >
      {icon}
    </button>
  );
}
