// An uploaded picture is never stored unchanged. Its metadata are removed, and it is decoded and encoded again, which makes it small.
import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import {
  MAX_PICTURE_FILE,
  MAX_PICTURE_PIXELS,
  MAX_PICTURE_SIDE,
  MAX_STORED_PICTURE,
  PICTURE_MEGABYTES,
  PICTURE_MEGAPIXELS,
} from '../../shared/picture-limits.ts';
import { TOO_MANY_PICTURES } from '../../shared/texts.ts';
import { HttpError, invalid, tooMany } from '../errors.ts';
import { createLimiter, type JobOptions } from '../queues/limiter.ts';
import { withoutMetadata } from './without-metadata.ts';

/** The WebP qualities that are tried one after the other, until the picture is small enough. */
const QUALITIES = [80, 55, 30, 10] as const;
const SECONDS = 10;
/**
 * The maximum number of queued uploads of all distributors. `MAX_WAITING_PER_TENANT` is the maximum per distributor. Each queued upload keeps
 * its file in memory.
 */
const MAX_WAITING = 20;
const MAX_WAITING_PER_TENANT = 10;

const NOT_A_PICTURE = 'The picture must be a PNG, JPEG or WebP file.';
const UNREADABLE = 'This picture cannot be read. Save it again as PNG or JPEG and choose that file.';
const TOO_MANY_PIXELS = `The picture has more than ${PICTURE_MEGAPIXELS} million pixels. Make it smaller and choose it again.`;
const FILE_TOO_LARGE = `The picture is larger than ${PICTURE_MEGABYTES} MB. Make it smaller and choose it again.`;

const isJpeg = (file: Buffer): boolean => file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
const isKnown = (file: Buffer): boolean =>
  file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) ||
  isJpeg(file) ||
  (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP');

/** The two bytes with which each scan of a JPEG file begins. They do not occur within the compressed data of a scan. */
const SCAN = Buffer.from([0xff, 0xda]);
/**
 * The maximum number of scans of a JPEG file. Programs write at most about twenty. The library decodes all scans before its time limit
 * applies, so a file of 2 MB with 40,000 empty scans would occupy a thread for minutes. Four files of this kind would block all file
 * accesses and password checks of the process.
 */
const MAX_SCANS = 100;

function hasTooManyScans(file: Buffer): boolean {
  let scans = 0;
  for (let at = file.indexOf(SCAN); at !== -1 && scans <= MAX_SCANS; at = file.indexOf(SCAN, at + SCAN.length)) scans++;
  return scans > MAX_SCANS;
}

type Open = typeof import('sharp').default;
let opened: Promise<Open> | undefined;

/** Loads the image library with the first upload. The library is rarely needed, and loading it would slow every start. */
async function openDecoder(): Promise<Open> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  // With these two calls, the library decodes only PNG, JPEG and WebP.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'] });
  return sharp;
}

/** The pixels of a picture with 16 bits per channel take twice as much memory, so it may have half as many of them. */
const MAX_PIXEL_BYTES = 4 * MAX_PICTURE_PIXELS;

/**
 * The profiles of cameras have about 600 bytes, and those of most programs less than 4,096. Converting colours by a longer profile, or by one
 * with a pipeline of elements ("mpet"), may take minutes and gigabytes, and the time limit of the library does not end it.
 */
const MAX_PROFILE = 4096;
const isSimpleProfile = (profile: Buffer): boolean => profile.length <= MAX_PROFILE && !profile.includes('mpet');

/** Returns the pixels of the reduced picture, so that the file is decoded only once for all qualities. */
async function pixelsOf(open: Open, file: Buffer): Promise<Sharp> {
  const { width, height, channels, depth, icc } = await open(file, { limitInputPixels: MAX_PICTURE_PIXELS }).metadata();
  if (width * height * channels * (depth === 'uchar' ? 1 : 2) > MAX_PIXEL_BYTES) throw invalid(UNREADABLE);
  const ignoreIcc = icc !== undefined && !isSimpleProfile(icc);
  const { data, info } = await open(file, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', ignoreIcc })
    .timeout({ seconds: SECONDS })
    .autoOrient()
    .resize(MAX_PICTURE_SIDE, MAX_PICTURE_SIDE, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return open(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

async function reencoded(file: Buffer): Promise<Buffer> {
  const open = await (opened ??= openDecoder());
  try {
    const pixels = await pixelsOf(open, withoutMetadata(file));
    for (const quality of QUALITIES) {
      const picture = await pixels.clone().webp({ quality }).toBuffer();
      if (picture.length <= MAX_STORED_PICTURE) return picture;
    }
  } catch (error) {
    throw invalid(/pixel limit/.test(String(error)) ? TOO_MANY_PIXELS : UNREADABLE);
  }
  throw invalid(UNREADABLE);
}

const imageQueue = createLimiter({
  concurrency: 1,
  concurrencyPerGroup: 1,
  // While several uploads of one distributor wait, they use at most half of the time of a processor.
  pausesBetweenJobs: true,
  maxQueued: MAX_WAITING,
  maxQueuedPerKey: MAX_WAITING_PER_TENANT,
  maxWait: 30_000,
  maxHold: 30_000,
  refusal: () => tooMany(TOO_MANY_PICTURES),
});

export interface ReencodedImage {
  /** A WebP picture of at most 640 × 640 pixels. */
  readonly image: Buffer;
  readonly hash: string;
}

/**
 * Returns the picture of an uploaded file, encoded again. The format of the file is recognized by its content, not by its name. `job` names
 * the distributor in whose queue the upload waits.
 */
export async function reencodeImage(file: Buffer, job: JobOptions): Promise<ReencodedImage> {
  if (file.length > MAX_PICTURE_FILE) throw new HttpError(413, FILE_TOO_LARGE);
  if (!isKnown(file)) throw invalid(NOT_A_PICTURE);
  if (isJpeg(file) && hasTooManyScans(file)) throw invalid(UNREADABLE);
  const image = await imageQueue(() => reencoded(file), job);
  return { image, hash: createHash('sha256').update(image).digest('hex') };
}
