import type { startAuthentication } from '@simplewebauthn/browser';
import { useState, type ReactNode } from 'react';
import { sentenceOf } from '../../client/api/fetch.ts';
import { useSave } from '../../client/api/use-calls.ts';
import { dismissToasts, toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import type { Factor } from '../../domain/accounts/second-factor.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { LOGIN_FAILED } from '../auth/texts.ts';
import { AuthForm, AuthPanel, Notice } from '../auth/sign-in/auth-panel.tsx';
import { requestPasskey, takeSecondStep, type Assertion } from './contract.ts';
import {
  CODE,
  CODE_REQUIRED,
  CONTINUE,
  ENTER_PASSWORD,
  OTHER_WAYS,
  PASSKEY_FAILED,
  RECOVERY_CODE,
  RECOVERY_REQUIRED,
  START_OVER,
  STEP_EXPIRED,
  STEP_LEAD,
  STEP_TITLE,
  USE_PASSKEY,
} from './texts.ts';

type Way = Factor | 'recovery';
type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Asks for the second step of a sign-in: a passkey, a code or a recovery code (contract §19). */
export function SecondStep({ factors }: { factors: readonly Factor[] }): ReactNode {
  const { becomeUser, askSecondFactor } = useAuth();
  const [way, setWay] = useState<Way>(factors[0] ?? 'recovery');
  const [refusal, setRefusal] = useState<string | null>(null);
  const { save, isSaving } = useSave(takeSecondStep, { refresh: false, onSaved: becomeUser, errorTitle: LOGIN_FAILED });
  const others = ([...factors, 'recovery'] as const).filter((other) => other !== way);
  const change = (next: Way): void => {
    setRefusal(null);
    setWay(next);
  };
  const startOver = (): void => {
    dismissToasts();
    askSecondFactor(null);
  };
  const send = async (body: Parameters<typeof save>[0]['body']): Promise<boolean> => {
    setRefusal(null);
    dismissToasts();
    const saved = await save({ body });
    if (!saved.ok) setRefusal(sentenceOf(saved.error));
    return saved.ok;
  };
  if (refusal === STEP_EXPIRED) {
    return (
      <AuthPanel key="expired" title={STEP_TITLE} text={STEP_EXPIRED}>
        <Button variant="main" size="l" className="mt-7 w-full" onClick={startOver}>
          {ENTER_PASSWORD}
        </Button>
      </AuthPanel>
    );
  }
  return (
    <AuthPanel key={way} title={STEP_TITLE} text={STEP_LEAD[way]} focusesField>
      {refusal !== null && <Notice>{refusal}</Notice>}
      {way === 'passkey' ? (
        <PasskeyForm isSaving={isSaving} onSigned={(passkey) => send({ passkey })} onRefused={setRefusal} />
      ) : (
        <CodeForm key={way} way={way} isSaving={isSaving} onCode={(code) => send(way === 'code' ? { code } : { recoveryCode: code })} />
      )}
      <div className="mt-4 grid justify-items-center">
        {others.map((other) => (
          <button key={other} type="button" className="link min-h-11 text-s" onClick={() => change(other)}>
            {OTHER_WAYS[other]}
          </button>
        ))}
        <button type="button" className="link min-h-11 text-s" onClick={startOver}>
          {START_OVER}
        </button>
      </div>
    </AuthPanel>
  );
}

interface PasskeyFormProps {
  isSaving: boolean;
  onSigned: (passkey: Assertion) => Promise<boolean>;
  onRefused: (sentence: string) => void;
}

function PasskeyForm({ isSaving, onSigned, onRefused }: PasskeyFormProps): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const { save } = useSave(requestPasskey, { refresh: false, errorTitle: LOGIN_FAILED });
  const sign = async (): Promise<void> => {
    const options = await save();
    if (!options.ok) return onRefused(sentenceOf(options.error));
    try {
      const browser = await import('@simplewebauthn/browser');
      await onSigned(await browser.startAuthentication({ optionsJSON: options.reply as Options }));
    } catch {
      // The browser throws when the user cancels its dialog, or when the device has none of the user's passkeys.
      toast({ title: LOGIN_FAILED, description: PASSKEY_FAILED, variant: 'destructive', actionKey: PASSKEY_FAILED });
      onRefused(PASSKEY_FAILED);
    }
  };
  return (
    <Button
      variant="main"
      size="l"
      className="mt-7 w-full"
      isLoading={isAsking || isSaving}
      onClick={() => {
        setIsAsking(true);
        void sign().finally(() => setIsAsking(false));
      }}
    >
      {USE_PASSKEY}
    </Button>
  );
}

interface CodeFormProps {
  way: 'code' | 'recovery';
  isSaving: boolean;
  onCode: (code: string) => Promise<boolean>;
}

function CodeForm({ way, isSaving, onCode }: CodeFormProps): ReactNode {
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isCode = way === 'code';
  const isMissing = isCode ? code.replaceAll(/\D/g, '').length !== 6 : code.trim() === '';
  const problem = isCode ? CODE_REQUIRED : RECOVERY_REQUIRED;
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setIsTried(true);
    const input = form.elements.namedItem('code') as HTMLInputElement;
    if (!isMissing && (await onCode(code))) return;
    input.focus();
    input.select();
  };
  return (
    <AuthForm submitLabel={CONTINUE} isSaving={isSaving} onSubmit={submit}>
      <TextField
        label={isCode ? CODE : RECOVERY_CODE}
        name="code"
        autoComplete={isCode ? 'one-time-code' : 'off'}
        inputMode={isCode ? 'numeric' : 'text'}
        autoCapitalize={isCode ? 'off' : 'characters'}
        spellCheck={false}
        maxLength={isCode ? 10 : 40}
        dir="ltr"
        value={code}
        error={isTried && isMissing ? problem : undefined}
        onChange={(event) => setCode(event.target.value)}
      />
    </AuthForm>
  );
}
