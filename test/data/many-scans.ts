// Creates JPEG files with any number of scans. A valid progressive file may have about 900 scans: one for each coefficient and each bit.

const SIZE = 64;
const BLOCKS = (SIZE / 8) ** 2;
const FIRST_BIT = 13;

const segment = (marker: number, content: readonly number[]): Buffer => Buffer.from([0xff, marker, 0, content.length + 2, ...content]);
/** A Huffman table with a single code of one bit. */
const oneCode = (table: number, symbol: number): Buffer => segment(0xc4, [table, 1, ...Array.from({ length: 15 }, () => 0), symbol]);
/** The symbol of a run of at least 16,384 blocks without coefficients. Its 14 bits with the exact length follow the code. */
const LONG_RUN = 0xe0;
const EMPTY_RUN = Buffer.from([0, 0x01]);

const scan = (firstCoefficient: number, lastCoefficient: number, bits: number, data: Buffer): Buffer =>
  Buffer.concat([segment(0xda, [1, 1, 0, firstCoefficient, lastCoefficient, bits]), data]);

/** Returns a valid gray picture of 64 × 64 pixels. All its scans after the first one change nothing. */
export function jpegWithScans(scans: number): Buffer {
  const start = Buffer.from([0xff, 0xd8]);
  const quantization = segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]);
  const frame = segment(0xc2, [8, 0, SIZE, 0, SIZE, 1, 1, 0x11, 0]);
  const later = Array.from({ length: scans - 1 }, (_, index) => {
    const [bit, coefficient] = [FIRST_BIT - Math.floor(index / 63), 1 + (index % 63)];
    const bits = ((bit === FIRST_BIT ? 0 : bit + 1) << 4) | bit;
    return scan(coefficient, coefficient, bits, EMPTY_RUN);
  });
  const tables = [oneCode(0x00, 0), oneCode(0x10, LONG_RUN)];
  return Buffer.concat([
    start,
    quantization,
    frame,
    ...tables,
    scan(0, 0, 0, Buffer.alloc(BLOCKS / 8)),
    ...later,
    Buffer.from([0xff, 0xd9]),
  ]);
}
