// Builds one bundle per language. FEASTDAY_LANGUAGE chooses the language when the client is built (docs/decisions/010-languages.md).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import type { Plugin } from 'vite';
import { DESCRIPTION, NEEDS_JAVASCRIPT, TAKES_LONG } from '../../src/client/texts.ts';
import { inPseudo, isPseudo } from './pseudo-language.ts';

const CATALOGUE = /[/\\]texts\.ts$/;
/** An import with this suffix gets the English texts even in the bundle of another language. */
const ENGLISH = '?english';

const TAG = /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/;

/** Returns the path of a catalogue's translation, such as texts.pt-br.ts for texts.ts in 'pt-BR'. */
const fileOf = (catalogue: string, language: string): string => catalogue.replace(/\.ts$/, `.${language.toLowerCase()}.ts`);

/** Returns the names that a catalogue exports, except types. */
function textsIn(file: string): string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName: { name }, isType }) => (name === null || isType ? [] : [name])),
  );
}

const pseudoOf = (file: string, language: string): string => `
  import * as english from ${JSON.stringify(file + ENGLISH)};
  import { inPseudo } from ${JSON.stringify(join(import.meta.dirname, 'pseudo-language.ts'))};
  const said = inPseudo(${JSON.stringify(language)});
  ${textsIn(file)
    .map((name) => `export const ${name} = said(english.${name});`)
    .join('\n')}`;

/** Returns the source of a module that exports the translated texts, and the English text of each name without a translation. */
function translationOf(file: string, language: string): string {
  const translation = fileOf(file, language);
  const translated = existsSync(translation) ? textsIn(translation) : [];
  const missing = textsIn(file).filter((name) => !translated.includes(name));
  const from = (names: string[], path: string): string =>
    names.length === 0 ? '' : `export { ${names.join(', ')} } from ${JSON.stringify(path)};`;
  return from(translated, translation) + from(missing, file + ENGLISH);
}

/** The texts in index.html, which the browser shows before any script runs. */
const IN_PAGE = { DESCRIPTION, NEEDS_JAVASCRIPT, TAKES_LONG };
type PageTexts = Partial<typeof IN_PAGE>;

async function pageTexts(root: string, language: string): Promise<PageTexts> {
  if (isPseudo(language)) return inPseudo(language)(IN_PAGE) as PageTexts;
  const file = fileOf(join(root, 'src/client/texts.ts'), language);
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as PageTexts) : {};
}

const isRtlLanguage = (language: string): boolean => ['ar', 'fa', 'he', 'ur', 'yi'].includes(language.split('-')[0] ?? '');

/**
 * Returns a Vite plugin that replaces the English texts by those of the given language, in the scripts and in index.html. For English it
 * returns false.
 */
export function languages(language = process.env['FEASTDAY_LANGUAGE'] || 'en'): Plugin | false {
  if (language === 'en') return false;
  if (!TAG.test(language))
    throw new Error(`FEASTDAY_LANGUAGE must be a language, not ${JSON.stringify(language)}. Example: FEASTDAY_LANGUAGE=de`);
  let root = '';
  return {
    name: 'languages',
    enforce: 'pre',
    configResolved(config) {
      ({ root } = config);
    },
    async resolveId(source, importer) {
      if (!CATALOGUE.test(source.replace(ENGLISH, ''))) return null;
      // A catalogue that is imported in English must import other catalogues in English too, so that their texts are not converted twice.
      if (source.endsWith(ENGLISH)) return source;
      if (importer?.endsWith(ENGLISH)) {
        const resolved = await this.resolve(source, importer.replace(ENGLISH, ''), { skipSelf: true });
        return resolved && resolved.id + ENGLISH;
      }
      return null;
    },
    load(id) {
      if (CATALOGUE.test(id)) return isPseudo(language) ? pseudoOf(id, language) : translationOf(id, language);
      const file = id.replace(ENGLISH, '');
      return file !== id && CATALOGUE.test(file) ? { code: readFileSync(file, 'utf8'), moduleType: 'ts' } : null;
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const texts = await pageTexts(root, language);
        const translated = Object.entries(IN_PAGE).reduce(
          (page, [name, english]) => page.replace(english, texts[name as keyof PageTexts] ?? english),
          html,
        );
        return translated.replace('<html lang="en">', `<html lang="${language}" dir="${isRtlLanguage(language) ? 'rtl' : 'ltr'}">`);
      },
    },
  };
}
