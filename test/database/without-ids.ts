const IS_ID = /^id$|Id$|_id$|By$|^key$|^mark$|^now$/;
/**
 * Removes the fields that differ between two otherwise equal replies: ids, the current time, and the field `mark`, with which the pick-up
 * counter screen requests only the changes since its last read.
 */
export function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (IS_ID.test(name) ? [] : [[name, withoutIds(one)]])));
}
