import type { KeyboardEvent, MouseEvent } from 'react';
import type { FormProps } from '../ui/forms/form.tsx';

const isSubmitButton = (target: EventTarget): boolean => target instanceof Element && target.closest('button')?.type === 'submit';

/**
 * Returns the props of a form that ignores a press of Enter or of its submit button if the user had not read yet, when pressing, what the press
 * confirms now (`isUnread`). An Enter key that is held down submits the form only once. This is not a part of `Form`, because the sign-in
 * page would load it, too.
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
