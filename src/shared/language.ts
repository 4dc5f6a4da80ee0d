// What a texts.<language>.ts may say, seen from its texts.ts (docs/decisions/010-languages.md).

/** Some or all of an English catalogue's texts, in other words but of the same shape. */
export type InAnyLanguage<Catalogue> = { [Name in keyof Catalogue]?: Said<Catalogue[Name]> };

type Said<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Answer
    ? (...values: Values) => Said<Answer>
    : Text extends object
      ? { [Key in keyof Text]: Said<Text[Key]> }
      : Text;
