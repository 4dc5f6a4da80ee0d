// Reads the options of a benchmark's command, and closes at its end what the benchmark has opened.

/** Returns the value of an option such as `--seconds=10`, or undefined if the command does not have the option. */
export const given = (name: string): string | undefined => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);

/** The databases, servers and clients to close, in the order in which they were opened. */
const opened: { stop(): Promise<void> | void }[] = [];

/** Returns `thing`. At the end of the command, `closeAll` stops it. */
export function keep<Thing extends { stop(): Promise<void> | void }>(thing: Thing): Thing {
  opened.push(thing);
  return thing;
}

/** Stops everything in reverse order. Call it also after a failure. */
export async function closeAll(): Promise<void> {
  for (let thing = opened.pop(); thing; thing = opened.pop()) await thing.stop();
}

/** Writes a line about the progress, with the seconds since the command began. */
export const tell = (line: string): void => console.error(`${Math.round(performance.now() / 1000)} s: ${line}`);
