import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { reencodeImage } from './reencode-image.ts';
import { pngChunk, webpChunk, withoutMetadata } from './without-metadata.ts';

/** A picture of 4 x 2 pixels whose corners have different colours. */
const picture = (channels: 3 | 4 = 3): Sharp =>
  sharp(Buffer.from(Array.from({ length: 8 * channels }, (_, n) => (n * 37) % 256)), { raw: { width: 4, height: 2, channels } }).resize(
    64,
    32,
    { kernel: 'nearest' },
  );

const KINDS: Record<string, () => Promise<Buffer>> = {
  PNG: () => picture().png().toBuffer(),
  'transparent PNG': () => picture(4).png().toBuffer(),
  'interlaced PNG with a palette': () => picture(4).png({ palette: true, progressive: true }).toBuffer(),
  JPEG: () => picture().jpeg().toBuffer(),
  'progressive JPEG': () => picture().jpeg({ progressive: true }).toBuffer(),
  'CMYK JPEG': () => picture().toColourspace('cmyk').jpeg().toBuffer(),
  'JPEG with a profile': () => picture().withIccProfile('p3').jpeg().toBuffer(),
  'PNG with a profile': () => picture().withIccProfile('p3').png().toBuffer(),
  WebP: () => picture().webp().toBuffer(),
  'lossless WebP with a profile': () => picture(4).withIccProfile('p3').webp({ lossless: true }).toBuffer(),
};
/** The pixels of a picture as the image library reads them, in the right orientation. */
const pixelsOf = (file: Buffer) => sharp(file).autoOrient().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });

test.each(Object.keys(KINDS))(
  'without its metadata, a picture has the same pixels, in every orientation: %s',
  { tags: ['long'] },
  async (kind) => {
    const plain = (await KINDS[kind]?.()) ?? Buffer.alloc(0);
    expect(await pixelsOf(withoutMetadata(plain))).toEqual(await pixelsOf(plain));
    for (let orientation = 1; orientation <= 8; orientation++) {
      const rotated = await sharp(plain).keepIccProfile().withMetadata({ orientation }).toBuffer();
      expect((await sharp(rotated).metadata()).orientation).toBe(orientation);
      expect(await pixelsOf(withoutMetadata(rotated))).toEqual(await pixelsOf(rotated));
    }
  },
);

/** EXIF data whose entries are [tag, value], in the byte order `II` or `MM`. Every entry is a SHORT. */
function exifOf(order: 'II' | 'MM', entries: [tag: number, value: number][]): Buffer {
  const data = Buffer.alloc(8 + 2 + 12 * entries.length + 4);
  data.write(order, 'latin1');
  const write16 = (value: number, at: number) => (order === 'II' ? data.writeUInt16LE(value, at) : data.writeUInt16BE(value, at));
  const write32 = (value: number, at: number) => (order === 'II' ? data.writeUInt32LE(value, at) : data.writeUInt32BE(value, at));
  write16(42, 2);
  write32(8, 4);
  write16(entries.length, 8);
  for (const [index, [tag, value]] of entries.entries()) {
    const at = 10 + 12 * index;
    const isList = tag === 0x8769 || tag === 0xa005;
    write16(tag, at);
    write16(isList ? 4 : 3, at + 2);
    write32(1, at + 4);
    if (isList) write32(value, at + 8);
    else write16(value, at + 8);
  }
  return data;
}
/** A segment of a JPEG file. */
const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]), content]);
const exifSegment = (exif: Buffer): Buffer => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]));
/** Inserts parts behind the first bytes of a file. */
const inserted = (file: Buffer, start: number, parts: Buffer[]): Buffer =>
  Buffer.concat([file.subarray(0, start), ...parts, file.subarray(start)]);
/** The number of bytes of a PNG file up to the end of its header. */
const AFTER_HEADER = 8 + 25;
/** Returns a WebP picture with these EXIF data. */
async function webpWithExif(exif: Buffer): Promise<Buffer> {
  const file = await picture().withMetadata({ orientation: 1 }).webp().toBuffer();
  return webpChunk('RIFF', Buffer.concat([file.subarray(8, file.indexOf('EXIF')), webpChunk('EXIF', exif)]));
}
/** Returns a WebP animation with two frames of 64 x 32 pixels. */
function animation(): Promise<Buffer> {
  const frames = Buffer.alloc(2 * 64 * 32 * 3, 90).fill(200, 64 * 32 * 3);
  return sharp(frames, { raw: { width: 64, height: 64, channels: 3, pageHeight: 32 } })
    .webp({ delay: [100, 100] })
    .toBuffer();
}

const WITH_EXIF: Record<string, (exif: Buffer) => Promise<Buffer>> = {
  JPEG: async (exif) => inserted(await picture().jpeg().toBuffer(), 2, [exifSegment(exif)]),
  PNG: async (exif) => inserted(await picture().png().toBuffer(), AFTER_HEADER, [pngChunk('eXIf', exif)]),
  WebP: webpWithExif,
};

test.each(Object.keys(WITH_EXIF).flatMap((kind) => [['II', kind] as const, ['MM', kind] as const]))(
  'the orientation in EXIF data with the byte order %s of a %s is kept, and nothing else of them',
  async (order, kind) => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const entries: [number, number][] = [
        [0x0128, 2],
        [0x0112, orientation],
        [0x0213, 1],
      ];
      const file = (await WITH_EXIF[kind]?.(exifOf(order, entries))) ?? Buffer.alloc(0);
      const kept = withoutMetadata(file);
      expect(await pixelsOf(kept)).toEqual(await pixelsOf(file));
      expect((await pixelsOf(kept)).info).toMatchObject(orientation < 5 ? { width: 64, height: 32 } : { width: 32, height: 64 });
      const { exif } = await sharp(kept).metadata();
      expect(exif?.length ?? 0).toBeLessThan(40);
    }
  },
);

test('the orientation is read as the image library reads it, also if it has 32 bits, or if the header of a WebP says that there are no EXIF data', async () => {
  const long = exifOf('MM', [[0x0112, 6]]);
  long.writeUInt16BE(4, 12);
  long.writeUInt32BE(6, 18);
  const jpeg = (await WITH_EXIF.JPEG?.(long)) ?? Buffer.alloc(0);
  expect((await sharp(jpeg).metadata()).orientation).toBe(6);
  expect((await sharp(withoutMetadata(jpeg)).metadata()).orientation).toBe(6);
  const webp = await webpWithExif(exifOf('II', [[0x0112, 6]]));
  webp[20] = 0;
  expect((await sharp(webp).metadata()).orientation).toBeUndefined();
  expect((await sharp(withoutMetadata(webp)).metadata()).orientation).toBeUndefined();
});

/** These lists of entries contain themselves, again and again. Reading them takes 2^50 steps. */
const ENDLESS = exifOf(
  'II',
  Array.from({ length: 50 }, (_, n) => [n % 2 ? 0x8769 : 0xa005, 8]),
);

test.each(Object.keys(WITH_EXIF))('a picture whose EXIF data contain themselves is read at once: %s (reliability abuse)', async (kind) => {
  const file = (await WITH_EXIF[kind]?.(ENDLESS)) ?? Buffer.alloc(0);
  expect(withoutMetadata(file).includes(ENDLESS.subarray(0, 60))).toBe(false);
  const { image } = await reencodeImage(file, { key: '1' });
  expect(await sharp(image).metadata()).toMatchObject({ width: 64, height: 32 });
});

/**
 * Returns two segments without EXIF data. After a segment of length 0, however, the image library would read them from a wrong position, at
 * which it would find EXIF data.
 */
function hiddenInJpeg(): Buffer {
  const hidden = Buffer.concat([segment(0xee, Buffer.alloc(65_533)), segment(0xee, Buffer.alloc(4000))]);
  segment(0xe5, Buffer.alloc(19)).copy(hidden, 0xffee);
  exifSegment(ENDLESS).copy(hidden, 65_541);
  return hidden;
}

test('a JPEG whose segment is shorter than its length field is refused, because EXIF data could be hidden behind it (reliability abuse)', async () => {
  const jpeg = await picture().jpeg().toBuffer();
  for (const length of [0, 1]) {
    const file = inserted(jpeg, 2, [Buffer.from([0xff, 0xe0, 0, length]), hiddenInJpeg()]);
    expect(() => withoutMetadata(file)).toThrow('a segment is shorter than its length field');
    await expect(reencodeImage(file, { key: '1' })).rejects.toMatchObject({ status: 400 });
  }
});

test('EXIF data within a frame of an animated WebP, which the image library reads as EXIF data of the file, are removed (reliability abuse)', async () => {
  const plain = await animation();
  const frame = plain.indexOf('ANMF');
  const end = frame + 8 + plain.readUInt32LE(frame + 4);
  const chunks = Buffer.concat([
    plain.subarray(8, frame),
    webpChunk('ANMF', Buffer.concat([plain.subarray(frame + 8, end), webpChunk('EXIF', ENDLESS)])),
    plain.subarray(end),
    webpChunk('EXIF', exifOf('II', [[0x0112, 6]])),
  ]);
  const webp = webpChunk('RIFF', chunks);
  // The header says that the file has EXIF data.
  webp[20] = (webp[20] ?? 0) | 8;
  const kept = withoutMetadata(webp);
  expect(kept.includes(ENDLESS.subarray(0, 60))).toBe(false);
  expect((await sharp(kept).metadata()).orientation).toBe(6);
  const { image } = await reencodeImage(webp, { key: '1' });
  expect(await sharp(image).metadata()).toMatchObject({ width: 32, height: 64 });
});

test('an animated WebP becomes a picture of its first frame', async () => {
  const plain = await animation();
  expect(await sharp(plain).metadata()).toMatchObject({ pages: 2 });
  expect(withoutMetadata(plain)).toEqual(plain);
  const { image } = await reencodeImage(plain, { key: '1' });
  expect(await sharp(image).metadata()).toMatchObject({ width: 64, height: 32 });
});

test.each(['PNG', 'JPEG', 'WebP'])('a picture is read although many bytes follow its end: %s', async (kind) => {
  const plain = (await KINDS[kind]?.()) ?? Buffer.alloc(0);
  const longer = Buffer.concat([plain, Buffer.alloc(200_000)]);
  expect(await pixelsOf(withoutMetadata(longer))).toEqual(await pixelsOf(plain));
});

test('comments in a picture, which may unpack to gigabytes, do not reach the image library (reliability abuse)', async () => {
  const comment = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(8_000_000, 'a'))]);
  const chunks = Array.from({ length: 200 }, () => pngChunk('zTXt', comment));
  const file = inserted(await picture().png().toBuffer(), AFTER_HEADER, [...chunks, pngChunk('iTXt', comment), pngChunk('fcTL', comment)]);
  const kept = withoutMetadata(file);
  expect(kept.length).toBeLessThan(1000);
  expect(['zTXt', 'iTXt', 'fcTL'].filter((name) => kept.includes(name))).toEqual([]);
  expect((await reencodeImage(file, { key: '1' })).image.length).toBeGreaterThan(0);
  const text = Buffer.from('a comment');
  const jpeg = inserted(await picture().jpeg().toBuffer(), 2, [
    segment(0xfe, text),
    segment(0xe1, text),
    segment(0xed, text),
    segment(0xe2, text),
  ]);
  expect(withoutMetadata(jpeg).includes(text)).toBe(false);
});

test('a picture file with more than 10,000 parts is refused, and so is one with a broken part', async () => {
  const jpeg = await picture().jpeg().toBuffer();
  const png = await picture().png().toBuffer();
  const WRONG: Buffer[] = [
    inserted(
      jpeg,
      2,
      Array.from({ length: 300_000 }, () => segment(0xdd, Buffer.from([0, 1]))),
    ),
    inserted(png, AFTER_HEADER, [Buffer.from('ffffffff', 'hex'), Buffer.from('IDAT')]),
    inserted(jpeg, 2, [Buffer.from([0xff, 0xdb, 0xff, 0xff])]),
    jpeg.subarray(0, 3),
    png.subarray(0, 20),
    Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X\xff\xff\xff\xff', 'latin1'),
  ];
  for (const file of WRONG) await expect(reencodeImage(file, { key: '1' })).rejects.toMatchObject({ status: 400 });
});

test('a photo is read although bytes stand between its segments or after its end, as some cameras write them', async () => {
  const jpeg = await picture().jpeg().toBuffer();
  const camera = Buffer.concat([inserted(jpeg, 2, [segment(0xe1, Buffer.from('x')), Buffer.from([0xff, 0xff])]), Buffer.alloc(500)]);
  expect(await pixelsOf(withoutMetadata(camera))).toEqual(await pixelsOf(jpeg));
});
