// Bodies and paths that take long to process. The floods send them.
import sharp from 'sharp';

/**
 * Wrongly nested HTML. It takes long in a parser whose time grows with the number of elements times their depth. Twenty of these strings fill
 * a body of 4 MB.
 */
export const MISNESTED = `<p>i</p>${'<b>'.repeat(33_000)}${'</i>'.repeat(24_900)}`;

/** A path below /assets/ with 201 `..`, which would take long to resolve. */
export const DOTTED_PATH = `${'a'.repeat(900)}${'/a/..'.repeat(200)}/../x`;

/** Creates a picture with thirty megapixels and a small file. */
export const largePicture = (): Promise<Buffer> =>
  sharp({ create: { width: 6000, height: 5000, channels: 3, background: '#7a1f2b' } })
    .png()
    .toBuffer();

/** A body of a megabyte. The floods send only its first half. */
export const LONG_BODY = JSON.stringify({ email: 'nobody@mail.example', password: 'x'.repeat(1_000_000) });

/** A body of a megabyte with 340,000 empty lists, which would take long to parse. */
export const MANY_LISTS = `{"email":"nobody@mail.example","password":[${'[],'.repeat(340_000)}[]]}`;
