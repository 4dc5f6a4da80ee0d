// Sanitizes the HTML that distributors write for mails, and converts it to plain text. Both functions work on parsed HTML, never on the raw
// string.
import type { IOptions } from 'sanitize-html';
import { DEEPEST_ELEMENT, LONGEST_ATTRIBUTE, MAIL_TAGS, MAX_ELEMENTS } from '../../shared/mail/email-tags.ts';

// `isSanitizedHtml` must know every character that a style may have.
const COLOUR = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d .,%]+\)$/i, /^[a-z]{3,20}$/i];
const LENGTH = [/^\d{1,4}(\.\d{1,3})?(px|pt|em|rem|%)?$/];
const BLOCK_STYLES = { 'text-align': [/^(left|right|center|justify)$/], 'padding-left': LENGTH, 'margin-left': LENGTH };
const TEXT_STYLES = {
  color: COLOUR,
  'background-color': COLOUR,
  'font-size': LENGTH,
  'font-weight': [/^(normal|bold|[1-9]00)$/],
  'font-style': [/^(normal|italic)$/],
  'text-decoration': [/^(none|underline|line-through)$/],
};

const isAbsolute = (address: string | undefined, schemes: RegExp): boolean => schemes.test((address ?? '').trim());

const ALLOWED: IOptions = {
  allowedTags: MAIL_TAGS,
  allowedAttributes: {
    '*': ['style'],
    a: ['href', 'title'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  allowedStyles: { '*': { ...BLOCK_STYLES, ...TEXT_STYLES } },
  nestingLimit: 50,
  // A link with a relative URL loses its `href`, because a relative URL has no target in a mail.
  transformTags: {
    a: (tagName, { href = '', ...attribs }) => ({
      tagName,
      attribs: isAbsolute(href, /^(https?:\/\/|mailto:|tel:)/i) ? { ...attribs, href } : attribs,
    }),
  },
  onOpenTag: (_name, attribs) => assertShortAttributes(attribs),
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isAbsolute(attribs['src'], /^https?:\/\//i),
};

const TAG_NAMES = MAIL_TAGS.join('|');
const SANITIZED_ATTRIBUTE = [
  '(?:title|alt|width|height|colspan|rowspan|start)(?:="[^"<>]*")?',
  'style="[-\\w#.,%:; ()]*"',
  'href="\\s*(?:https?://|mailto:|tel:)[^"<>]*"',
  'src="\\s*https?://[^"<>]*"',
].join('|');
const SANITIZED_TAG = new RegExp(`<(?:/(?:${TAG_NAMES})|(?:${TAG_NAMES})(?: (?:${SANITIZED_ATTRIBUTE}))*(?: /)?)>`, 'gi');

/**
 * Whether every tag and attribute is allowed and written exactly as sanitize-html writes it, and the text contains no other `<`. The check
 * takes linear time.
 */
export const isSanitizedHtml = (html: string): boolean => !html.replaceAll(SANITIZED_TAG, '').includes('<');

class TooComplexError extends Error {}
class LongAttributeError extends Error {}

/** sanitize-html reads the values of these attributes in a time that grows with the square of their length. */
const READ_ATTRIBUTES = ['href', 'src', 'style'];
const assertShortAttributes = (attribs: Readonly<Record<string, string>>): void => {
  if (READ_ATTRIBUTES.some((name) => (attribs[name] ?? '').length > LONGEST_ATTRIBUTE)) throw new LongAttributeError();
};

const sanitizer = async () => (await import('sanitize-html')).default;

/**
 * Sanitizes HTML. The parsing time grows with the number of elements times their depth, so the function throws a TooComplexError above a
 * limit.
 */
async function sanitize(html: string, { onOpenTag, ...options }: IOptions): Promise<string> {
  let elements = 0;
  let depth = 0;
  const count = {
    onOpenTag: (name: string, attribs: Readonly<Record<string, string>>): void => {
      onOpenTag?.(name, attribs);
      elements++;
      depth++;
      if (elements > MAX_ELEMENTS || depth > DEEPEST_ELEMENT) throw new TooComplexError();
    },
    onCloseTag: (): void => void depth--,
  };
  return (await sanitizer())(html, { ...options, ...count });
}

/**
 * Returns the sanitized HTML, from which everything that is not allowed was removed. Throws a LongAttributeError if sanitize-html would need
 * too much time for an attribute.
 */
export const sanitizeMailHtml = async (html: string): Promise<string> => (await sanitize(html, ALLOWED)).trim();

/** Whether the HTML contains an embedded image (a data: URL). Most mail programs hide such images, and contract §2 refuses them. */
export async function hasDataImage(html: string): Promise<boolean> {
  if (!/data:|&/i.test(html)) return false;
  let found = false;
  const options: IOptions = {
    allowedTags: ['img'],
    transformTags: {
      img: (tagName, attribs) => {
        const source = `${attribs['src'] ?? ''} ${attribs['srcset'] ?? ''}`.replace(/\s/g, '');
        found ||= /(^|,|\s)data:/i.test(source);
        // The attributes are not needed any more. sanitize-html would read the srcset in quadratic time, and log its errors.
        return { tagName, attribs: {} };
      },
    },
  };
  await sanitize(html, options);
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

function linkText(href: string, shown: string): string {
  const address = href.replace(/^mailto:|^tel:/, '');
  const words = shown.replace(/<[^>]*>/g, '').trim();
  return words === '' || words === address || words === address.replace(/^https?:\/\//, '') ? address : `${words} (${address})`;
}

/** Matches a link with its text. For sanitized HTML, the match takes linear time, also if thousands of links have no end tag. */
const LINK = /<a (?:(?!href=")[^>])*href="([^"]*)"[^>]*>([^<]*(?:<(?!a |\/a>)[^<]*)*)<\/a>/g;

export const textOf = (clean: string): string =>
  clean
    .replace(/\s+/g, ' ')
    .replace(LINK, (_, href: string, shown: string) => linkText(href, shown))
    .replace(/<img [^>]*?alt="([^"]+)"[^>]*>/g, '[$1]')
    .replace(/<br ?\/?>/g, '\n')
    .replace(/<hr ?\/?>/g, '\n----\n')
    .replace(/<li[^>]*>/g, '\n- ')
    .replace(/<\/(td|th)>/g, '  ')
    .replace(/<\/(p|h\d|ul|ol|blockquote|pre|table)>/g, '\n\n')
    .replace(/<\/(div|tr)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    // Spaces are collapsed first, so that the next expression reads each space only once.
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

export const hasContent = (clean: string): boolean => /<img /.test(clean) || textOf(clean).replace(/[\s\u00a0\u200b]/g, '') !== '';

export type HtmlProblem = 'too complex' | 'long attribute' | 'data image' | 'no content';
export type CheckedHtml = { readonly html: string; readonly text: string } | { readonly problem: HtmlProblem };

/**
 * Returns the sanitized HTML and its plain text, or the reason for a refusal. This takes up to a second, so html-thread-pool.ts runs it on
 * another thread.
 */
export async function checkMailHtml(html: string): Promise<CheckedHtml> {
  try {
    if (await hasDataImage(html)) return { problem: 'data image' };
    const clean = await sanitizeMailHtml(html);
    return hasContent(clean) ? { html: clean, text: textOf(clean) } : { problem: 'no content' };
  } catch (error) {
    if (error instanceof TooComplexError) return { problem: 'too complex' };
    if (error instanceof LongAttributeError) return { problem: 'long attribute' };
    throw error;
  }
}
