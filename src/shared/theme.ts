/** The theme that the user has chosen. It overrides the theme of the operating system. */
export type ChosenTheme = 'light' | 'dark';

/**
 * The name of the cookie with the chosen theme. The browser sends it with each page request, so that the server can render the page in the
 * chosen colors.
 */
export const THEME_COOKIE = 'feastday_theme';

export const asTheme = (text: string | null | undefined): ChosenTheme | null => (text === 'light' || text === 'dark' ? text : null);
