import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LegalText } from '@/components/legal/legal-text';
import { parseLegalText, splitUrls } from '@/lib/settings/legal/legal';

const markupOf = (text: string) => renderToStaticMarkup(<LegalText text={text} />);

describe('the text of a legal document', () => {
  it('has headings, paragraphs and lists', () => {
    const text = '# Terms\n\nOne\ntwo\n\n\n## Money\n- a\n- b\n\n- c\nlast\n#not\n-not';
    expect(parseLegalText(text)).toEqual([
      { kind: 'heading', level: 2, text: 'Terms' },
      { kind: 'paragraph', lines: ['One', 'two'] },
      { kind: 'heading', level: 3, text: 'Money' },
      { kind: 'list', items: ['a', 'b'] },
      { kind: 'list', items: ['c'] },
      { kind: 'paragraph', lines: ['last', '#not', '-not'] },
    ]);
  });

  it('links only http and https URLs, without the punctuation after them', () => {
    expect(splitUrls('See https://a.example/x?y=1. Or http://b.example/, javascript:alert(1).')).toEqual([
      { text: 'See ', href: null },
      { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
      { text: '. Or ', href: null },
      { text: 'http://b.example/', href: 'http://b.example/' },
      { text: ', javascript:alert(1).', href: null },
    ]);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    'https://a.example/"onmouseover="alert(1)',
    '# <b>x</b>',
    '- <svg/onload=alert(1)>',
  ])('renders %s as text', (text) => {
    const markup = markupOf(text);
    expect(markup).not.toMatch(/<(script|img|b|svg)\b/);
    expect(markup).not.toMatch(/\s(on\w+)="/);
    expect(markup).not.toMatch(/href="(?!https?:)/);
  });

  it('keeps every character that is no mark, and creates no other elements, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const markup = markupOf(text);
        const elements = [...markup.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name);
        expect(
          elements.filter((name) => !['div', 'h2', 'h3', 'ul', 'li', 'p', 'span', 'br', 'a'].includes(name ?? '')),
        ).toEqual([]);
        for (const line of text.split('\n'))
          expect(
            splitUrls(line)
              .map((part) => part.text)
              .join(''),
          ).toBe(line);
      }),
    );
  });
});
