import { EMPTY } from '../../texts.ts';

interface SpinbuttonAttributes {
  readonly role: 'spinbutton';
  readonly 'aria-valuenow': number | undefined;
  readonly 'aria-valuemin': number;
  readonly 'aria-valuemax': number | undefined;
  readonly 'aria-valuetext': string | undefined;
}

/**
 * Returns the ARIA attributes that make a text field a spinbutton, because `type=number` has problems (design §2.1). `value` is null when
 * `text` is not a number. A `max` of 0 means that there is no maximum.
 */
export const spinbuttonAttributes = ({ value, text, max }: { value: number | null; text: string; max: number }): SpinbuttonAttributes => ({
  role: 'spinbutton',
  'aria-valuenow': value ?? undefined,
  'aria-valuemin': 0,
  'aria-valuemax': max > 0 ? max : undefined,
  'aria-valuetext': value === null ? text.trim() || EMPTY : undefined,
});
