import { useEffect, useState, type ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { lazyScreen } from '../../../client/navigation/lazy-screen.ts';
import { writeSearchParams } from '../../../client/navigation/search-param-state.ts';
import { Brand } from '../../../client/ui/layout/brand.tsx';
import { SourceLine } from '../../../client/ui/layout/source-line.tsx';
import { PageSpinner } from '../../../client/ui/feedback/spinner.tsx';
import { isJoinToken } from '../../../domain/accounts/account.ts';
import { homeOf } from '../../../domain/accounts/roles.ts';
import { useAuth } from '../auth-provider.tsx';
import { Join, JoinLinkExpired } from './join.tsx';
import { MarketingPanel } from './marketing-panel.tsx';
import { RequestReset } from './request-reset.tsx';
import { ResetPassword } from './reset-password.tsx';
import { SignIn } from './sign-in.tsx';
import { INVALID_LINK } from '../texts.ts';

const SecondStep = lazyScreen(async () => (await import('../../second-step/second-step.tsx')).SecondStep);

/** Renders the screen at /auth, where people sign in, ask to join, and request and complete a password reset (spec §2). */
export function AuthPage(): ReactNode {
  const { user, isLoading, secondFactor } = useAuth();
  const query = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const [token, setToken] = useState(() => query.get('token'));
  const [expired, setExpired] = useState<string>();
  // Keeps the typed e-mail address when the user switches to another form.
  const [email, setEmail] = useState('');
  // Removes the token from the URL as soon as the page has read it (contract §10).
  useEffect(() => writeSearchParams({ token: '' }), []);

  if (isLoading) return <PageSpinner />;
  const forget = (): void => setToken(null);
  const expire = (): void => {
    navigate('/auth?forgot=expired', { replace: true });
    setExpired(token ?? undefined);
    forget();
  };
  const forgot = query.get('forgot');
  const code = query.get('join');
  const typed = { email, onEmail: setEmail };
  if (token !== null) return <Frame form={<ResetPassword token={token} onLeave={forget} onExpired={expire} />} />;
  if (forgot === 'expired' && expired !== undefined && isJoinToken(expired)) return <Frame form={<JoinLinkExpired />} />;
  if (forgot !== null)
    return <Frame form={<RequestReset {...typed} problem={forgot === 'expired' ? INVALID_LINK : null} expired={expired} />} />;
  if (code !== null) return <Frame form={<Join {...typed} code={code} />} />;
  if (!user && secondFactor) return <Frame form={<SecondStep factors={secondFactor} />} />;
  return user ? <Redirect to={homeOf(user.role)} replace /> : <Frame form={<SignIn {...typed} />} />;
}

function Frame({ form }: { form: ReactNode }): ReactNode {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(420px,5fr)_7fr]">
      <main className="mx-auto flex w-full max-w-[29rem] flex-col px-5 py-6 sm:px-9 lg:py-9">
        <Brand />
        {/* The form has a fixed distance from the top instead of being centered, so that messages do not move the heading. */}
        <div className="flex grow flex-col pt-[min(18dvh,10rem)] pb-10">{form}</div>
        <SourceLine />
      </main>
      <MarketingPanel />
    </div>
  );
}
