/**
 * Returns all time zones as options of a select field. This function is not in local-time.ts, because importing that module would load the
 * calendar library.
 */
export const zoneOptions = (chosen: string): { value: string; label: string }[] =>
  [...new Set([chosen, ...Intl.supportedValuesOf('timeZone')])]
    .toSorted()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
