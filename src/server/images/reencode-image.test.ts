import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { reencodeImage } from './reencode-image.ts';
import { webpChunk } from './without-metadata.ts';

const COLOUR = { r: 200, g: 60, b: 90 };
const plain = () => sharp({ create: { width: 8, height: 8, channels: 3, background: COLOUR } });

let profile: Buffer;
beforeAll(async () => {
  const { icc } = await sharp(await plain().withIccProfile('p3').webp().toBuffer()).metadata();
  profile = icc ?? Buffer.alloc(0);
});

/** Returns a WebP picture of 8 x 8 pixels, all in the colour COLOUR, with this colour profile. */
async function withProfile(icc: Buffer): Promise<Buffer> {
  const picture = await plain().webp({ quality: 100 }).toBuffer();
  // The header says that there is a profile, and contains the width and the height minus one.
  const header = Buffer.from([0x20, 0, 0, 0, 7, 0, 0, 7, 0, 0]);
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), webpChunk('VP8X', header), webpChunk('ICCP', icc), picture.subarray(12)]));
}

/** Returns how far the colour of the picture is from COLOUR after it was encoded again. */
async function distance(file: Buffer): Promise<number> {
  const { image } = await reencodeImage(file, { key: '1' });
  const [r = 0, g = 0, b = 0] = await sharp(image).raw().toBuffer();
  return Math.hypot(r - COLOUR.r, g - COLOUR.g, b - COLOUR.b);
}

/** Returns the same colour profile with further bytes. */
function longer(bytes: Buffer): Buffer {
  const long = Buffer.concat([profile, bytes]);
  long.writeUInt32BE(long.length);
  return long;
}

test('the colours of a picture are converted to sRGB with its colour profile', async () => {
  expect(await distance(await withProfile(profile))).toBeGreaterThan(15);
  expect(await distance(await withProfile(longer(Buffer.alloc(2000))))).toBeGreaterThan(15);
});

test('a colour profile that is long or has a pipeline of elements is ignored, because converting by it may occupy a thread and the memory for minutes (reliability abuse)', async () => {
  expect(await distance(await withProfile(longer(Buffer.alloc(4096))))).toBeLessThan(5);
  expect(await distance(await withProfile(longer(Buffer.from('D2B0....mpet'))))).toBeLessThan(5);
});
