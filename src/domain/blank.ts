// Whether a string has no visible character, so that a required field counts as empty (spec §5).

// Matches spaces, control characters, and characters that render as nothing: zero-width characters, fillers, the empty braille cell.
const INVISIBLE = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const isBlankText = (text: string | null | undefined): boolean => INVISIBLE.test(text ?? '');
