import { useCallback, useEffect, useRef, useState } from 'react';
import { parseScaleLine, takeStable, type Placement, type ScaleReading } from '../../domain/counter/scale-line.ts';

/** The part of Web Serial that Feastday uses. TypeScript's DOM library does not declare this API. */
export interface ScalePort {
  open: (options: { baudRate: number }) => Promise<void>;
  close: () => Promise<void>;
  readonly readable: ReadableStream<Uint8Array> | null;
}
export interface Serial {
  /** Lets the user choose a port. The promise rejects when the user chooses none. */
  requestPort: () => Promise<ScalePort>;
}

/** Returns the browser's Web Serial, or null where the browser has none. */
const browserSerial = (): Serial | null => (navigator as Navigator & { readonly serial?: Serial }).serial ?? null;

/** The default baud rate of common bench scales. */
const BAUD_RATE = 9600;
/** The number of characters that are kept while no line break arrives; earlier characters are discarded. */
const LONGEST_LINE = 200;

/** Calls `onLine` with each line until the stream ends or is canceled. */
async function readLines(reader: ReadableStreamDefaultReader<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '').slice(-LONGEST_LINE);
    for (const line of lines) onLine(line);
  }
}

export type ScaleState = 'off' | 'connecting' | 'on' | 'failed';

/**
 * Reads the weights of a scale over Web Serial (contract §14). Each time something is placed on the scale, `onWeight` is called with the
 * first stable weight. `connect` must be called from a click or key event, because browsers require a user action. When the scale is
 * unplugged, the state becomes 'failed'.
 */
export function useScale(
  onWeight: (reading: ScaleReading) => void,
  serial = browserSerial(),
): { isSupported: boolean; state: ScaleState; connect: () => Promise<void>; disconnect: () => Promise<void> } {
  const [state, setState] = useState<ScaleState>('off');
  const latest = useRef(onWeight);
  useEffect(() => {
    latest.current = onWeight;
  });
  const reader = useRef<ReadableStreamDefaultReader<Uint8Array> | null>(null);

  const connect = useCallback(async (): Promise<void> => {
    if (serial === null || reader.current !== null) return;
    setState('connecting');
    let port: ScalePort | null = null;
    try {
      port = await serial.requestPort();
      await port.open({ baudRate: BAUD_RATE });
      reader.current = port.readable?.getReader() ?? null;
      if (reader.current === null) throw new Error('the port cannot be read');
      setState('on');
      let placement: Placement = { isTaken: false };
      await readLines(reader.current, (line) => {
        const reading = parseScaleLine(line);
        if (reading === null) return;
        const { next, taken } = takeStable(placement, reading);
        placement = next;
        if (taken) latest.current(taken);
      });
      setState('off');
    } catch {
      setState(port === null ? 'off' : 'failed');
    } finally {
      reader.current?.releaseLock();
      reader.current = null;
      await port?.close().catch(() => undefined);
    }
  }, [serial]);
  const disconnect = useCallback(async () => await reader.current?.cancel().catch(() => undefined), []);
  useEffect(() => () => void disconnect(), [disconnect]);
  return { isSupported: serial !== null, state, connect, disconnect };
}
