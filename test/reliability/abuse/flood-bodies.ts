// The bodies of requests that took long to read, and the paths that took long to resolve.
import sharp from 'sharp';

/**
 * If the time of an HTML parser grows with the number of elements times their depth, this input blocks it for long. Twenty of these strings
 * fill a body of 4 MB.
 */
export const MISNESTED = `<p>i</p>${'<b>'.repeat(33_000)}${'</i>'.repeat(24_900)}`;

/** Resolving the dots of this path would take long. */
export const DOTTED_PATH = `${'a'.repeat(900)}${'/a/..'.repeat(200)}/../x`;

/** Creates a picture of thirty megapixels whose file is small. */
export const largePicture = (): Promise<Buffer> =>
  sharp({ create: { width: 6000, height: 5000, channels: 3, background: '#7a1f2b' } })
    .png()
    .toBuffer();

/** The floods send only the first half of this body. */
export const LONG_BODY = JSON.stringify({ email: 'nobody@mail.example', password: 'x'.repeat(1_000_000) });

/** A body of a megabyte with 340,000 empty lists. Parsing it would take long. */
export const MANY_LISTS = `{"email":"nobody@mail.example","password":[${'[],'.repeat(340_000)}[]]}`;
