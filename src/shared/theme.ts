/** The theme that the user has chosen. It overrides the theme of the operating system. */
export type ChosenTheme = 'light' | 'dark';

/** The browser sends the chosen theme in this cookie, so that the first page already has its colors. */
export const THEME_COOKIE = 'feastday_theme';

export const asTheme = (text: string | null | undefined): ChosenTheme | null => (text === 'light' || text === 'dark' ? text : null);
