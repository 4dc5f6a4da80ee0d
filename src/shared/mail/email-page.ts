// Renders the layout of all mails, and of the pages that open from links in mails. The layout consists of tables with inline styles,
// because mail programs support little else. It has light and dark colors. The same content is also rendered as plain text.

export interface Block {
  readonly html: string;
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const SERIF = `Fraunces, Georgia, 'Times New Roman', serif`;
const SANS = `'Source Sans 3', -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif`;
const BODY = `font: 400 16px/1.55 ${SANS}; color: #2b1e19;`;
const SOFT = `font: 400 14px/1.5 ${SANS}; color: #63554d;`;
const CELL = `padding: 9px 0; border-bottom: 1px solid #e1dcd2; vertical-align: top;`;
const FIGURE = `font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; padding-left: 20px;`;

// These are the style rules that cannot be inline. A mail program that ignores them shows the light colors.
const STYLE = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
.ink a { color: #932030; }
.ink p, .ink ul, .ink ol { margin: 0 0 14px; }
.ink ul, .ink ol { padding-inline-start: 22px; }
.ink h1, .ink h2, .ink h3, .ink h4 { margin: 22px 0 10px; font-family: ${SERIF}; font-weight: 600; line-height: 1.25; }
.ink h1, .ink h2 { font-size: 20px; }
.ink h3, .ink h4 { font-size: 17px; }
.ink blockquote { margin: 0 0 14px; padding-inline-start: 14px; border-inline-start: 3px solid #e1dcd2; }
@media (prefers-color-scheme: dark) {
  .paper { background: #1b1511 !important; }
  .card { background: #251d19 !important; border-color: #3c332e !important; }
  .ink { color: #efebe2 !important; }
  .ink a { color: #e27170 !important; }
  .soft, .soft a { color: #b4ada3 !important; }
  .brand { color: #e27170 !important; }
  .rule { border-color: #3c332e !important; }
  .action { background: #e27170 !important; color: #1a0e0c !important; }
}`;

export const paragraph = (text: string): Block => ({
  html: `<p class="ink" style="margin: 0 0 16px; ${BODY}">${escaped(text)}</p>`,
  text,
});

export const note = (text: string): Block => ({
  html: `<p class="soft" style="margin: 0 0 16px; ${SOFT}">${escaped(text)}</p>`,
  text,
});

const ACTION = `display: inline-block; padding: 13px 26px; border-radius: 8px; background: #932030; color: #fdfcf8; font: 600 16px/1.2 ${SANS};`;

export const link = (label: string, address: string): Block => ({
  html: `<p style="margin: 8px 0 24px;"><a class="action" href="${escaped(address)}" style="${ACTION} text-decoration: none;">${escaped(label)}</a></p>`,
  text: `${label}:\n${address}`,
});

/** Renders a form whose button posts to the URL of the page itself. Only pages use it, not mails. */
export const post = (label: string): Block => ({
  html: `<form method="post" style="margin: 8px 0 16px;"><button class="action" style="${ACTION} border: 0; cursor: pointer;">${escaped(label)}</button></form>`,
  text: label,
});

/** Renders HTML that was written in the mail editor. The caller must have sanitized it. */
export const renderMarkup = (clean: string, text: string): Block => ({
  html: `<div class="ink" style="margin: 0 0 24px; ${BODY}">${clean}</div>`,
  text,
});

export interface Line {
  readonly label: string;
  readonly note?: string;
  readonly value: string;
  readonly isSum?: boolean;
}

/**
 * Renders one line of a list. The note has its own row of full width below the amount, because on a phone there is little room beside the
 * amount.
 */
function lineHtml({ label, note: remark, value, isSum }: Line): string {
  const weight = isSum ? 'font-weight: 600;' : '';
  const cell = remark ? `${CELL} border-bottom: 0; padding-bottom: 0;` : CELL;
  const below = remark && `<tr><td colspan="2" class="soft rule" style="${CELL} padding-top: 0; ${SOFT}">${escaped(remark)}</td></tr>`;
  return `<tr><td class="ink rule" style="${cell} ${BODY} ${weight}">${escaped(label)}</td>
<td class="ink rule" style="${cell} ${BODY} ${weight} ${FIGURE}">${escaped(value)}</td></tr>${below ?? ''}`;
}

export const lines = (rows: readonly Line[]): Block => ({
  html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="width: 100%; margin: 0 0 24px; border-collapse: collapse;">
${rows.map(lineHtml).join('\n')}</table>`,
  text: rows.map(({ label, note: remark, value }) => `${label}: ${value}${remark ? `\n  ${remark}` : ''}`).join('\n'),
});

export interface Page {
  readonly heading: string;
  readonly blocks: readonly Block[];
  /** The blocks below the card, which name the sender and the reason for the mail. */
  readonly footer: readonly Block[];
}

export const footnote = (text: string, address?: string): Block => {
  const shown = escaped(text);
  const html = address
    ? `<a href="${escaped(address)}" style="display: inline-block; padding: 12px 0; line-height: 20px; color: #63554d; text-decoration: underline;">${shown}</a>`
    : shown;
  return { html: `<p class="soft" style="margin: 0 0 6px; ${SOFT}">${html}</p>`, text: address ? `${text}: ${address}` : text };
};

export function mailPage({ heading, blocks, footer }: Page): Block {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(heading)}</title><style>${STYLE}</style></head>
<body class="paper" style="margin: 0; padding: 0; background: #fbf8f2;"><div role="main">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="background: #fbf8f2;"><tr><td align="center" style="padding: 32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 600px;">
<tr><td style="padding: 0 4px 16px;"><span class="brand" style="font: 600 20px/1 ${SERIF}; color: #932030; letter-spacing: -0.01em;">Feastday</span></td></tr>
<tr><td class="card" style="padding: 32px 28px 16px; background: #ffffff; border: 1px solid #e1dcd2; border-radius: 10px;">
<h1 class="ink" style="margin: 0 0 20px; font: 600 26px/1.25 ${SERIF}; color: #2b1e19; letter-spacing: -0.01em;">${escaped(heading)}</h1>
${blocks.map((block) => block.html).join('\n')}
</td></tr>
<tr><td style="padding: 20px 4px 0;">${footer.map((block) => block.html).join('\n')}</td></tr>
</table></td></tr></table></div></body></html>`;
  const below = footer.map((block) => block.text).join('\n');
  const text = [heading, ...blocks.map((block) => block.text), ...(below ? [`-- \n${below}`] : [])].join('\n\n');
  return { html, text: `${text}\n` };
}

export interface Sender {
  readonly name: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
}

/** Renders the sender's name with the postal address, which bulk mail must contain (contract §8). */
export function signature({ name, address, city, state, zip }: Sender): Block[] {
  const place = [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return [name, place].filter(Boolean).map((line) => footnote(line));
}
