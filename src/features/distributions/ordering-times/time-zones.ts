// Returns the names of all time zones. This function is not in local-time.ts, because importing that module would load the calendar
// library.

export const timeZones = (): readonly string[] => Intl.supportedValuesOf('timeZone');

export const zoneOptions = (chosen: string): { value: string; label: string }[] =>
  [...new Set([chosen, ...timeZones()])].toSorted().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
