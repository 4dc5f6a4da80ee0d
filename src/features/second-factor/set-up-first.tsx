import type { ReactNode } from 'react';
import { Brand } from '../../client/ui/layout/brand.tsx';
import { LogoutButton } from '../auth/account/logout-button.tsx';
import { SecondFactorChoices } from './second-factor-section.tsx';
import { SET_UP_LEAD, SET_UP_TITLE } from './texts.ts';

/**
 * This screen asks an agent to set up a second factor that the distributor requires. Until then, the agent sees no other screen (contract
 * §19).
 */
export function SetUpFirst(): ReactNode {
  return (
    <main className="mx-auto grid max-w-xl gap-5 px-5 py-6">
      <div className="flex items-center justify-between gap-4">
        <Brand />
        <LogoutButton />
      </div>
      <h1 className="mt-6 text-[2.125rem]">{SET_UP_TITLE}</h1>
      <p className="text-ink-soft">{SET_UP_LEAD}</p>
      <SecondFactorChoices />
    </main>
  );
}
