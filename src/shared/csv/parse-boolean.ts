// TRUE and FALSE contain the words that spreadsheets write in common languages. YES and NO contain the words that people type.
const TRUE = words('true wahr vrai verdadero vero waar prawda verdadeiro sand sant sann tosi igaz pravda adevărat истина אמת');
const FALSE = words('false falsch faux falso onwaar fałsz falsk usann epätosi hamis nepravda fals ложь שקר');
const YES = words('yes y ja oui sí si sim tak да כן x ✓ 1');
const NO = words('no n nein non nee não nie нет לא 0');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Parses a cell as true or false, regardless of case and surrounding spaces. Returns null for any other word and for an empty cell. */
export function parseBoolean(text: string): boolean | null {
  const word = text.trim().normalize('NFC').toLowerCase();
  if (TRUE.has(word) || YES.has(word)) return true;
  return FALSE.has(word) || NO.has(word) ? false : null;
}
