import { expect, test } from 'vitest';
import { codeUri, newCodeSecret, stepOfCode } from './code-app.ts';

/** The Base32 form of '12345678901234567890', the secret of RFC 6238's test vectors. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number): Date => new Date(seconds * 1000);

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('stepOfCode accepts the codes of RFC 6238, appendix B: at %i seconds the code %s', (seconds, code, step) => {
  expect(stepOfCode(SECRET, code, at(seconds))).toBe(step);
});

test('stepOfCode accepts only the codes of the previous, current and next time step, and returns the time step of the accepted code (contract §19)', () => {
  const start = 1_111_111_110;
  const steps = [-31, -30, 0, 29, 30, 59, 60].map((seconds) => stepOfCode(SECRET, '050471', at(start + seconds)));
  expect(steps).toEqual([null, 37_037_037, 37_037_037, 37_037_037, 37_037_037, 37_037_037, null]);
});

test.each(['', '05047', '0504711', 'abcdef', '05047 ', '٠٥٠٤٧١'])('stepOfCode refuses the text %j as a code of a code app', (code) => {
  expect(stepOfCode(SECRET, code, at(1_111_111_111))).toBeNull();
});

test("a new secret has 160 bits, and its URI names Feastday and the user's e-mail address", () => {
  const secret = newCodeSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newCodeSecret()).not.toBe(secret);
  expect(codeUri(secret, 'office@bethel.test')).toBe(
    `otpauth://totp/Feastday:office%40bethel.test?issuer=Feastday&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
});
