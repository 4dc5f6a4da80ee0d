import type { KeyboardEvent, MouseEvent } from 'react';
import type { FormProps } from '../ui/forms/form.tsx';

const isSubmitButton = (target: EventTarget): boolean => target instanceof Element && target.closest('button')?.type === 'submit';

/**
 * Returns the props of a form that ignores a press of Enter, or of its submit button, while the user cannot have read what the press would
 * confirm. `isUnread` says so for the time of a press. If Enter is held down, the form is submitted only once. `Form` itself does not do this,
 * because the sign-in page, which uses `Form`, does not need it and should load little code.
 */
export const ignoreUnread = (isUnread: (pressedAt: number) => boolean): Pick<FormProps, 'onKeyDownCapture' | 'onClickCapture'> => ({
  onKeyDownCapture: (event: KeyboardEvent) => {
    const { key, repeat, target, timeStamp } = event;
    const submits = key === 'Enter' && (target instanceof HTMLInputElement || isSubmitButton(target));
    if (submits && (repeat || isUnread(timeStamp))) event.preventDefault();
  },
  onClickCapture: (event: MouseEvent) => {
    if (isSubmitButton(event.target) && isUnread(event.timeStamp)) event.preventDefault();
  },
});
