/** The user's own choice, which overrides the system's theme. */
export type ChosenTheme = 'light' | 'dark';

/** Tells the server the chosen theme, so that the first page already has its colors. */
export const THEME_COOKIE = 'feastday_theme';

export const asTheme = (text: string | null | undefined): ChosenTheme | null => (text === 'light' || text === 'dark' ? text : null);
