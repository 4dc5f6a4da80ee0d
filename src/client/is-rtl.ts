/** Whether the page's language is written right to left; index.html sets it once. */
export const isRtl = (): boolean => document.documentElement.dir === 'rtl';
