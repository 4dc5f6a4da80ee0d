import { describe, expect, test, vi } from 'vitest';
import { checkMailHtml, isSanitizedHtml, sanitizeMailHtml, hasContent, hasDataImage, textOf } from './html.ts';

describe('mail HTML without scripts and remote content (contract §8)', () => {
  test.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<img src="https://a.example/b.png" onload="alert(1)" alt="b">', '<img src="https://a.example/b.png" alt="b" />'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="java&#10;script:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="//evil.example">x</a>', '<a>x</a>'],
    ['<a href="vbscript:x" onclick="y">x</a>', '<a>x</a>'],
    ['<svg/onload=alert(1)>x', 'x'],
    ['<math><mi//xlink:href="data:x,<script>alert(4)</script>">', ''],
    ['<iframe src="https://evil.example"></iframe>', ''],
    ['<style>*{background:url(https://evil.example)}</style>x', 'x'],
    ['<p style="background:url(javascript:alert(1));color:red">x</p>', '<p style="color:red">x</p>'],
    ['<p style="color:expression(alert(1))">x</p>', '<p>x</p>'],
    ['<p style="position:fixed;top:0">x</p>', '<p>x</p>'],
    ['<form action="https://evil.example"><input name=a><button>b</button></form>', 'b'],
    ['<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example">x', 'x'],
    ['<object data="x"></object><embed src="x"><link rel=stylesheet href=x>', ''],
    ['<!--[if mso]><script>alert(1)</script><![endif]-->x', 'x'],
    ['<div><a href="https://good.example/?a=1&b=2" title="t">x', '<div><a title="t" href="https://good.example/?a=1&amp;b=2">x</a></div>'],
    ['</td></table><h1>out of the box</h1>', '<h1>out of the box</h1>'],
  ])('is the result of sanitizing the HTML %s', async (hostile, clean) => {
    expect(await sanitizeMailHtml(hostile)).toBe(clean);
    expect(isSanitizedHtml(clean)).toBe(true);
  });
});

test.each([
  '<script>alert(1)</script>',
  '<p onclick="x">x</p>',
  '<p onclick=x>x</p>',
  '<p style="background:url(https://evil.example)">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a title="a" href="/relative">x</a>',
  '<img src="data:image/png;base64,AA" />',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>x',
  '<<b>script>alert(1)',
  '<!-- x -->',
  '<p title="a"onclick="x">x</p>',
])('isSanitizedHtml does not recognize %s as sanitized HTML', (html) => {
  expect(isSanitizedHtml(html)).toBe(false);
});

test('sanitizeMailHtml keeps the HTML that the editor produces', async () => {
  const html =
    '<h2>Passover</h2><p style="text-align:center"><strong>Order</strong> <em>now</em></p><ul><li>wine</li></ul><table><tbody><tr><td colspan="2">x</td></tr></tbody></table>';
  expect(await sanitizeMailHtml(html)).toBe(html);
  expect(isSanitizedHtml(html)).toBe(true);
});

test('the plain-text part of a mail keeps the lines, lists and link URLs of its HTML', async () => {
  const html =
    '<h2>Passover</h2><p>Dear&nbsp;all,<br />order &amp; pay at <a href="https://x.example/?a=1&amp;b=2">our page</a>.</p><ul><li>wine</li><li>meat</li></ul><p>1 &lt; 2</p>';
  expect(textOf(await sanitizeMailHtml(html))).toBe(
    'Passover\n\nDear all,\norder & pay at our page (https://x.example/?a=1&b=2).\n\n- wine\n- meat\n\n1 < 2',
  );
});

test('the plain-text part of a mail has a link whose text is its URL only once', async () => {
  const html = '<p><a href="https://x.example/order">x.example/order</a> or <a href="mailto:a@x.example">a@x.example</a></p>';
  expect(textOf(await sanitizeMailHtml(html))).toBe('https://x.example/order or a@x.example');
});

test.each([
  ['<p>&nbsp; <br></p>', false],
  ['', false],
  ['<script>x</script>', false],
  ['<p>x</p>', true],
  ['<img src="https://a.example/b.png">', true],
] as const)('for the HTML %s, hasContent, which looks for visible content, returns %s', async (html, expected) => {
  expect(hasContent(await sanitizeMailHtml(html))).toBe(expected);
});

test.each([
  ['<img src="data:image/png;base64,AA">', true],
  ['<img src=" da&#116;a:image/png;base64,AA">', true],
  ['<img srcset="data:image/png;base64,AA 1x">', true],
  ['<p>data: 3 rows</p><img src="https://a.example/data:x.png">', false],
] as const)('for the HTML %s, hasDataImage, which looks for embedded pictures, returns %s', async (html, expected) => {
  expect(await hasDataImage(html)).toBe(expected);
});

test.each([
  [
    'refuses deeply nested elements that are closed in the wrong order',
    `<p>i</p>${'<b>'.repeat(33_000)}${'</i>'.repeat(24_900)}`,
    { problem: 'too complex' },
  ],
  ['refuses one element too many', `x${'<p>'.repeat(25_001)}`, { problem: 'too complex' }],
  ['refuses an element that is nested too deeply', `${'<b>'.repeat(101)}x`, { problem: 'too complex' }],
  [
    'refuses an element that is nested too deeply, even if the sanitizer would remove it',
    `${'<font>'.repeat(101)}x`,
    { problem: 'too complex' },
  ],
  ['accepts the maximum number of elements', '<p>x</p>'.repeat(25_000), { html: '<p>x</p>'.repeat(25_000) }],
  [
    'accepts elements that are nested to the maximum depth',
    `${'<b>'.repeat(100)}x${'</b>'.repeat(100)}`,
    { html: `${'<b>'.repeat(50)}x${'</b>'.repeat(50)}` },
  ],
  ['accepts many closing tags without an opening tag', `x${'</i>'.repeat(40_000)}`, { html: 'x' }],
])('checkMailHtml, which limits the number and depth of HTML elements, %s', async (_, html, expected) => {
  expect(await checkMailHtml(html)).toMatchObject(expected);
});

const HOSTILE = 199_000;
const repeated = (text: string): string => text.repeat(HOSTILE / text.length);

test.each([
  ['href', `<a href="http://${repeated('<!---->')}">x</a>`],
  ['src', `x<img src="http://${repeated('<!---->')}">`],
  ['style', `<p style="${repeated('color:red;')}">x</p>`],
])(
  'a mail whose attribute %s has more than 8,000 characters is refused before the attribute is read (reliability abuse)',
  async (name, html) => {
    expect(await checkMailHtml(html)).toEqual({ problem: 'long attribute' });
    const ofLength = (length: number) => `<a ${name}="${`color:red;`.padEnd(length, 'a')}">x</a>`;
    expect(await checkMailHtml(ofLength(8001))).toEqual({ problem: 'long attribute' });
    expect(await checkMailHtml(ofLength(8000))).toMatchObject({ text: 'x' });
  },
);

test('the search for embedded pictures does not read the other candidates of a srcset, and logs nothing (reliability abuse)', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  for (const candidates of [repeated('a b,'), `a${repeated(',')}b,`])
    expect(await checkMailHtml(`<p>x &amp; y</p><img srcset="${candidates}">`)).toMatchObject({ text: 'x & y' });
  expect(log).not.toHaveBeenCalled();
  log.mockRestore();
});

test.each(['color: rgb(1, 2, 3)', 'color: rgba(10%, 2.5%, 3%, .5)', 'background-color: #aBc', 'font-size: 1.5em; text-align: left'])(
  'HTML with the style “%s” is recognized as sanitized after it was sanitized, so it is not sanitized again for each recipient',
  async (style) => {
    const clean = await sanitizeMailHtml(`<p style="${style}">x</p>`);
    expect(clean).toContain('style=');
    expect(isSanitizedHtml(clean)).toBe(true);
  },
);

test.each(['rgb(1 2 3 / 50%)', 'rgb(1,\n2,3)'])('the colour %j, which is not recognized as sanitized, is removed', async (colour) => {
  expect(await sanitizeMailHtml(`<p style="color:${colour}">x</p>`)).toBe('<p>x</p>');
});

test('links that never end are removed from the plain text in linear time (reliability abuse)', () => {
  const links = '<a href="http://x.example">'.repeat(40_000);
  const attributes = `<a ${'href="http://x.example" '.repeat(20_000).trim()}>${'x'.repeat(500_000)}`;
  expect(isSanitizedHtml(links + attributes)).toBe(true);
  expect(textOf(links)).toBe('');
  expect(textOf(attributes)).toHaveLength(500_000);
});

test('HTML of many tags and spaces is processed in linear time', () => {
  // If the time grew with the square of the length, this call would take minutes and exceed the time limit of the test.
  expect(hasContent('<b> </b>'.repeat(100_000))).toBe(false);
});
