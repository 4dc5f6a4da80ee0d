import { describe, expect, test } from 'vitest';
import { thousandths } from '../weights/weight.ts';
import { parseScaleLine, acceptStableReading, weightInUnit, type ScaleProgress } from './scale-line.ts';

const read = (line: string) => {
  const reading = parseScaleLine(line);
  return reading && [reading.weight, reading.unit, reading.isStable];
};

describe('a line of text that a scale sends (contract §14)', () => {
  test.each([
    // Lines of A&D scales, from EK-L manual §9-2, GC manual §16.2, FX-CT manual "CSV format" and AD-4329A manual §11.1.1.
    ['ST,+00012.34  g\r\n', [12_340, 'g', true]],
    ['ST,+0001.234 kg\r\n', [1234, 'kg', true]],
    ['US,+0001.20  lb\r\n', [1200, 'lb', false]],
    ['ST,OK,+0001.234 kg\r\n', [1234, 'kg', true]],
    ['ST,+0001.278, kg\r\n', [1278, 'kg', true]],
    ['ST,NT,+0004.87lb\r\n', [4870, 'lb', true]],
    ['US,GS,+0004.87 lb\r\n', [4870, 'lb', false]],
    ['ST,N ,+0004.87 lb\r\n', [4870, 'lb', true]],
    // Lines of CAS and Tiger scales have the same fields as those of A&D, with spaces instead of zeros.
    ['ST,GS,+  1.500kg\r\n', [1500, 'kg', true]],
    ['US,NT,   4.870,lb\r\n', [4870, 'lb', false]],
    ['ST,GS    20.7g  \r\n', [20_700, 'g', true]],
    // Lines of Ohaus scales, from the RS232 interface manual and the Defender 3000 manual §5.2.
    ['       192.21 g\r\n', [192_210, 'g', true]],
    ['       176.30 g ?\r\n', [176_300, 'g', false]],
    ['      0.4500 oz    \r\n', [450, 'oz', true]],
    ['   4.87 lb    G  \r\n', [4870, 'lb', true]],
    ['   4.87 lb   ?NET\r\n', [4870, 'lb', false]],
    ['       0.00 lb    NET\r\n', [0, 'lb', true]],
    // Lines of Mettler Toledo scales, from the MT-SICS reference manual, commands S, SI and SIR.
    ['S S     100.00 g\r\n', [100_000, 'g', true]],
    ['S D      12.345 kg\r\n', [12_345, 'kg', false]],
    ['S S       0.000 kg\r\n', [0, 'kg', true]],
    ['     N       0.3746 g\r\n', [375, 'g', true]],
    // A line of a Sartorius scale, which has 16 characters.
    ['+   4.87 kg   \r\n', [4870, 'kg', true]],
    ['\u0002ST,+0001.234 kg\u0003\r\n', [1234, 'kg', true]],
    // A weight below 0 means that the scale is empty: the container, whose weight was tared, was taken off.
    ['ST,-0000.50  lb\r\n', [0, 'lb', true]],
    ['US,NT,-0000.50 lb\r\n', [0, 'lb', false]],
    ['S S      -0.500 kg\r\n', [0, 'kg', true]],
    ['      -0.50 lb    NET\r\n', [0, 'lb', true]],
    ['     N      -0.500 kg\r\n', [0, 'kg', true]],
  ])('the line %j is read as the weight %j', (line, reading) => expect(read(line)).toEqual(reading));

  test.each([
    'OL,+9999999E+19\r\n',
    'OL,+999999.9  g\r\n',
    'QT,+00012345 PC\r\n',
    'ST,TR,+0000.50 kg\r\n',
    'ST,PT,+0000.50 kg\r\n',
    'S I\r\n',
    'S +\r\n',
    'ES\r\n',
    '      3 PCS\r\n',
    '   0.50 lb    T\r\n',
    '+   4.87       \r\n',
    'Err 054\r\n',
    '4.87\r\n',
    '199999.9 g\r\n',
    '',
  ])('the line %j is not read as a weight', (line) => expect(parseScaleLine(line)).toBeNull());
});

test.each([
  [4870, 'lb', 'lb', 4870],
  [4870, 'lb', 'LBS', 4870],
  [78_000, 'oz', 'lb', 4875],
  [1_234_500, 'g', 'kg', 1235],
  [1500, 'kg', 'g', 1_500_000],
  [1500, 'kg', 'lb', null],
  [1500, 'kg', 'piece', null],
  [1500, 'kg', null, null],
  [99_999_999, 'kg', 'g', null],
] as const)(
  "a scale's weight of %d thousandths in the unit %s, for a product with the unit %s, is converted to %s thousandths",
  (weight, unit, uom, thousandthsOf) => {
    expect(weightInUnit({ weight: thousandths(weight), unit, isStable: true }, uom)).toBe(thousandthsOf);
  },
);

/** Returns the weights that are used when a scale sends these lines. */
function takenFrom(lines: readonly string[]): number[] {
  let placement: ScaleProgress = { isTaken: false };
  return lines.flatMap((line) => {
    const reading = parseScaleLine(line);
    if (!reading) throw new Error(line);
    const { next, taken } = acceptStableReading(placement, reading);
    placement = next;
    return taken ? [taken.weight] : [];
  });
}

test('a scale reports one weight each time something is put on it: the first stable weight (contract §14)', () => {
  const lines = [
    'US,+0002.10 lb',
    'ST,+0004.87 lb',
    'ST,+0004.87 lb',
    'US,+0004.60 lb',
    'ST,+0004.60 lb',
    'US,+0000.00 lb',
    'ST,+0004.87 lb',
  ];
  expect(takenFrom(lines)).toEqual([4870, 4870]);
});

test('a weight below 0 counts as an empty scale, so that the next weight is taken after a tared container was lifted (contract §14)', () => {
  expect(takenFrom(['ST,+0000.00 lb', 'ST,+0004.87 lb', 'ST,-0000.50 lb', 'ST,+0004.60 lb'])).toEqual([4870, 4600]);
  expect(takenFrom(['ST,+0004.87 lb', 'US,-0000.50 lb', 'ST,-0000.50 lb', 'ST,+0000.00 lb', 'ST,+0004.60 lb'])).toEqual([4870, 4600]);
});
