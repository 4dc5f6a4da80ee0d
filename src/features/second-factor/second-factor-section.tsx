import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useRead } from '../../client/api/use-calls.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { Bar } from '../../client/ui/feedback/skeleton.tsx';
import { Button } from '../../client/ui/forms/button.tsx';
import { readSecondFactor } from './contract.ts';
import { FactorList } from './factor-list.tsx';
import { SecondFactorStep, type SecondFactorStepProps, type Step } from './second-factor-steps.tsx';
import { ADD_CODE_APP, ADD_PASSKEY, codesLeftText, IS_ON, NEW_CODES, NONE_YET, REQUIRED_LEAD, SECOND_FACTOR } from './texts.ts';

/** Shows the second factor in the account dialog of admins, distributors and agents (contract §19). */
export function SecondFactorSection({ onDirty }: Pick<SecondFactorStepProps, 'onDirty'>): ReactNode {
  return (
    <section className="mt-7 grid gap-3 border-t border-line pt-6">
      <h3 className="font-semibold">{SECOND_FACTOR}</h3>
      <SecondFactorChoices onDirty={onDirty} />
    </section>
  );
}

export function SecondFactorChoices({ onDirty = () => {} }: Partial<Pick<SecondFactorStepProps, 'onDirty'>>): ReactNode {
  const read = useRead(readSecondFactor);
  const factor = read.data;
  const [step, setStep] = useState<Step | null>(null);
  const choices = useRef<HTMLDivElement>(null);
  const hadStep = useRef(false);
  // When the form closes, the control that had the focus disappears, so the list of choices gets the focus.
  useEffect(() => {
    if (step === null && hadStep.current) choices.current?.focus();
    hadStep.current = step !== null;
  }, [step]);
  if (!factor) return <Pending read={read} waiting={<Bar className="h-10 w-full" />} />;
  if (step) return <SecondFactorStep step={step} onDone={() => setStep(null)} onDirty={onDirty} />;
  const isSet = factor.passkeys.length > 0 || factor.codeApp !== null;
  return (
    <div ref={choices} tabIndex={-1} className="grid gap-3 outline-none">
      <p className="text-s text-ink-soft">{[isSet ? IS_ON : NONE_YET, factor.isRequired && REQUIRED_LEAD].filter(Boolean).join(' ')}</p>
      {isSet && (
        <FactorList
          factor={factor}
          onRename={(passkey) => setStep({ kind: 'rename', passkey })}
          onRemove={(passkey) => setStep({ kind: 'remove', passkey })}
        />
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button onClick={() => setStep({ kind: 'add passkey' })}>{ADD_PASSKEY}</Button>
        {factor.codeApp === null && <Button onClick={() => setStep({ kind: 'add code app' })}>{ADD_CODE_APP}</Button>}
      </div>
      {isSet && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
          <p className="text-s text-ink-soft">{codesLeftText(factor.recoveryCodes)}</p>
          <Button size="s" onClick={() => setStep({ kind: 'renew' })}>
            {NEW_CODES}
          </Button>
        </div>
      )}
    </div>
  );
}
