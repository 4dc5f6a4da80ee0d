import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ScaleReading } from '../../domain/counter/scale-line.ts';
import { UNREADABLE_MS, type ScalePort } from './scale-connection.ts';
import { useScale, type Serial } from './use-scale.ts';

function simulatedPort() {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const newStream = () => new ReadableStream<Uint8Array>({ start: (opened) => void (controller = opened) });
  const calls: string[] = [];
  const port = {
    open: async ({ baudRate }: { baudRate: number }) => {
      calls.push(`open ${baudRate}`);
      port.readable = newStream();
    },
    close: async () => void calls.push('close'),
    readable: newStream(),
  } satisfies ScalePort;
  return {
    port,
    calls,
    send: (text: string | readonly number[]) =>
      controller?.enqueue(typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text)),
    /** Simulates a broken byte. As the Web Serial API requires, the port then has a new stream. */
    frameError: () => {
      const broken = controller;
      port.readable = newStream();
      broken?.error(new Error('A framing error occurred.'));
    },
    unplug: () => controller?.error(new Error('The device has been lost.')),
  };
}

beforeEach(() => localStorage.clear());

function renderScale(serial: Serial | null) {
  const weights: string[] = [];
  const onWeight = ({ weight, unit }: ScaleReading): void => void weights.push(`${weight / 1000} ${unit}`);
  const hook = renderHook(() => useScale(onWeight, serial));
  return { weights, hook };
}

test('useScale takes the first stable weight each time something is put on the scale, even when a line arrives in several chunks (contract §14)', async () => {
  const scale = simulatedPort();
  const { weights, hook } = renderScale({ requestPort: async () => scale.port });
  act(() => void hook.result.current.connect());
  await waitFor(() => expect(hook.result.current.state).toBe('on'));
  expect(scale.calls).toEqual(['open 9600']);
  for (const piece of [
    'US,+0002',
    '.10  lb\r',
    '\nST,+0004.87  lb\r\nST,+0004.87  lb\r\n',
    'ST,+0000.00  lb\r\nnoise\r\nST,+0001.5',
    '0  lb\r\n',
  ])
    scale.send(piece);
  await waitFor(() => expect(weights).toEqual(['4.87 lb', '1.5 lb']));
  await act(() => hook.result.current.disconnect());
  await waitFor(() => expect(hook.result.current.state).toBe('off'));
  await waitFor(() => expect(scale.calls).toEqual(['open 9600', 'close']));
});

test('useScale reports that the scale was unplugged, and can connect to a scale again (contract §14)', async () => {
  const scales = [simulatedPort(), simulatedPort()];
  let next = 0;
  const { weights, hook } = renderScale({ requestPort: async () => (scales[next++] ?? simulatedPort()).port });
  act(() => void hook.result.current.connect());
  await waitFor(() => expect(hook.result.current.state).toBe('on'));
  scales[0]?.unplug();
  await waitFor(() => expect(hook.result.current.state).toBe('failed'));
  act(() => void hook.result.current.connect());
  await waitFor(() => expect(hook.result.current.state).toBe('on'));
  scales[1]?.send('S S      12.345 kg\r\n');
  await waitFor(() => expect(weights).toEqual(['12.345 kg']));
});

test('useScale connects no scale when the user chooses no serial port or the browser has no Web Serial, and closes the port when the user leaves the screen (contract §14)', async () => {
  const refused = renderScale({ requestPort: async () => await Promise.reject(new Error('No port selected by the user.')) });
  await act(() => refused.hook.result.current.connect());
  expect(refused.hook.result.current.state).toBe('off');
  const scale = simulatedPort();
  const left = renderScale({ requestPort: async () => scale.port });
  act(() => void left.hook.result.current.connect());
  await waitFor(() => expect(left.hook.result.current.state).toBe('on'));
  left.hook.unmount();
  await waitFor(() => expect(scale.calls).toEqual(['open 9600', 'close']));
  const without = renderScale(null);
  expect(without.hook.result.current.isSupported).toBe(false);
  await act(() => without.hook.result.current.connect());
  expect(without.hook.result.current.state).toBe('off');
});

/** The bytes that a browser receives when the baud rate is wrong. */
const NOISE = [0xf8, 0x00, 0x80, 0xfe, 0x0d, 0xc0, 0x98];

test('after 3 seconds of unreadable bytes, useScale reports the scale as unreadable; useScale then reads with the baud rate that the user chooses, and the device remembers that rate (contract §14)', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const scale = simulatedPort();
  const serial = { requestPort: async () => scale.port };
  const { weights, hook } = renderScale(serial);
  act(() => void hook.result.current.connect());
  await pass(60_000);
  expect(hook.result.current).toMatchObject({ state: 'on', isUnreadable: false, baudRate: 9600 });
  scale.send(NOISE);
  await pass(1500);
  scale.frameError();
  await pass(1400);
  scale.send(NOISE);
  expect(hook.result.current).toMatchObject({ state: 'on', isUnreadable: false });
  await pass(200);
  expect(hook.result.current).toMatchObject({ state: 'on', isUnreadable: true });

  act(() => void hook.result.current.chooseBaudRate(2400));
  await pass(100);
  expect(scale.calls).toEqual(['open 9600', 'close', 'open 2400']);
  expect(hook.result.current).toMatchObject({ state: 'on', isUnreadable: true, baudRate: 2400 });
  scale.send('ST,+0004.87  lb\r\n');
  await pass(0);
  expect(weights).toEqual(['4.87 lb']);
  expect(hook.result.current.isUnreadable).toBe(false);
  // The scale reports an overload for a long time. Because an earlier line could be read, the bytes do not count as unreadable.
  scale.send('OL\r\n');
  await pass(UNREADABLE_MS * 2);
  expect(hook.result.current.isUnreadable).toBe(false);
  await act(() => hook.result.current.disconnect());
  expect(hook.result.current.state).toBe('off');
  expect(renderScale(serial).hook.result.current.baudRate).toBe(2400);
});
