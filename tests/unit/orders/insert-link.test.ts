import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitTitle } from '@/lib/orders/posts/form';
import { insertLink, type RequestedLink } from '@/lib/orders/posts/insert-link';

const target = 'https://shop.example/spades?size=2&color=red';
const href = 'https://shop.example/spades?size=2&amp;color=red';
const wanted = (values: Partial<RequestedLink> = {}): RequestedLink => ({
  ...{ targetUrl: target, anchor: 'the spade', rel: 'any' },
  ...values,
});
const link = `<a href="${href}">the spade</a>`;
const published = `<p>First.</p>\n<p>Read about ${link} <em>first</em>.</p>`;

it('changes what is missing, and nothing else', () => {
  const rows: [content: string, requested: RequestedLink, change: string, result: string][] = [
    [published, wanted(), 'none', published],
    // Another spelling of the same page.
    [`<p><A HREF='http://www.shop.example/spades/?color=red&size=2'>The  Spade</A></p>`, wanted(), 'none', ''],
    [
      `<!-- wp:paragraph --><p class=x>Read about the spade &amp; more</p><!-- /wp:paragraph -->[gallery id="1"]`,
      wanted({ rel: 'sponsored' }),
      'link',
      `<!-- wp:paragraph --><p class=x>Read about <a href="${href}" rel="sponsored">the spade</a> &amp; more</p><!-- /wp:paragraph -->[gallery id="1"]`,
    ],
    // Not in the middle of a word, in another link, in an attribute or in a script.
    [
      `<p title="the spade">the spades <a href="/x">the spade</a></p><script>the spade</script><b>the spade!</b>`,
      wanted(),
      'link',
      `<p title="the spade">the spades <a href="/x">the spade</a></p><script>the spade</script><b>${link}!</b>`,
    ],
    // Not in an attribute of a shortcode.
    [
      '[box title="the spade"]',
      wanted({ targetUrl: 'https://other.example/' }),
      'paragraph',
      '[box title="the spade"]\n\n<p><a href="https://other.example/">the spade</a></p>\n',
    ],
    ['<p>First.</p>', wanted(), 'paragraph', `<p>First.</p>\n\n<p>Read about ${link} <em>first</em>.</p>\n`],
    [
      '<!-- wp:paragraph --><p>First.</p><!-- /wp:paragraph -->',
      wanted({ rel: 'nofollow' }),
      'paragraph',
      `<!-- wp:paragraph --><p>First.</p><!-- /wp:paragraph -->\n\n<!-- wp:paragraph -->\n<p>Read about <a href="${href}" rel="nofollow">the spade</a> <em>first</em>.</p>\n<!-- /wp:paragraph -->\n`,
    ],
    [
      '',
      wanted({ targetUrl: 'https://other.example/', anchor: '' }),
      'paragraph',
      '<p><a href="https://other.example/">other.example</a></p>\n',
    ],
    [
      `<p><a rel="nofollow noopener" href="${href}" class='a "b"'>here</a></p>`,
      wanted({ rel: 'dofollow' }),
      'attributes',
      `<p><a href="${href}" class="a &quot;b&quot;" rel="noopener">the spade</a></p>`,
    ],
    [`<p>${link}</p>`, wanted({ rel: 'ugc' }), 'attributes', `<p><a href="${href}" rel="ugc">the spade</a></p>`],
    ['<p>a &lt;b&gt; c</p>', wanted({ anchor: '<b>' }), 'link', `<p>a <a href="${href}">&lt;b&gt;</a> c</p>`],
  ];
  for (const [content, requested, change, result] of rows) {
    expect(insertLink(content, requested, published), content).toEqual({ change, content: result || content });
  }
});

it('puts the link into any content once, and then finds nothing to change', () => {
  const piece = fc.constantFrom(
    'the spade',
    '<p>',
    '</p>',
    '<a href="/x">',
    '</a>',
    '<b',
    '>',
    '&amp;',
    '"',
    '<!-- wp:x -->',
    ' ',
    'é',
    link,
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('any', 'dofollow', 'nofollow', 'sponsored', 'ugc'),
      fc.constantFrom('', 'the spade', 'a "b" <c>'),
      (pieces, rel, anchor) => {
        const requested = wanted({ rel, anchor });
        const once = insertLink(pieces.join(''), requested, published);
        fc.pre(!/<!--(?!.*-->)|<b[^>]*$/s.test(pieces.join('')));
        expect(insertLink(once.content, requested, published)).toEqual({ content: once.content, change: 'none' });
      },
    ),
    { numRuns: 200 },
  );
});

it('takes the title from the first heading of an article, in time for any text', () => {
  const rows: [article: string, format: 'markdown' | 'html', title: string, content: string][] = [
    ['\n# The spade #\n\nText # 1', 'markdown', 'The spade', 'Text # 1'],
    ['#tag\nText', 'markdown', '', '#tag\nText'],
    ['<body class="a"><p>$&</p><h1 id="b">The spade</h1></body></html>', 'html', 'The spade', '<p>$&</p>'],
    ['<p>Text</p>', 'html', '', '<p>Text</p>'],
    [`# ${' '.repeat(300_000)}x`, 'markdown', '', `# ${' '.repeat(300_000)}x`],
    ['<body>'.repeat(60_000), 'html', '', '<body>'.repeat(59_999)],
    [`#${' #'.repeat(150_000)}x`, 'markdown', '', `#${' #'.repeat(150_000)}x`],
  ];
  for (const [article, format, title, content] of rows)
    expect(splitTitle(article, format)).toEqual({ title, content, format });
});
