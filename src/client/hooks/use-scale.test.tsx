import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ScaleReading } from '../../domain/counter/scale-line.ts';
import { useScale, type ScalePort, type Serial } from './use-scale.ts';

function simulatedPort() {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const readable = new ReadableStream<Uint8Array>({ start: (opened) => void (controller = opened) });
  const calls: string[] = [];
  const port: ScalePort = {
    open: async ({ baudRate }) => void calls.push(`open ${baudRate}`),
    close: async () => void calls.push('close'),
    readable,
  };
  return {
    port,
    calls,
    send: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    unplug: () => controller?.error(new Error('The device has been lost.')),
  };
}

function renderScale(serial: Serial | null) {
  const weights: string[] = [];
  const onWeight = ({ weight, unit }: ScaleReading): void => void weights.push(`${weight / 1000} ${unit}`);
  const hook = renderHook(() => useScale(onWeight, serial));
  return { weights, hook };
}

test('takes the first stable weight each time something is put on the scale, even when a line arrives in several chunks (contract §14)', async () => {
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

test('reports that the scale was unplugged, and can connect to a scale again (contract §14)', async () => {
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

test('connects no scale when the user chooses no serial port or the browser has no Web Serial, and closes the port when the user leaves the screen (contract §14)', async () => {
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
