/** A person's choice where the system's is not wanted. */
export type ChosenTheme = 'light' | 'dark';

/** Tells the server, so that the page comes in the chosen colors and not in the system's until its scripts are there. */
export const THEME_COOKIE = 'feastday_theme';

export const asTheme = (text: string | null | undefined): ChosenTheme | null => (text === 'light' || text === 'dark' ? text : null);
