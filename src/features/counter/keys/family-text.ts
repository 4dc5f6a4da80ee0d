// Recognizes a text by which the search finds a family, when staff have typed it into a weight field by mistake (contract §14).

export interface FamilyText {
  /** The name, the phone number, the e-mail address, or the order number after #. */
  readonly text: string;
  /** The weight that was typed before it and not entered, or ''. */
  readonly weight: string;
}

const WITH_DOTS = /^\d{3}\.\d{3}\.\d{4}$/;
/** Whether the text is a whole phone number. No weight has as many digits, and a product's barcode has more. */
export const isPhoneNumber = (text: string): boolean =>
  (/^\+?[\d\s()/-]+$/.test(text) || WITH_DOTS.test(text)) && /^\d{7,12}$/.test(text.replaceAll(/\D/g, ''));

const ORDER = /^([\d.,]*)\s*(#\s*\d+)$/;
/** An e-mail address may begin with a whole number, so only a number with decimals before it is a weight. */
const EMAIL = /^(\d*[.,]\d+|)\s*([^\s@]+@\S*\p{L}\S*)$/u;
/** A text behind a weight after which nobody has pressed Enter, or has pressed a key beside Enter. */
const BEHIND_WEIGHT = /^([\d.,]*)\s*['\\\]+*/;#-]?\s*(.+)$/;
const NAME = /^\p{L}\D+$/u;

/** Returns the text by which the search finds a family, and the weight before it; null for any other text, such as a weight. */
export function familyTextIn(content: string): FamilyText | null {
  if (isPhoneNumber(content)) return { text: content, weight: '' };
  const found = ORDER.exec(content) ?? EMAIL.exec(content);
  const [, weight = '', text = ''] = found ?? BEHIND_WEIGHT.exec(content) ?? [];
  return found || NAME.test(text) || isPhoneNumber(text) ? { text, weight } : null;
}
