import clsx from 'clsx';
import { useEffect, useState, type AriaAttributes, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import type { Cents } from '../../../domain/money.ts';
import { balanceText } from '../../../domain/payment.ts';
import { useDeliberateKey } from '../keys/use-deliberate-key.ts';
import type { Account } from '../screen/order-sums.ts';
import { BALANCE, ESTIMATED, PRESS_AGAIN } from '../texts.ts';

/** How long the main button says that it has ignored a key. */
const HINT_MS = 4000;

interface PayButtonProps {
  /** Returns whether the amount to pay had just changed, although staff did not type it, when a key was pressed. */
  isUnread: (pressedAt: number) => boolean;
  /** The amount that is due. A click that may be meant for another amount is ignored (use-layout-shift-guard.ts, use-single-clicks.ts). */
  meaning?: Cents;
  isDisabled?: boolean;
  /** The attributes of a button that refuses the payment and says why. */
  refusal?: AriaAttributes;
  onPress: () => void;
  children: ReactNode;
}

/** A button beside the main button, for example *Pay only*. */
export function QuietButton({ isUnread, meaning, isDisabled = false, refusal, onPress, children }: PayButtonProps): ReactNode {
  const deliberateKey = useDeliberateKey(isUnread);
  return (
    <Button
      {...deliberateKey}
      {...refusal}
      data-meaning={meaning}
      variant="quiet"
      disabled={isDisabled}
      className="aria-disabled:opacity-55"
      onClick={onPress}
    >
      {children}
    </Button>
  );
}

interface MainButtonProps extends PayButtonProps {
  /** The id of the form that contains the weight fields. */
  formId: string;
  account: Account;
  isQuiet?: boolean;
  isNarrow: boolean;
  /** Shown above the button on narrow screens. */
  hint: ReactNode;
}

/**
 * The main button. Enter in the last weight field moves the focus to it. On narrow screens it sticks to the bottom together with the
 * balance.
 */
export function MainButton(props: MainButtonProps): ReactNode {
  const { formId, account, isUnread, meaning, isQuiet = false, isDisabled = false, refusal, isNarrow, hint, onPress, children } = props;
  const [isTooSoon, setIsTooSoon] = useState(false);
  const deliberateKey = useDeliberateKey(isUnread, () => setIsTooSoon(true));
  useEffect(() => {
    if (!isTooSoon) return;
    const timer = setTimeout(() => setIsTooSoon(false), HINT_MS);
    return () => clearTimeout(timer);
  }, [isTooSoon]);
  const pressAgain = isTooSoon && PRESS_AGAIN;
  const button = (
    <Button
      {...deliberateKey}
      {...refusal}
      data-meaning={meaning}
      type="submit"
      form={formId}
      size="l"
      variant={isQuiet ? 'plain' : 'main'}
      className={clsx('text-balance aria-disabled:opacity-55', isNarrow ? 'ms-auto min-w-0 shrink!' : 'w-full')}
      disabled={isDisabled}
      onClick={(event) => {
        event.preventDefault();
        setIsTooSoon(false);
        onPress();
      }}
    >
      {children}
    </Button>
  );
  // The message is shown in the space above the button, so that nothing moves.
  if (!isNarrow)
    return (
      <div className="relative">
        <p role="status" className="absolute inset-x-0 bottom-full pb-1.5 text-center text-xs leading-4 font-semibold text-wait">
          {pressAgain}
        </p>
        {button}
      </div>
    );
  return (
    <section
      aria-label={BALANCE}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-bar"
    >
      {hint && <div className="mb-2">{hint}</div>}
      <p role="status" className="text-s font-semibold text-wait not-empty:mb-2">
        {pressAgain}
      </p>
      <div className="flex items-center gap-4">
        <span className="leading-tight">
          <span className="figure num block text-l whitespace-nowrap">{balanceText(account.balance)}</span>
          <span className="block text-xs text-ink-soft">{account.unweighed > 0 ? ESTIMATED : BALANCE}</span>
        </span>
        {button}
      </div>
    </section>
  );
}
