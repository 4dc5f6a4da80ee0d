// Reads the lines that bench scales send over a serial port (contract §14). Formats, as their makers document them:
// - A&D (EK-L, GC and FX-CT manuals, "A&D standard format"; AD-4329A with a second header): `ST,+0001.234 kg`, `US,NT,-000.50 lb`; CAS,
//   T-Scale and Tiger scales send the same fields.
// - Ohaus (RS232 interface manual; Defender 3000 manual §5.2): weight, unit, `?` while unstable, then G, N, NET or T.
// - Mettler Toledo (MT-SICS reference manual §3.2.1): `S S     12.34 kg` stable, `S D` dynamic.
// - Sartorius (16 characters): sign, weight, unit; the unit is missing while the weight is not stable.
import { MAX_WEIGHT, thousandths, weightOf, type Thousandths } from '../weights/weight.ts';

const SCALE_UNITS = ['kg', 'g', 'lb', 'oz'] as const;
type ScaleUnit = (typeof SCALE_UNITS)[number];

export interface ScaleReading {
  /** The weight in thousandths of the unit, rounded half up. */
  readonly weight: Thousandths;
  readonly unit: ScaleUnit;
  readonly isStable: boolean;
}

/** Some scales send these control characters around a line. */
const [START_OF_TEXT, END_OF_TEXT] = ['\u0002', '\u0003'];
const UNIT = '(kg|g|lbs?|oz)';
const WEIGHT = String.raw`([+-]?)\s*(\d*\.?\d+|\d+\.)`;
// Matches the A&D standard format. Its optional second header says gross, net or tare, or how the weight compares with a target weight.
const COMMA_SEPARATED = new RegExp(String.raw`^(ST|US),(?:\s*([A-Z]{1,2}|--)\s*,?)?\s*${WEIGHT}\s*,?\s*${UNIT}$`, 'i');
const SICS = new RegExp(String.raw`^SI?\s+([SD])\s+${WEIGHT}\s*${UNIT}$`, 'i');
const WEIGHT_FIRST = new RegExp(String.raw`^${WEIGHT}\s*${UNIT}\s*(\?)?\s*(G|N|NET|T|TR|PT)?$`, 'i');
const MODE_FIRST = new RegExp(String.raw`^([GNT])?\s*${WEIGHT}\s*${UNIT}$`, 'i');

/** Whether the line contains the tare, which is the weight of the container instead of the goods. */
const isTare = (mode: string | undefined): boolean => /^(T|TR|PT)$/i.test(mode ?? '');

function readingOf(sign: string | undefined, digits: string | undefined, unit: string | undefined, isStable: boolean): ScaleReading | null {
  const [whole = '', part = ''] = (digits ?? '').split('.');
  const kept = Number(whole + part.slice(0, 3).padEnd(3, '0')) + (Number(part[3] ?? 0) >= 5 ? 1 : 0);
  if (kept > thousandths(weightOf(MAX_WEIGHT))) return null;
  // A weight below 0 means that the scale is empty: its zero point includes the weight of a container, and the container has been taken off
  // together with the goods.
  const known = SCALE_UNITS.find((one) => (unit ?? '').toLowerCase().startsWith(one));
  return known === undefined ? null : { weight: thousandths(sign === '-' ? 0 : kept), unit: known, isStable };
}

/**
 * Parses one line that a scale has sent. Returns null for any line without a weight, such as a tare, a number of pieces, an overload or an
 * error.
 */
export function parseScaleLine(line: string): ScaleReading | null {
  const text = line.replaceAll(START_OF_TEXT, '').replaceAll(END_OF_TEXT, '').trim();
  const commas = COMMA_SEPARATED.exec(text);
  if (commas) {
    const [, state, mode, sign, digits, unit] = commas;
    return isTare(mode) ? null : readingOf(sign, digits, unit, state?.toUpperCase() === 'ST');
  }
  const sics = SICS.exec(text);
  if (sics) return readingOf(sics[2], sics[3], sics[4], sics[1]?.toUpperCase() === 'S');
  const first = WEIGHT_FIRST.exec(text);
  if (first) return isTare(first[5]) ? null : readingOf(first[1], first[2], first[3], first[4] === undefined);
  const mode = MODE_FIRST.exec(text);
  return mode && !isTare(mode[1]) ? readingOf(mode[2], mode[3], mode[4], true) : null;
}

const OUNCES = 16;
const GRAMS = 1000;

/**
 * Converts the weight to a product's unit of measure. Converts only between g and kg, and between oz and lb; returns null for any other
 * pair. Pounds are never converted to kilograms: the user sets the scale to the unit of the product.
 */
export function weightInUnit({ weight, unit }: ScaleReading, uom: string | null): Thousandths | null {
  const wanted = SCALE_UNITS.find((one) => one === (uom ?? '').trim().toLowerCase().replace(/^lbs$/, 'lb'));
  if (wanted === unit) return weight;
  if (unit === 'g' && wanted === 'kg') return thousandths(Math.floor((weight + GRAMS / 2) / GRAMS));
  if (unit === 'oz' && wanted === 'lb') return thousandths(Math.floor((weight + OUNCES / 2) / OUNCES));
  const larger = unit === 'kg' && wanted === 'g' ? weight * GRAMS : unit === 'lb' && wanted === 'oz' ? weight * OUNCES : null;
  return larger === null || larger > thousandths(weightOf(MAX_WEIGHT)) ? null : thousandths(larger);
}

/**
 * `isTaken` tells whether a weight of the goods on the scale has already been used. If it is true, no other weight is used until the scale
 * is empty.
 */
export interface ScaleProgress {
  readonly isTaken: boolean;
}

/**
 * Returns the next state and the weight to use, or null for no weight. A weight is used if it is the first stable weight above 0 since the
 * scale was empty.
 */
export function acceptStableReading(
  before: ScaleProgress,
  reading: ScaleReading,
): { readonly next: ScaleProgress; readonly taken: ScaleReading | null } {
  if (reading.weight === 0) return { next: { isTaken: false }, taken: null };
  if (before.isTaken || !reading.isStable) return { next: before, taken: null };
  return { next: { isTaken: true }, taken: reading };
}
