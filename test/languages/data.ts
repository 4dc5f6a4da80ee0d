// Which words on a page are data: what the server has answered, and what was sent to it.
import type { BrowserContext, Request, Response } from '@playwright/test';

/** Sent by these names, and shown by words of ours. */
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

/** Begins to listen; the answer is everything heard until then. */
export function dataIn(context: BrowserContext): () => Promise<string[]> {
  const heard: Promise<string>[] = [];
  const isCall = (url: string): boolean => url.includes('/api/');
  const hear = (response: Response): void => {
    if (isCall(response.url())) heard.push(response.text().catch(() => ''));
  };
  const overhear = (request: Request): void => {
    if (isCall(request.url())) heard.push(Promise.resolve(request.postData() ?? ''));
  };
  context.on('response', hear).on('request', overhear);
  return async () => {
    context.off('response', hear).off('request', overhear);
    const strings = (await Promise.all(heard)).flatMap((body) => stringsIn(parsed(body))).flatMap((one) => [one, ...one.split('\n')]);
    const words = strings.map((one) => one.trim()).filter((one) => /[A-Za-z]{2}/.test(one) && !ON_THE_WIRE.has(one.toLowerCase()));
    return [...new Set(words)];
  };
}
