// What spreadsheets write for true and false in the languages they come in, and what people type instead.
const TRUE = words('true wahr vrai verdadero vero waar prawda verdadeiro sand sant sann tosi igaz pravda adevărat истина אמת');
const FALSE = words('false falsch faux falso onwaar fałsz falsk usann epätosi hamis nepravda fals ложь שקר');
const YES = words('yes y ja oui sí si sim tak да כן x ✓ 1');
const NO = words('no n nein non nee não nie нет לא 0');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Blanks around it and capital letters do not count; null for any other word, and for none. */
export function parseBoolean(text: string): boolean | null {
  const word = text.trim().normalize('NFC').toLowerCase();
  if (TRUE.has(word) || YES.has(word)) return true;
  return FALSE.has(word) || NO.has(word) ? false : null;
}
