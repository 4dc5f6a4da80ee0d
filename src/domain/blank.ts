// Whether a string shows nothing visible, and so is no value for a required field (spec §5).

// Spaces, control characters, and characters that render as nothing: zero-width characters, fillers, the empty braille cell.
const INVISIBLE = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const isBlankText = (text: string | null | undefined): boolean => INVISIBLE.test(text ?? '');
