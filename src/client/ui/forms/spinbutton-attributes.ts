import { EMPTY } from '../../texts.ts';

/**
 * Returns the ARIA attributes that make a text field a spinbutton, because `type=number` has problems. `value` is null when
 * `text` is not a number. A `max` of 0 means that there is no maximum.
 */
export const spinbuttonAttributes = ({ value, text, max }: { value: number | null; text: string; max: number }) => ({
  role: 'spinbutton' as const,
  'aria-valuenow': value ?? undefined,
  'aria-valuemin': 0,
  'aria-valuemax': max > 0 ? max : undefined,
  'aria-valuetext': value === null ? text.trim() || EMPTY : undefined,
});
