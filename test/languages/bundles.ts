// Finds the client's bundles in the pseudo-languages. bundles.setup.ts builds them once before the tests, so that building does not count
// toward their time limit.
import { resolve } from 'node:path';

export const LANGUAGES = ['en-XA', 'ar-XB'];

export const bundleOf = (language: string): string => resolve(import.meta.dirname, '../../dist/languages', language);
