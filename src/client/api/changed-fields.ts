/**
 * Returns the fields of a form that the user has changed. A save sends only these, because the other fields may show values that somebody
 * else has changed since the form was opened, and the save would restore the earlier values.
 */
export const changedFields = <Fields extends object>(
  fields: Fields,
  isChanged: { readonly [Name in keyof Fields]?: boolean | undefined },
): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isChanged[name as keyof Fields] === true)) as Partial<Fields>;
