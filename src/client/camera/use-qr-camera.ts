import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { qrFrameReader } from './qr-frame-reader.ts';

/** Whether the page can use a camera: browsers define `mediaDevices` only on https or localhost. */
export const hasCameraAccess = (): boolean => typeof (navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia === 'function';

type CameraFault = 'refused' | 'absent' | 'busy' | 'failed';
export type CameraState = 'starting' | 'reading' | CameraFault;

/**
 * Maps the error name of getUserMedia to the reason why the camera cannot be used
 * (https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia).
 */
const FAULTS: Readonly<Record<string, CameraFault>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotReadableError: 'busy',
};
const faultOf = (error: unknown): CameraFault => FAULTS[(error as Error).name] ?? 'failed';

/** The camera uses a high resolution, because a printed code fills only a small part of the picture. */
const CONSTRAINTS: MediaStreamConstraints = {
  video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  audio: false,
};
const FRAME_EVERY_MS = 100;

interface Reading {
  readonly signal: AbortSignal;
  readonly onStart: () => void;
  readonly onText: (text: string) => void;
}

async function readCamera(video: HTMLVideoElement, { signal, onStart, onText }: Reading): Promise<void> {
  const readFrame = await qrFrameReader();
  if (signal.aborted) return;
  const stream = await navigator.mediaDevices.getUserMedia(CONSTRAINTS);
  const stop = (): void => stream.getTracks().forEach((track) => track.stop());
  // An abort switches the camera off immediately, even while a frame is being read.
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return;
    video.srcObject = stream;
    await video.play();
    onStart();
    while (!signal.aborted) {
      if (!stream.active) throw new Error('the camera was unplugged or taken away');
      const text = await readFrame(video);
      if (text !== null && !signal.aborted) onText(text);
      await new Promise((resolve) => setTimeout(resolve, FRAME_EVERY_MS));
    }
  } finally {
    stop();
    video.srcObject = null;
  }
}

/**
 * Switches the camera on while the component is mounted. `onText` receives the text of the QR code in front of the camera, once per frame.
 */
export function useQrCamera(onText: (text: string) => void): {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  retry: () => void;
} {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>('starting');
  const [attempt, setAttempt] = useState(0);
  const report = useEffectEvent(onText);
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    if (video.current)
      readCamera(video.current, { signal, onStart: () => setState('reading'), onText: (text) => report(text) }).catch(
        (error: unknown) => !signal.aborted && setState(faultOf(error)),
      );
    return () => aborter.abort();
  }, [attempt]);
  const retry = (): void => {
    setState('starting');
    setAttempt(attempt + 1);
  };
  return { video, state, retry };
}
