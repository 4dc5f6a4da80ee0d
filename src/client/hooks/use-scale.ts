import { useCallback, useEffect, useRef, useState } from 'react';
import { parseScaleLine, acceptStableReading, type ScaleProgress, type ScaleReading } from '../../domain/counter/scale-line.ts';
import { storage } from '../storage/storage.ts';
import { connectScale, type ScaleConnection, type ScalePort } from './scale-connection.ts';

export interface Serial {
  /** Lets the user choose a port. The promise rejects when the user chooses none. */
  requestPort: () => Promise<ScalePort>;
}

/** Returns the browser's Web Serial, or null where the browser has none. */
const browserSerial = (): Serial | null => (navigator as Navigator & { readonly serial?: Serial }).serial ?? null;

export const BAUD_RATES = [1200, 2400, 4800, 9600, 19_200] as const;
/** The default baud rate of common bench scales. */
const DEFAULT_BAUD_RATE = 9600;
const KEY = 'feastday.scale-baud-rate';
const storedBaudRate = (): number => BAUD_RATES.find((rate) => String(rate) === storage.read(KEY)) ?? DEFAULT_BAUD_RATE;

type ScaleState = 'off' | 'connecting' | 'on' | 'failed';

export interface Scale {
  readonly isSupported: boolean;
  readonly state: ScaleState;
  /** Whether the scale has sent bytes for a few seconds, and none of them could be read. */
  readonly isUnreadable: boolean;
  readonly baudRate: number;
  /** Stores the baud rate on the device. If a scale is connected, it is connected again with the new baud rate. */
  readonly chooseBaudRate: (rate: number) => Promise<void>;
  readonly connect: () => Promise<void>;
  readonly disconnect: () => Promise<void>;
}

/** Returns a function that takes a line of the scale, and returns whether the line could be read. */
function weightTaker(onWeight: (reading: ScaleReading) => void): (line: string) => boolean {
  let placement: ScaleProgress = { isTaken: false };
  return (line) => {
    const reading = parseScaleLine(line);
    if (reading === null) return false;
    const { next, taken } = acceptStableReading(placement, reading);
    placement = next;
    if (taken) onWeight(taken);
    return true;
  };
}

/**
 * Reads the weights of a scale over Web Serial (contract §14). Each time something is placed on the scale, `onWeight` is called with the
 * first stable weight. `connect` must be called from a click or key event, because browsers require a user action. When the scale is
 * unplugged, the state becomes 'failed'.
 */
export function useScale(onWeight: (reading: ScaleReading) => void, serial = browserSerial()): Scale {
  const [state, setState] = useState<ScaleState>('off');
  const [isUnreadable, setIsUnreadable] = useState(false);
  const [baudRate, setBaudRate] = useState(storedBaudRate);
  const latest = useRef(onWeight);
  useEffect(() => {
    latest.current = onWeight;
  });
  const connection = useRef<ScaleConnection | null>(null);

  const run = useCallback(async (port: ScalePort, rate: number, before?: ScaleConnection): Promise<void> => {
    setState('connecting');
    const take = weightTaker((reading) => latest.current(reading));
    const onLine = (line: string): boolean => {
      const isRead = take(line);
      if (isRead) setIsUnreadable(false);
      return isRead;
    };
    const opened = connectScale({
      port,
      baudRate: rate,
      before,
      onOpen: () => setState('on'),
      onLine,
      onUnreadable: () => setIsUnreadable(true),
    });
    connection.current = opened;
    const after = await opened.ended.then(
      () => 'off' as const,
      () => 'failed' as const,
    );
    // When the user has chosen another baud rate, the port already has a new connection. The end of the old connection then changes no
    // state.
    if (connection.current !== opened) return;
    connection.current = null;
    setState(after);
    setIsUnreadable(false);
  }, []);
  const connect = useCallback(async (): Promise<void> => {
    if (serial === null || connection.current !== null) return;
    setState('connecting');
    const port = await serial.requestPort().catch(() => null);
    if (port === null) setState('off');
    else await run(port, baudRate);
  }, [serial, run, baudRate]);
  const disconnect = useCallback(async () => await connection.current?.close(), []);
  const chooseBaudRate = useCallback(
    async (rate: number): Promise<void> => {
      storage.write(KEY, String(rate));
      setBaudRate(rate);
      const before = connection.current;
      if (before !== null) await run(before.port, rate, before);
    },
    [run],
  );
  useEffect(() => () => void disconnect(), [disconnect]);
  return { isSupported: serial !== null, state, isUnreadable, baudRate, chooseBaudRate, connect, disconnect };
}
