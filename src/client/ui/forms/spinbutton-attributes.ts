import { EMPTY } from '../../texts.ts';

interface SpinbuttonAttributes {
  readonly role: 'spinbutton';
  readonly 'aria-valuenow': number | undefined;
  readonly 'aria-valuemin': number;
  readonly 'aria-valuemax': number | undefined;
  readonly 'aria-valuetext': string | undefined;
}

/**
 * ARIA attributes that make a text field a spinbutton, without the problems of `type=number` (design §2.1). `value` is null where `text` is
 * not a number; a `max` of 0 means no limit.
 */
export const spinbuttonAttributes = ({ value, text, max }: { value: number | null; text: string; max: number }): SpinbuttonAttributes => ({
  role: 'spinbutton',
  'aria-valuenow': value ?? undefined,
  'aria-valuemin': 0,
  'aria-valuemax': max > 0 ? max : undefined,
  'aria-valuetext': value === null ? text.trim() || EMPTY : undefined,
});
