// Creates a video file for Chromium's simulated camera (--use-file-for-fake-video-capture). The video shows a printed QR code at an angle
// and in gray light.
import { writeFileSync } from 'node:fs';
import { encodeQR } from 'qr';

const WIDTH = 640;
const HEIGHT = 480;
const MODULE = 7;
const ANGLE = 0.2;
const [DARK, LIGHT, TABLE, NO_COLOR] = [45, 205, 120, 128];

/** Writes the video file: two uncompressed frames in the format YUV4MPEG2 (4:2:0), which Chromium repeats. */
export function writeCameraFile(file: string, text: string): void {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const half = (rows.length * MODULE) / 2;
  const luma = Buffer.alloc(WIDTH * HEIGHT, TABLE);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [dx, dy] = [x - WIDTH / 2, y - HEIGHT / 2];
      const across = Math.floor((dx * Math.cos(ANGLE) + dy * Math.sin(ANGLE) + half) / MODULE);
      const down = Math.floor((dy * Math.cos(ANGLE) - dx * Math.sin(ANGLE) + half) / MODULE);
      const isDark = rows[down]?.[across];
      if (isDark !== undefined) luma[y * WIDTH + x] = isDark ? DARK : LIGHT;
    }
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, NO_COLOR)]);
  writeFileSync(file, Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`), frame, frame]));
}
