// Removes from a picture file everything that its pixels do not need, before the image library reads the file. Comments in a file of 2 MB may
// unpack to gigabytes, and nested entries of EXIF data may occupy a thread without end (docs/reliability.md, "abuse").
import { crc32 } from 'node:zlib';

/** Programs write a few hundred parts at most. With more, looking at them would occupy the event loop for too long. */
const MAX_PARTS = 10_000;
const TOO_MANY = 'the file has too many parts';
const TOO_SHORT = 'a segment is shorter than its length field';

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ORIENTATION = 0x0112;
const LONG = 4;

/**
 * Returns the orientation from 1 to 8 that EXIF data state in their first list of entries. 1, which is also the default, means that the
 * picture is not rotated.
 */
function orientationOf(data: Buffer): number {
  const tiff = data.subarray(0, EXIF.length).equals(EXIF) ? data.subarray(EXIF.length) : data;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1;
  const number16 = (at: number): number => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const list = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = list + 2 <= tiff.length ? number16(list) : 0;
  for (let entry = list + 2; entry < list + 2 + 12 * count && entry + 12 <= tiff.length; entry += 12) {
    if (number16(entry) !== ORIENTATION) continue;
    // In the order MM, the low bytes of a value of 32 bits are the last ones of its field.
    const orientation = number16(entry + (order === 'MM' && number16(entry + 2) === LONG ? 10 : 8));
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** Returns EXIF data in the form of a TIFF file that state only the orientation. */
const exifOf = (orientation: number): Buffer =>
  Buffer.from([...Buffer.from('II*\0'), 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]);

/** The parts of a file that are kept, and the orientation that the removed parts state. */
function createParts() {
  const kept: Buffer[] = [];
  let orientation: number | undefined;
  let count = 0;
  return {
    countPart: (): void => {
      if (++count > MAX_PARTS) throw new Error(TOO_MANY);
    },
    keep: (part: Buffer): void => void kept.push(part),
    /** Reads the orientation. If a file contains EXIF data several times, only the first are read. */
    readExif: (data: Buffer): void => void (orientation ??= orientationOf(data)),
    kept,
    /** Returns minimal EXIF data, or null if the picture is not rotated. */
    exif: (): Buffer | null => (orientation === undefined || orientation === 1 ? null : exifOf(orientation)),
  };
}

const PNG_START = 8;
/** The chunks that are kept. They contain the size, the palette, the transparency, the colours and the pixels. */
const PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'iCCP']);

/** Returns a chunk of a PNG file: its length, its name, its content and its checksum. */
export function pngChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const chunk = Buffer.alloc(4 + named.length + 4);
  chunk.writeUInt32BE(content.length);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), 4 + named.length);
  return chunk;
}

function pngWithoutMetadata(file: Buffer): Buffer {
  const parts = createParts();
  const seen = new Set<string>();
  parts.keep(file.subarray(0, PNG_START));
  for (let at = PNG_START, name = ''; at + 12 <= file.length && name !== 'IEND';) {
    parts.countPart();
    name = file.toString('latin1', at + 4, at + 8);
    const end = at + 12 + file.readUInt32BE(at);
    if (name === 'eXIf') parts.readExif(file.subarray(at + 8, end - 4));
    const exif = name === 'IDAT' && !seen.has('IDAT') ? parts.exif() : null;
    if (exif) parts.keep(pngChunk('eXIf', exif));
    // Only the pixels may consist of several chunks.
    if (PNG_CHUNKS.has(name) && (name === 'IDAT' || !seen.has(name))) parts.keep(file.subarray(at, end));
    seen.add(name);
    at = end;
  }
  return Buffer.concat(parts.kept);
}

const JPEG = { SOI: 0xd8, EOI: 0xd9, SOS: 0xda, APP0: 0xe0, APP1: 0xe1, APP2: 0xe2, ADOBE: 0xee, APP15: 0xef, COMMENT: 0xfe } as const;
const PROFILE = Buffer.from('ICC_PROFILE\0', 'latin1');

/** Whether a marker is a segment of an application or a comment, apart from those that say how to read the pixels. */
function isJpegMetadata(marker: number, content: Buffer): boolean {
  if (marker === JPEG.APP2) return !content.subarray(0, PROFILE.length).equals(PROFILE);
  const isApplication = marker >= JPEG.APP0 && marker <= JPEG.APP15;
  return marker === JPEG.COMMENT || (isApplication && marker !== JPEG.APP0 && marker !== JPEG.ADOBE);
}

function jpegWithoutMetadata(file: Buffer): Buffer {
  const parts = createParts();
  // The bytes between two segments, and further 0xff before a marker, are skipped as the image library does.
  for (let at = file.indexOf(0xff, 2); at !== -1; at = file.indexOf(0xff, at)) {
    while (file[at + 1] === 0xff) at++;
    parts.countPart();
    const marker = file[at + 1] ?? JPEG.EOI;
    // From the first scan on, the file consists of pixels.
    if (marker === JPEG.SOS || marker === JPEG.EOI || at + 4 > file.length) {
      parts.keep(file.subarray(at));
      break;
    }
    const hasLength = marker >= 0xc0 && (marker < 0xd0 || marker > JPEG.SOI);
    const length = hasLength ? file.readUInt16BE(at + 2) : 0;
    // The image library would skip the length field, and read the next kept segment in its place.
    if (hasLength && length < 2) throw new Error(TOO_SHORT);
    const end = at + 2 + length;
    const content = file.subarray(at + 4, end);
    if (marker === JPEG.APP1 && content.subarray(0, EXIF.length).equals(EXIF)) parts.readExif(content);
    if (hasLength && !isJpegMetadata(marker, content)) parts.keep(file.subarray(at, end));
    at = end;
  }
  const exif = parts.exif();
  const segment = exif ? [Buffer.from([0xff, JPEG.APP1, 0, 2 + EXIF.length + exif.length]), EXIF, exif] : [];
  return Buffer.concat([file.subarray(0, 2), ...segment, ...parts.kept]);
}

const WEBP_START = 12;
const WEBP_PIXELS = new Set(['VP8 ', 'VP8L', 'ALPH']);
const WEBP_CHUNKS = new Set([...WEBP_PIXELS, 'ICCP', 'ANIM']);
/** A frame of an animation begins with its position, size and duration. Its chunks follow. */
const FRAME_START = 16;
/** The bits of the header VP8X that say that the file has EXIF data or XMP data. */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** Returns a chunk of a WebP file: its name, its length, its content and its padding. The whole file is such a chunk, named `RIFF`. */
export function webpChunk(name: string, content: Buffer): Buffer {
  const start = Buffer.alloc(8);
  start.write(name, 'latin1');
  start.writeUInt32LE(content.length, 4);
  return Buffer.concat([start, content, Buffer.alloc(content.length % 2)]);
}

/** Returns the chunks from `start` on. `whole` is a chunk with its name, its length and its padding, which the last chunk may lack. */
function* webpChunks(data: Buffer, start: number): Generator<{ name: string; content: Buffer; whole: Buffer }> {
  for (let at = start; at + 8 <= data.length;) {
    const size = data.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    yield { name: data.toString('latin1', at, at + 4), content: data.subarray(at + 8, at + 8 + size), whole: data.subarray(at, end) };
    at = end;
  }
}

/** Removes everything but pixels from a frame. The image library reads other chunks in a frame as if they followed the frame. */
function frameWithoutMetadata(frame: Buffer, countPart: () => void): Buffer {
  const kept = [frame.subarray(0, FRAME_START)];
  for (const { name, whole } of webpChunks(frame, FRAME_START)) {
    countPart();
    if (WEBP_PIXELS.has(name)) kept.push(whole);
  }
  return webpChunk('ANMF', Buffer.concat(kept));
}

function webpWithoutMetadata(file: Buffer): Buffer {
  const parts = createParts();
  let header: Buffer | undefined;
  // The image library does not read bytes after the length that the file states either.
  for (const { name, content, whole } of webpChunks(file.subarray(0, 8 + file.readUInt32LE(4)), WEBP_START)) {
    parts.countPart();
    if (name === 'VP8X') {
      if (!header) parts.keep((header = Buffer.from(whole)));
    } else if (name === 'ANMF') parts.keep(frameWithoutMetadata(content, parts.countPart));
    else if (WEBP_CHUNKS.has(name)) parts.keep(whole);
    else if (name === 'EXIF' && ((header?.[8] ?? 0) & HAS_EXIF) !== 0) parts.readExif(content);
  }
  const exif = parts.exif();
  if (header) header[8] = ((header[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (exif ? HAS_EXIF : 0);
  if (exif) parts.keep(webpChunk('EXIF', exif));
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts.kept]));
}

/**
 * Returns the same picture without comments, EXIF data and other parts that its pixels do not need, but with its orientation and its colour
 * profile. The file must begin like a PNG, JPEG or WebP file. Throws if the file has too many parts, or a segment that is shorter than its
 * length field.
 */
export function withoutMetadata(file: Buffer): Buffer {
  if (file[0] === 0x89) return pngWithoutMetadata(file);
  return file[0] === 0xff ? jpegWithoutMetadata(file) : webpWithoutMetadata(file);
}
