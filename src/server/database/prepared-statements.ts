// Names prepared statements. PostgreSQL prepares each statement once per connection under its name.

/**
 * PostgreSQL returns SQLSTATE 0A000 when a migration by a newer process has changed the columns of a prepared statement. The statement is
 * then prepared and run again under a new name.
 */
export const CHANGED_PLAN = '0A000';
const MAX_PREPARED = 500;
const FORGET_AGAIN = 1000;

/** Maps the text of each prepared statement to its name. The name of a text that must not be prepared is undefined. */
const names = new Map<string, string | undefined>();
let timesForgotten = 0;
/** Maps a statement text to the time (`performance.now()`) when a failure of this statement last invalidated all prepared statements. */
const forgottenAt = new Map<string, number>();

/**
 * Returns the name under which a statement text is prepared. Once the maximum number of names is reached, further texts are not prepared,
 * so that generated SQL cannot fill the memory of the database server.
 */
export function nameOf(text: string): string | undefined {
  if (names.has(text) || names.size >= MAX_PREPARED) return names.get(text);
  const name = `s${timesForgotten}_${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Makes every connection prepare every statement again. Call this after the prepared statement `name` with the text `text` has failed
 * because a migration changed its columns. A migration can affect several statements at once, and the first failure invalidates all of
 * them. A statement that fails twice within a second is not prepared again.
 */
export function invalidatePreparedStatements(text: string, name: string | undefined): void {
  if (name === undefined || names.get(text) !== name) return;
  const now = performance.now();
  if (now - (forgottenAt.get(text) ?? -Infinity) < FORGET_AGAIN) return void names.set(text, undefined);
  if (forgottenAt.size >= MAX_PREPARED) forgottenAt.clear();
  forgottenAt.set(text, now);
  timesForgotten++;
  names.clear();
}
