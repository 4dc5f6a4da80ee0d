import { chosenTheme } from '../../../client/storage/theme.ts';
import { useMedia } from '../../../client/hooks/use-media.ts';

export function useIsDark(): boolean {
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const chosen = chosenTheme();
  return chosen === 'system' ? isSystemDark : chosen === 'dark';
}

/**
 * Returns CSS with which the editor shows its content as the mail will look. The editor has its own document, to which the page's styles do
 * not apply.
 */
export function editorTheme(isDark: boolean): string {
  const [card, ink, line, accent] = isDark ? ['#251d19', '#efebe2', '#8f8378', '#f09a97'] : ['#ffffff', '#2b1e19', '#998c80', '#932030'];
  return `html { background: ${card}; color-scheme: ${isDark ? 'dark' : 'light'}; }
body { margin: 16px; background: ${card}; color: ${ink}; font: 16px/1.55 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4 { margin: 0 0 12px; font-family: Georgia, 'Times New Roman', serif; font-weight: 600; line-height: 1.25; }
p { margin: 0 0 14px; }
a { color: ${accent}; }
hr { border: 0; border-top: 1px solid ${line}; }`;
}
