// Moves the stylesheet link in index.html below the loading shell, so that the browser renders the shell as soon as the HTML arrives. The
// stylesheet then delays only the scripts.
import type { Plugin } from 'vite';

const STYLES = /\s*<link rel="stylesheet"[^>]*>/g;

export function loadingShell(): Plugin {
  return {
    name: 'loading-shell',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const links = html.match(STYLES) ?? [];
        if (links.length === 0) throw new Error('The page has no styles to put behind what stands before them.');
        return html.replaceAll(STYLES, '').replace('</body>', () => `  ${links.map((link) => link.trim()).join('\n    ')}\n  </body>`);
      },
    },
  };
}
