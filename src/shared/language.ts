// Defines the type of a translation file texts.<language>.ts, derived from the English file texts.ts (docs/decisions/010-languages.md).

/** A translation of some or all strings of an English catalogue, with the same types. */
export type InAnyLanguage<Catalogue> = { [Name in keyof Catalogue]?: Said<Catalogue[Name]> };

type Said<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Answer
    ? (...values: Values) => Said<Answer>
    : Text extends object
      ? { [Key in keyof Text]: Said<Text[Key]> }
      : Text;
