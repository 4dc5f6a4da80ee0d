// Collects the words on a page that are data and need no translation: strings that the server has returned, that the page has sent, or that
// the test has typed.
import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import { templateCsv as customersTemplate } from '../../src/features/users/csv.ts';
import { templateCsv as productsTemplate } from '../../src/features/products/csv.ts';

const COLUMNS = [customersTemplate(), productsTemplate()].flatMap((csv) => csv.split(/[^\w]+/));

/** Replies contain these words as codes. A screen that shows such a code untranslated is at fault, because it must show a translated text instead. */
const ON_THE_WIRE = new Set(
  'cash|credit card|check|other|percent|flat|admin|distributor|customer|agent|order|price|fee|name|date|email'.split('|'),
);

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

interface Brought {
  typed?: string[];
  files?: string[];
}

/** Runs in the page, and records the values that are typed and the files that are read. Requests would not contain all of these values. */
function keepBrought(): void {
  const brought = globalThis as Brought;
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) (brought.typed ??= []).push(target.value);
  });
  // oxlint-disable-next-line typescript/unbound-method -- the method is later called with `arrayBuffer.call(this)`
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = async function () {
    const bytes = await arrayBuffer.call(this);
    const name = this instanceof File ? this.name : '';
    (brought.files ??= []).push(name, new TextDecoder().decode(bytes));
    return bytes;
  };
}

/**
 * Returns the strings that a page got from the test: values typed into fields, values in the URL, and names and cells of files. If there
 * was a file, the names of its columns are added, because they are the same in every language.
 */
async function broughtTo(page: Page): Promise<string[]> {
  const { typed, files } = await page.evaluate(() => {
    const { typed = [], files: read = [] } = globalThis as Brought;
    return { typed: [...typed, ...new URLSearchParams(location.search).values()], files: read };
  });
  const cells = files.flatMap((text) => [text, text.toLowerCase()]).flatMap((text) => text.split(/[;,\t\n"]/));
  return [...typed, ...cells, ...(files.length > 0 ? COLUMNS : [])];
}

const prepared = new WeakSet<BrowserContext>();

/**
 * Starts to record the data of all pages in the context. The returned function returns everything that was recorded so far, including what
 * the test has typed into the page.
 */
export async function dataIn(context: BrowserContext): Promise<(page: Page) => Promise<string[]>> {
  if (!prepared.has(context)) await context.addInitScript(keepBrought);
  prepared.add(context);
  const heard: Promise<string>[] = [];
  const isCall = (url: string): boolean => url.includes('/api/');
  const hear = (response: Response): void => {
    if (isCall(response.url())) heard.push(response.text().catch(() => ''));
  };
  const overhear = (request: Request): void => {
    if (isCall(request.url())) heard.push(Promise.resolve(request.postData() ?? ''));
  };
  context.on('response', hear).on('request', overhear);
  return async (page) => {
    context.off('response', hear).off('request', overhear);
    const said = (await Promise.all(heard)).flatMap((body) => stringsIn(parsed(body)));
    const strings = [...said.filter((one) => !ON_THE_WIRE.has(one.trim().toLowerCase())), ...(await broughtTo(page))];
    const words = strings.flatMap((one) => [one, ...one.split('\n')]).map((one) => one.trim());
    return [...new Set(words.filter((one) => /[A-Za-z]{2}/.test(one)))];
  };
}
