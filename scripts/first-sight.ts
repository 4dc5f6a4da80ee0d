// The page draws what stands before its scripts as soon as it is there itself: its styles come behind that, and hold up nothing but the scripts.
import type { Plugin } from 'vite';

const STYLES = /\s*<link rel="stylesheet"[^>]*>/;

export function firstSight(): Plugin {
  return {
    name: 'first-sight',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [styles] = STYLES.exec(html) ?? [];
        if (styles === undefined) throw new Error('The page has no styles to put behind what stands before them.');
        return html.replace(styles, '').replace('</body>', () => `${styles.trim()}\n  </body>`);
      },
    },
  };
}
