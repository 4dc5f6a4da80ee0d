import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useState, type ReactNode } from 'react';
import { useQrCamera } from './use-qr-camera.ts';

/** Simulates a camera. `active` tells whether the camera is switched on. */
function simulatedCamera() {
  const camera = { active: true, stop: () => void (camera.active = false), getTracks: () => [camera] };
  return camera as typeof camera & MediaStream;
}

let inFront: string | null;
const getUserMedia = vi.fn<(constraints: MediaStreamConstraints) => Promise<MediaStream>>();
beforeEach(() => {
  inFront = null;
  getUserMedia.mockReset();
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['ean_13', 'qr_code'];
      detect = async () => (inFront === null ? [] : [{ rawValue: inFront }]);
    },
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

function Camera(): ReactNode {
  const [texts, setTexts] = useState<string[]>([]);
  const { video, state, retry } = useQrCamera((text) => setTexts([...new Set([...texts, text])]));
  return (
    <>
      <video ref={video} muted />
      <output>{[state, ...texts].join(' ')}</output>
      <button onClick={retry}>Try again</button>
    </>
  );
}
const shows = (text: string) => screen.findByText(text);

test("useQrCamera reads each QR code with the browser's BarcodeDetector, and turns the camera off when the user leaves the screen (contract §14)", async () => {
  const camera = simulatedCamera();
  getUserMedia.mockResolvedValue(camera);
  const { unmount } = render(<Camera />);
  await shows('reading');
  inFront = 'FD1:7';
  await shows('reading FD1:7');
  inFront = 'FD1:8';
  await shows('reading FD1:7 FD1:8');
  expect(getUserMedia.mock.calls).toMatchObject([[{ video: { facingMode: 'environment' }, audio: false }]]);
  expect(camera.active).toBe(true);
  unmount();
  expect(camera.active).toBe(false);
});

test('useQrCamera turns the camera off when the user grants the permission only after leaving the screen (contract §14)', async () => {
  const camera = simulatedCamera();
  const allowed = Promise.withResolvers<MediaStream>();
  getUserMedia.mockReturnValue(allowed.promise);
  const { unmount } = render(<Camera />);
  await waitFor(() => expect(getUserMedia).toHaveBeenCalledOnce());
  unmount();
  allowed.resolve(camera);
  await waitFor(() => expect(camera.active).toBe(false));
});

test.each([
  ['NotAllowedError', 'refused'],
  ['NotFoundError', 'absent'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'failed'],
])(
  'when the camera fails with the error %s, useQrCamera reports the state "%s", and tries again on request (contract §14)',
  async (name, state) => {
    getUserMedia.mockRejectedValueOnce(new DOMException('No.', name)).mockResolvedValueOnce(simulatedCamera());
    render(<Camera />);
    await shows(state);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await shows('reading');
  },
);

test('useQrCamera reports that the camera was unplugged (contract §14)', async () => {
  const camera = simulatedCamera();
  getUserMedia.mockResolvedValue(camera);
  render(<Camera />);
  await shows('reading');
  camera.stop();
  await shows('failed');
});
