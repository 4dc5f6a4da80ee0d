/** Whether the page's language is written leftward; said by index.html, the same as long as the page lives. */
export const isRtl = (): boolean => document.documentElement.dir === 'rtl';
