import type { KeyboardEvent } from 'react';

/** The `onKeyDown` of a button: an Enter key that is held down presses the button only once. */
export const ignoreRepeat = (event: KeyboardEvent): void => void (event.repeat && event.key === 'Enter' && event.preventDefault());
