// Reads the command-line options of a benchmark. Also stops, at the end of the command, the databases, servers and clients that the
// benchmark started.

/** Returns the value of an option such as `--seconds=10`, or undefined if the command does not have the option. */
export const given = (name: string): string | undefined => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);

/** The databases, servers and clients that `closeAll` stops, in the order in which they were started. */
const opened: { stop(): Promise<void> | void }[] = [];

/** Registers `thing`, so that `closeAll` stops it at the end of the command. Returns `thing`. */
export function keep<Thing extends { stop(): Promise<void> | void }>(thing: Thing): Thing {
  opened.push(thing);
  return thing;
}

/** Stops everything that `keep` has registered, in reverse order. Call it also after a failure. */
export async function closeAll(): Promise<void> {
  for (let thing = opened.pop(); thing; thing = opened.pop()) await thing.stop();
}

/** Writes a progress message with the seconds since the command began. */
export const tell = (line: string): void => console.error(`${Math.round(performance.now() / 1000)} s: ${line}`);
