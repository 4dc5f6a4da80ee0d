// Whether anybody would see anything in a text (spec §5: required).

// Blanks, controls, and what is drawn as nothing: zero-width characters, fillers, the empty braille cell.
const INVISIBLE = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const isBlankText = (text: string | null | undefined): boolean => INVISIBLE.test(text ?? '');
