// Reads the lines of a scale over Web Serial (contract §14).

/** The part of Web Serial that Feastday uses. TypeScript's DOM library does not declare this API. */
export interface ScalePort {
  open: (options: { baudRate: number }) => Promise<void>;
  close: () => Promise<void>;
  /** After a broken byte, such as a framing error, the port has a new stream. When the device was unplugged, this property is null. */
  readonly readable: ReadableStream<Uint8Array> | null;
}

interface ScaleOptions {
  readonly port: ScalePort;
  readonly baudRate: number;
  /** The earlier connection of the same port. It is closed before the new connection opens, because a port cannot be opened twice. */
  readonly before?: ScaleConnection | undefined;
  readonly onOpen: () => void;
  /** Parses one line of the scale. Returns false when the line could not be read. */
  readonly onLine: (line: string) => boolean;
  /** Called when the scale has sent bytes for a few seconds, but no readable line. The baud rate is then probably wrong. */
  readonly onUnreadable: () => void;
}

export interface ScaleConnection {
  readonly port: ScalePort;
  /** Resolves when the connection was closed; rejects when the port cannot be opened or the scale is lost. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * If no line could be read within this many milliseconds after the first byte, the bytes count as unreadable. Scales send several lines per
 * second, so a readable scale has sent many lines by then.
 */
export const UNREADABLE_MS = 3000;

/** The number of characters that are kept while no line break arrives; earlier characters are discarded. */
const MAX_LINE_LENGTH = 200;

/** Calls `onText` with each piece of text until the stream ends or is canceled. */
async function readText(reader: ReadableStreamDefaultReader<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onText(decoder.decode(value, { stream: true }));
  }
}

/** Calls `onUnreadable` when no line could be read for a few seconds after the first byte. Once a line could be read, never calls it. */
function watchBytes(onUnreadable: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReadable = false;
  return {
    arrived: (): void => {
      if (!isReadable) timer ??= setTimeout(onUnreadable, UNREADABLE_MS);
    },
    wereRead: (): void => {
      isReadable = true;
      clearTimeout(timer);
    },
    stop: (): void => clearTimeout(timer),
  };
}

export function connectScale({ port, baudRate, before, onOpen, onLine, onUnreadable }: ScaleOptions): ScaleConnection {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  let isClosing = false;
  const bytes = watchBytes(onUnreadable);
  let rest = '';
  const onText = (text: string): void => {
    bytes.arrived();
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '').slice(-MAX_LINE_LENGTH);
    for (const line of lines) if (onLine(line)) bytes.wereRead();
  };
  async function readAll(): Promise<void> {
    while (!isClosing) {
      const { readable } = port;
      if (readable === null) throw new Error('the port cannot be read');
      reader = readable.getReader();
      try {
        await readText(reader, onText);
        return;
      } catch (error) {
        // The stream of the port ends at a broken byte, and the port then has a new stream. Broken bytes are frequent when the baud rate is
        // wrong.
        if (port.readable === null || port.readable === readable) throw error;
        bytes.arrived();
      } finally {
        reader.releaseLock();
      }
    }
  }
  async function run(): Promise<void> {
    await before?.close();
    await before?.ended.catch(() => undefined);
    try {
      await port.open({ baudRate });
      onOpen();
      await readAll();
    } finally {
      bytes.stop();
      await port.close().catch(() => undefined);
    }
  }
  return {
    port,
    ended: run(),
    close: async () => {
      isClosing = true;
      await reader?.cancel().catch(() => undefined);
    },
  };
}
