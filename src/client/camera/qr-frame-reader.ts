// Reads QR codes from the frames of a video: with the browser's BarcodeDetector, or with the qr package where the browser has none.

/** The part of the Barcode Detection API that Feastday uses. TypeScript's DOM library does not declare this API. */
interface BarcodeDetector {
  detect: (source: HTMLVideoElement) => Promise<readonly { readonly rawValue: string }[]>;
}
interface BarcodeDetectorClass {
  new (options: { readonly formats: readonly string[] }): BarcodeDetector;
  getSupportedFormats: () => Promise<readonly string[]>;
}

export type ReadFrame = (video: HTMLVideoElement) => Promise<string | null>;

async function browserReader(): Promise<ReadFrame | null> {
  const { BarcodeDetector: Detector } = globalThis as { readonly BarcodeDetector?: BarcodeDetectorClass };
  if (!Detector || !(await Detector.getSupportedFormats()).includes('qr_code')) return null;
  const detector = new Detector({ formats: ['qr_code'] });
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
}

async function libraryReader(): Promise<ReadFrame> {
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const { videoWidth: width, videoHeight: height } = video;
    if (!context || width === 0 || height === 0) return null;
    Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0);
    try {
      return decodeQR(context.getImageData(0, 0, width, height));
    } catch {
      // The frame contains no readable code.
      return null;
    }
  };
}

export const qrFrameReader = async (): Promise<ReadFrame> => (await browserReader()) ?? (await libraryReader());
