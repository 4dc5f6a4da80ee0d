import type { ReactNode } from 'react';
import { DESCRIPTION } from '../../../client/texts.ts';
import { ABOUT, SELLING_POINTS } from '../texts.ts';

const STEPS: readonly { title: string; text: string; drawing: readonly string[] }[] = [
  {
    ...SELLING_POINTS.order,
    drawing: [
      'M14 6h20a4 4 0 0 1 4 4v28a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4V10a4 4 0 0 1 4-4z',
      'M16 16h9M16 24h9M16 32h9',
      'm30 15.500 2 2 3.500-4.500M30 23.500l2 2 3.500-4.500',
    ],
  },
  {
    ...SELLING_POINTS.weigh,
    drawing: ['M12 42h24l-2.500-16h-19z', 'M16.500 26a7.500 7.500 0 0 1 15 0', 'M9 11h30l-5.500 6.500h-19z', 'm24 34.500 4.500-4.500'],
  },
  {
    ...SELLING_POINTS.settle,
    drawing: ['M12 6h24v36l-4-3-4 3-4-3-4 3-4-3-4 3z', 'M18 15h12M18 22h12M18 29h7'],
  },
];

/** Describes what Feastday is for, on large screens (spec §2). */
export function MarketingPanel(): ReactNode {
  return (
    <section
      aria-label={ABOUT}
      className="relative hidden overflow-hidden bg-wine px-18 py-16 text-wine-ink lg:flex lg:flex-col lg:justify-center"
    >
      <div
        className="absolute -end-48 -bottom-56 size-[28.750rem] rounded-[50%] border border-wine-line shadow-[0_0_0_48px_oklch(0.33_0.08_18),0_0_0_49px_var(--wine-line),0_0_0_110px_oklch(0.315_0.078_18)]"
        aria-hidden
      />
      <h2 className="relative mb-11 max-w-[13ch] text-display">{DESCRIPTION}</h2>
      <ul className="relative grid max-w-lg gap-6">
        {STEPS.map((step) => (
          <li key={step.title} className="grid grid-cols-[92px_1fr] items-center gap-5">
            <span className="grid h-19 place-items-center rounded-card bg-wine-raised">
              <svg
                viewBox="0 0 48 48"
                className="size-13 fill-none stroke-wine-gold"
                strokeWidth={1.6}
                strokeLinecap="round"
                strokeLinejoin="round"
                aria-hidden
              >
                {step.drawing.map((path) => (
                  <path key={path} d={path} />
                ))}
              </svg>
            </span>
            <div>
              <p className="font-serif text-[1.1875rem] font-[560]">{step.title}</p>
              <p className="text-s text-wine-soft">{step.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
