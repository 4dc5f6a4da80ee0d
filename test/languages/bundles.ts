// Returns the folders with the client's bundles in the pseudo-languages. bundles.setup.ts builds these bundles once before all tests, so
// that the time for building does not count toward a test's time limit.
import { resolve } from 'node:path';

export const LANGUAGES = ['en-XA', 'ar-XB'];

export const bundleOf = (language: string): string => resolve(import.meta.dirname, '../../dist/languages', language);
