// Decides whether a string has no visible character. A required field with such a string counts as empty (spec §5).

// Matches strings of spaces, control characters and other invisible characters, such as zero-width characters, fillers and the empty
// braille cell.
const INVISIBLE = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const isBlankText = (text: string | null | undefined): boolean => INVISIBLE.test(text ?? '');
