import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { jpegWithScans } from '../../../test/data/many-scans.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { listProductImages, MAX_PICTURES } from './contract.ts';
import { PICTURE_CHANGED } from './texts.ts';

const testApp = setupTestApp();
const CODE = 1001;

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  await testApp.db.deleteFrom('product_images').execute();
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  await makeProduct(testApp.db, distribution, { name: 'Brisket', product_code: CODE });
});

const blank = (width: number, height: number, background = '#a33') => sharp({ create: { width, height, channels: 3, background } });
const noise = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 90 } } });
const upload = async (file: Buffer, by = distributor, code: number | string = CODE) =>
  await testApp.request(by, { method: 'POST', url: `/api/product-images/${code}`, payload: { image: file.toString('base64') } });
const said = async (file: Buffer) => {
  const { statusCode, body } = await upload(file);
  return [statusCode, body];
};
const get = (by: Person | null, url: string, headers = {}) => testApp.request(by, { method: 'GET', url, headers });
const listed = async (by: Person) => await (await testApp.as(by))(listProductImages);
const pictureOf = async (hash: string) => (await get(distributor, `/api/product-images/${CODE}/${hash}`)).rawPayload;

describe('a picture', () => {
  test('can be added and replaced, seen in the list by all users of the distributor, and removed once (contract §4)', async () => {
    const first = await upload(await blank(20, 10).png().toBuffer());
    const { hash } = first.json();
    expect([first.statusCode, first.json()]).toEqual([201, { product_code: CODE, hash }]);
    const second = await upload(await blank(20, 10, '#0a0').png().toBuffer());
    expect([second.statusCode, second.json().hash === hash]).toEqual([200, false]);
    for (const person of [distributor, await makeAgent(testApp.db, distributor), await makeCustomer(testApp.db, distributor)]) {
      expect(await listed(person)).toEqual([second.json()]);
      expect((await get(person, `/api/product-images/${CODE}/${second.json().hash}`)).statusCode).toBe(200);
    }
    expect((await get(distributor, `/api/product-images/${CODE}/${hash}`)).body).toBe('Picture not found');
    expect((await get(distributor, `/api/product-images/${CODE}/a%00b`)).statusCode).toBe(404);
    const remove = () => testApp.request(distributor, { method: 'DELETE', url: `/api/product-images/${CODE}` });
    expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 404]);
    expect(await listed(distributor)).toEqual([]);
  });

  test('is not replaced or removed by a request that names another previous picture, or none (contract §4)', async () => {
    const [first, second, third] = await Promise.all(['#a33', '#0a0', '#00a'].map((color) => blank(20, 10, color).png().toBuffer()));
    const send = async (method: 'POST' | 'DELETE', query: string, payload?: object) =>
      await testApp.request(distributor, { method, url: `/api/product-images/${CODE}${query}`, ...(payload && { payload }) });
    const put = (file: Buffer | undefined, before: string | null) => send('POST', '', { image: file?.toString('base64'), before });
    const remove = (before: string) => send('DELETE', `?before=${before}`);
    const refused = { statusCode: 409, body: PICTURE_CHANGED };
    const { hash } = (await put(first, null)).json();
    expect((await put(first, null)).json()).toEqual({ product_code: CODE, hash });
    expect(await put(second, null)).toMatchObject(refused);
    const replaced = (await put(second, hash)).json();
    expect(await put(third, hash)).toMatchObject(refused);
    expect(await remove(hash)).toMatchObject(refused);
    expect(await listed(distributor)).toEqual([replaced]);
    expect(await remove(replaced.hash)).toMatchObject({ statusCode: 204 });
    expect(await remove(replaced.hash)).toMatchObject({ statusCode: 404, body: 'Picture not found' });
    expect(await put(third, replaced.hash)).toMatchObject(refused);
  });

  test('is served as WebP and cached permanently, so that a browser downloads it once', async () => {
    const { hash } = (await upload(await blank(20, 10).png().toBuffer())).json();
    const url = `/api/product-images/${CODE}/${hash}`;
    const { statusCode, headers, rawPayload } = await get(distributor, url, { 'accept-encoding': 'br, gzip' });
    expect([statusCode, rawPayload.toString('latin1', 8, 12)]).toEqual([200, 'WEBP']);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      etag: `"${hash}"`,
      'x-content-type-options': 'nosniff',
      'content-length': String(rawPayload.length),
    });
    const again = await get(distributor, url, { 'if-none-match': `"${hash}"` });
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', 'private, max-age=31536000, immutable']);
    expect((await get(null, url)).statusCode).toBe(401);
    expect((await get(distributor, `/api/product-images/${CODE}/${'0'.repeat(64)}`)).headers['cache-control']).toBe('no-store');
  });

  test('is read from the database once, however often it is requested (reliability abuse)', async () => {
    const { hash } = (await upload(await blank(20, 10).png().toBuffer())).json();
    const url = `/api/product-images/${CODE}/${hash}`;
    const { rawPayload } = await get(distributor, url);
    await testApp.db
      .updateTable('product_images')
      .set({ image: Buffer.from('other bytes') })
      .where('hash', '=', hash)
      .execute();
    expect((await get(distributor, url)).rawPayload.equals(rawPayload)).toBe(true);
    await testApp.db.deleteFrom('product_images').where('hash', '=', hash).execute();
    expect((await get(distributor, url)).statusCode).toBe(404);
  });

  test('belongs to its distributor: for others it is not found, even for the same product code (contract §4)', async () => {
    const { hash } = (await upload(await blank(20, 10).png().toBuffer())).json();
    const stranger = await makeDistributor(testApp.db);
    await makeProduct(testApp.db, await makeDistribution(testApp.db, stranger), { product_code: CODE });
    expect(await listed(stranger)).toEqual([]);
    const url = `/api/product-images/${CODE}`;
    for (const by of [stranger, await makeCustomer(testApp.db, stranger)]) {
      const answer = await get(by, `${url}/${hash}`);
      expect([answer.statusCode, answer.body]).toEqual([404, 'Picture not found']);
    }
    const removed = await testApp.request(stranger, { method: 'DELETE', url });
    expect([removed.statusCode, removed.body]).toEqual([404, 'Picture not found']);
    expect((await upload(await blank(5, 5).png().toBuffer(), stranger)).statusCode).toBe(201);
    expect(await listed(distributor)).toEqual([{ product_code: CODE, hash }]);
  });

  test('can be added only for an existing product code', async () => {
    const answer = await upload(await blank(5, 5).png().toBuffer(), distributor, 4711);
    expect([answer.statusCode, answer.body]).toEqual([404, 'Product not found']);
  });

  test.each([
    ['a wide photograph', () => noise(2000, 1000).jpeg({ quality: 60 }), [640, 320]],
    ['a tall one, told by the camera to be turned', () => blank(1200, 600).jpeg().withMetadata({ orientation: 6 }), [320, 640]],
    ['a small picture', () => blank(60, 40).webp(), [60, 40]],
    ['a picture as busy as can be', () => noise(640, 640).png(), [640, 640]],
  ] as const)(
    'that is uploaded as %s is encoded again as WebP of at most 200 kB, without metadata (contract §4)',
    async (_, make, [width, height]) => {
      const { hash } = (await upload(await make().toBuffer())).json();
      const picture = await pictureOf(hash);
      const { format, exif, icc, xmp, ...drawn } = await sharp(picture).metadata();
      expect([format, drawn.width, drawn.height, exif, icc, xmp]).toEqual(['webp', width, height, undefined, undefined, undefined]);
      expect(picture.length).toBeLessThan(200_001);
    },
  );

  test('that is animated becomes a still picture', async () => {
    const frames = await Promise.all(['#f00', '#0f0'].map((color) => blank(10, 10, color).png().toBuffer()));
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const { hash } = (await upload(moving)).json();
    expect((await sharp(await pictureOf(hash)).metadata()).pages ?? 1).toBe(1);
  });

  test('contains neither the EXIF data of the uploaded file nor the bytes that follow the picture in that file', async () => {
    const exif = { IFD0: { Copyright: 'MARKER-IN-EXIF' } };
    const jpeg = await noise(300, 200).jpeg().withExif(exif).toBuffer();
    expect(jpeg.toString('latin1')).toContain('MARKER-IN-EXIF');
    const { hash } = (await upload(Buffer.concat([jpeg, Buffer.from('<script>alert("MARKER-AFTER")</script>')]))).json();
    expect((await pictureOf(hash)).toString('latin1')).not.toMatch(/MARKER|script/);
  });
});

describe('a picture file is refused', () => {
  const UNREADABLE = [400, 'This picture cannot be read. Save it again as PNG or JPEG and choose that file.'];
  const NO_PICTURE = [400, 'The picture must be a PNG, JPEG or WebP file.'];
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';

  test.each([
    ['cut in the middle, PNG', async () => (await noise(300, 300).png().toBuffer()).subarray(0, 9000), UNREADABLE],
    ['cut in the middle, JPEG', async () => (await noise(300, 300).jpeg().toBuffer()).subarray(0, 9000), UNREADABLE],
    ['only a beginning', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), UNREADABLE],
    ['a page that begins like a JPEG', async () => Buffer.from('\xff\xd8\xff<html><script>alert(1)</script>', 'latin1'), UNREADABLE],
    ['an SVG', async () => Buffer.from(svg), NO_PICTURE],
    ['an SVG that begins like a WebP', async () => Buffer.from(`RIFF\0\0\0\0WEBP${svg}`), UNREADABLE],
    ['a GIF', async () => await blank(20, 20).gif().toBuffer(), NO_PICTURE],
    ['an AVIF', async () => await blank(20, 20).avif().toBuffer(), NO_PICTURE],
    ['a text', async () => Buffer.from('Brisket, first cut'), NO_PICTURE],
    ['empty', async () => Buffer.alloc(0), NO_PICTURE],
  ] as const)('when it is of this kind: %s (contract §4)', async (_, file, answer) => {
    expect(await said(await file())).toEqual(answer);
    expect(await testApp.db.selectFrom('product_images').select('hash').execute()).toEqual([]);
  });

  test('when its decoded pixels would fill the memory; the server detects this before it decodes the file', async () => {
    const bomb = await blank(6000, 6000).png({ compressionLevel: 6 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await said(bomb)).toEqual([400, 'The picture has more than 30 million pixels. Make it smaller and choose it again.']);
    // The pixels of this picture take twice as much memory as those of a picture with 8 bits per channel.
    const deep = await blank(5000, 5000).ensureAlpha().toColourspace('rgb16').png({ compressionLevel: 6 }).toBuffer();
    expect(await said(deep)).toEqual([400, 'This picture cannot be read. Save it again as PNG or JPEG and choose that file.']);
  });

  test('when it is a JPEG with more than 100 scans, because thousands of scans would occupy a thread for minutes (reliability freeze)', async () => {
    expect(await said(jpegWithScans(101))).toEqual(UNREADABLE);
    expect((await upload(jpegWithScans(100))).statusCode).toBe(201);
    expect((await upload(await noise(300, 300).jpeg({ progressive: true }).toBuffer())).statusCode).toBe(200);
  });

  test('when it is larger than 2 MB; a request body above 3 MB is refused too (contract §2, §4)', async () => {
    const jpeg = await blank(20, 20).jpeg().toBuffer();
    const padded = (bytes: number) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)]);
    expect((await upload(padded(2 * 1024 * 1024))).statusCode).toBe(201);
    expect(await said(padded(2 * 1024 * 1024 + 1))).toEqual([413, 'The picture is larger than 2 MB. Make it smaller and choose it again.']);
    expect(await said(padded(2_400_000))).toEqual([413, 'The request is too large.']);
  });

  test.each([{ image: 'a' }, { image: '====' }, { image: 'iVBORw0KGgo*' }, { image: null }, {}, { image: ['iVBO'] }])(
    'when its content is not base64, as in the request body %j',
    async (payload) => {
      const answer = await testApp.request(distributor, { method: 'POST', url: `/api/product-images/${CODE}`, payload });
      expect(answer.statusCode).toBe(400);
    },
  );
});

test('ten pictures that are uploaded at once are all stored, each under its own product code', async () => {
  const codes = Array.from({ length: 10 }, (_, index) => 2000 + index);
  for (const product_code of codes) await makeProduct(testApp.db, distribution, { product_code });
  const answers = await Promise.all(
    codes.map(
      async (code) =>
        await upload(
          await blank(30, 30, `#${String(code).slice(1)}`)
            .png()
            .toBuffer(),
          distributor,
          code,
        ),
    ),
  );
  expect(answers.map((answer) => answer.statusCode)).toEqual(codes.map(() => 201));
  const images = await listed(distributor);
  expect(images.map((image) => image.product_code)).toEqual(codes);
  expect(new Set(images.map((image) => image.hash)).size).toBe(10);
});

test(
  "of thirty pictures that arrive at once, the pictures above the queue's limit are refused, and accepted when they are sent again later",
  { tags: ['long'] },
  async () => {
    // Encoding this picture again takes longer than reading its file, so that the queue fills up.
    const file = await blank(6000, 5000).png().toBuffer();
    const answers = await Promise.all(Array.from({ length: 30 }, () => upload(file)));
    const refused = answers.filter((answer) => answer.statusCode === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(11);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map((answer) => answer.body))).toEqual(
      new Set(['Many pictures are being saved just now. Try again in a minute.']),
    );
    expect((await upload(file)).statusCode).toBe(200);
  },
);

test(
  'while two distributors upload fourteen pictures of thirty megapixels each, the upload of a third distributor is accepted',
  { tags: ['long'] },
  async () => {
    const large = await blank(6000, 5000).png().toBuffer();
    const small = await blank(30, 30).png().toBuffer();
    const others = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
    for (const other of others) await makeProduct(testApp.db, await makeDistribution(testApp.db, other), { product_code: CODE });
    const [busy = distributor, honest = distributor] = others;
    const flood = [distributor, busy].flatMap((by) => Array.from({ length: 14 }, () => upload(large, by)));
    let isFlooded = true;
    const all = Promise.all(flood).finally(() => (isFlooded = false));
    await Promise.any(flood);
    const answer = await upload(small, honest);
    expect([answer.statusCode, isFlooded]).toEqual([201, true]);
    expect((await all).map(({ statusCode }) => statusCode).filter((status) => ![200, 201, 429].includes(status))).toEqual([]);
  },
);

test.each([
  ['gray', () => blank(50, 40).toColourspace('b-w').png(), 'srgb'],
  [
    'see-through',
    () => sharp({ create: { width: 50, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } }).png(),
    'srgb',
  ],
  ['of sixteen bits', () => blank(50, 40).toColourspace('rgb16').png(), 'srgb'],
  ['for a printing press', () => blank(50, 40).toColourspace('cmyk').jpeg(), 'srgb'],
] as const)('the server accepts and converts a picture that is %s', async (_, make, space) => {
  const { hash } = (await upload(await make().toBuffer())).json();
  expect((await sharp(await pictureOf(hash)).metadata()).space).toBe(space);
});

test('a distributor can have at most 5,000 pictures; above that, pictures can only be replaced (reliability growth)', async () => {
  await sql`INSERT INTO product_images ("distributorId", product_code, image, hash, "updatedBy")
    SELECT ${distributor.id}, 10000 + n, '\\x00', '', ${distributor.id} FROM generate_series(1, ${MAX_PICTURES - 1}::int) n`.execute(
    testApp.db,
  );
  await makeProduct(testApp.db, distribution, { product_code: CODE + 1 });
  const file = await blank(20, 10).png().toBuffer();
  expect((await upload(file)).statusCode).toBe(201);
  const refused = await upload(file, distributor, CODE + 1);
  const sentence = 'A distributor has at most 5,000 pictures. Remove pictures of products that you no longer offer.';
  expect([refused.statusCode, refused.body]).toEqual([409, sentence]);
  expect((await upload(file)).statusCode).toBe(200);
});
