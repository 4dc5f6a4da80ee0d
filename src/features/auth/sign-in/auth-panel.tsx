import { CircleAlert, MailCheck } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { firstFieldIn } from '../../../client/focus/first-field.ts';
import { Button, ButtonLink, type ButtonVariant } from '../../../client/ui/forms/button.tsx';
import { Form } from '../../../client/ui/forms/form.tsx';
import { BACK_TO_SIGN_IN, MAIL_MISSING } from '../texts.ts';

interface AuthPanelProps {
  title: string;
  text: ReactNode;
  /** Whether the first field of the panel gets the focus instead of the heading when the user switches to the panel. */
  focusesField?: boolean;
  children?: ReactNode;
}

export function AuthPanel({ title, text, focusesField = false, children }: AuthPanelProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  // When the user switches panels, the focused element disappears with the previous panel, so the new panel gets the focus. When the page
  // has just been loaded, the browser decides which element gets the focus.
  useEffect(() => {
    if ((navigator as { userActivation?: UserActivation }).userActivation?.hasBeenActive !== true) return;
    const panel = focusesField ? heading.current?.parentElement : null;
    ((panel && firstFieldIn(panel)) ?? heading.current)?.focus();
  }, [focusesField]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-[2.125rem] outline-none">
        {title}
      </h1>
      <p className="mt-2 text-ink-soft">{text}</p>
      {children}
    </>
  );
}

interface AuthFormProps {
  submitLabel: string;
  isSaving: boolean;
  variant?: ButtonVariant;
  onSubmit: (form: HTMLFormElement) => unknown;
  children: ReactNode;
}

/** Renders the form of a panel with its button. */
export function AuthForm({ submitLabel, isSaving, variant = 'main', onSubmit, children }: AuthFormProps): ReactNode {
  return (
    <Form onSubmit={({ currentTarget }) => onSubmit(currentTarget)} className="mt-7 grid gap-5 [&_input]:min-h-[46px]">
      {children}
      <Button type="submit" variant={variant} size="l" className="mt-2 w-full" isLoading={isSaving}>
        {submitLabel}
      </Button>
    </Form>
  );
}

export function MailPanel({ title, answer }: { title: string; answer: string }): ReactNode {
  return (
    <>
      <span className="mb-5 grid size-16 place-items-center rounded-card bg-accent-soft text-accent">
        <MailCheck className="size-8" strokeWidth={1.6} aria-hidden />
      </span>
      <AuthPanel title={title} text={answer}>
        <p className="mt-2 text-s text-ink-soft">{MAIL_MISSING}</p>
        <ButtonLink href="/auth" size="l" className="mt-8 w-full">
          {BACK_TO_SIGN_IN}
        </ButtonLink>
      </AuthPanel>
    </>
  );
}

/** Renders a box on the page with a problem that a toast has announced before. */
export function Notice({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="mt-6 flex gap-3 rounded-ctl border border-bad/50 bg-bad-soft px-4 py-3 text-s">
      <CircleAlert className="mt-0.5 size-[1.125rem] shrink-0 text-bad" aria-hidden />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

export function BackToSignIn({ onLeave }: { onLeave?: () => void }): ReactNode {
  return (
    <Link href="/auth" className="link mt-4 flex min-h-11 items-center justify-center text-s" onClick={() => onLeave?.()}>
      {BACK_TO_SIGN_IN}
    </Link>
  );
}
