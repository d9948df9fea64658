import { describe, expect, it } from 'vitest';
import type { LinkVerdict } from '@/db/schema/links';
import { judgeHtml, articleText as text } from '@/tests/factories/judge-html';

const judge = (content: string, anchor: string) =>
  judgeHtml(`<!doctype html><body>${text}<a href="https://buyer.example/shoes">${content}</a>`, { wanted: { anchor } });

const ordered = 'best running shoes';

describe('the text of a link is what a visitor reads', () => {
  it.each([
    // Words.
    ['a line break', 'best<br>running shoes'],
    ['a line break in XHTML', 'best<br/>running<br />shoes'],
    ['blocks', '<div>best</div><div>running shoes</div>'],
    ['a block behind a text', 'best<p>running shoes</p>'],
    ['a text behind a block', '<h3>best</h3>running shoes'],
    ['a block between texts', 'best<div>running</div>shoes'],
    ['an empty block between texts', 'best<div></div>running shoes'],
    ['items of a list', '<ul><li>best<li>running<li>shoes</ul>'],
    ['cells of a table', '<table><tr><td>best<td>running<td>shoes</table>'],
    ['spans that their style makes blocks', '<span style="display:block">best</span><span>running shoes</span>'],
    ['children of a flex container', '<span style="display:flex"><b>best</b><b>running shoes</b></span>'],
    ['a line', 'best<hr>running shoes'],
    ['formatting in a word', 'b<b>es</b>t run<i>ning</i> sh<span>oes</span>'],
    ['a place for a break', 'best run<wbr>ning shoes'],
    ['a soft hyphen', 'best run&shy;ning shoes'],
    ['blocks in a line', 'best run<div style="display:inline">ning</div> shoes'],
    ['inline blocks', 'best run<b style="display:inline-block">ning</b> shoes'],
    ['spaces and line breaks', '\n  best\t running&nbsp;\n shoes '],
    ['a comment', 'best run<!-- x -->ning shoes'],
    ['preformatted text', '<pre>best running\nshoes</pre>'],
    // What is not read.
    [
      'a hint with the class of WordPress',
      'best running shoes<span class="screen-reader-text"> (opens in a new tab)</span>',
    ],
    ['a hint with the class of Bootstrap', 'best running shoes <span class="sr-only">(opens in a new tab)</span>'],
    ['a hint with a newer class', 'best running shoes<span class="visually-hidden">x</span>'],
    ['a hint with an older class', 'best running shoes<span class="visuallyhidden">x</span>'],
    ['a hint with another class', 'best running shoes<span class="assistive-text">x</span><b class="u-sr-only">x</b>'],
    [
      'a hint with a class in camel case',
      'best running shoes<span class="visuallyHidden">x</span><b class="srOnly">x</b>',
    ],
    ['a hint with a class in a block', 'best running shoes<span class="link__visually-hidden">x</span>'],
    ['a hint that can be focused', 'best running shoes<span class="visually-hidden-focusable">x</span>'],
    ['a hint of jQuery', 'best running shoes<span class="ui-helper-hidden-accessible">x</span>'],
    ['a hint in front', '<span class="sr-only">External link: </span>best running shoes'],
    [
      'a hint with its style',
      'best running shoes<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">x</span>',
    ],
    ['a hidden part', 'best running shoes<span hidden> x</span><span style="font-size:0"> y</span>'],
    ['an icon', 'best running shoes <i class="fa fa-external-link" aria-hidden="true"></i>'],
    ['an icon of text', 'best running shoes <span aria-hidden="true">→</span>'],
    ['a named icon', 'best running shoes <i class="material-icons">launch</i>'],
    ['a named icon of another font', '<span class="material-symbols-outlined">open_in_new</span> best running shoes'],
    ['a character of an icon font', 'best running shoes <i class="icon">&#xf08e;</i>'],
    ['a picture with a title', 'best running shoes<svg><title>External link</title><desc>x</desc><path d="M0"/></svg>'],
    ['a style and a script', 'best running shoes<style>a{}</style><script>x</script><svg><style>b{}</style></svg>'],
    ['a text without scripts', 'best running shoes<noscript>x</noscript>'],
    ['a template', 'best running shoes<template>x</template>'],
    ['readings', '<ruby>best<rp>(</rp><rt>ベスト</rt><rp>)</rp></ruby> running shoes'],
    [
      'a text that is read twice',
      '<span aria-hidden="true">best running shoes</span><span class="sr-only">best running shoes</span>',
    ],
    ['a text with a part hidden from screen readers', 'best <span aria-hidden="true">running</span> shoes'],
    ['a picture in front', '<img src=x alt="A photo"> best running shoes'],
    // What is read in place of a text.
    ['the text of a picture', '<img src=x alt="Best running shoes">'],
    ['a picture with a part of the text', '<img src=x alt="best">running shoes'],
    ['the text of a picture that fades in', '<img src=y alt=""><img src=x alt="Best running shoes" style="opacity:0">'],
    ['a hint with a class of a module', 'best running shoes<b class="visuallyHidden__x1">(new tab)</b>'],
    ['text in a drawing', '<svg><text>best running shoes</text></svg>'],
    [
      'an icon with a text for screen readers',
      '<i class="icon-shoe"></i><span class="sr-only">best running shoes</span>',
    ],
    ['a picture with a text for screen readers', '<img src=x alt=""><span class="sr-only">best running shoes</span>'],
  ])('%s', (_name, content) => {
    expect(judge(content, ordered)).toMatchObject({ verdict: 'ok' });
  });

  it.each([
    ['words in one', 'bestrunning shoes'],
    ['words in one of two elements', '<b>best</b><b>running shoes</b>'],
    ['words in one by spans in a line', '<span style="display:inline-block">best</span><span>running shoes</span>'],
    ['a word in two', 'best run<br>ning shoes'],
    ['a word in two blocks', 'best run<div>ning</div> shoes'],
    ['a visible part more', 'best running shoes <span>(sale)</span>'],
    ['a visible part with a similar class', 'best running shoes <span class="not-sr-only">(sale)</span>'],
    ['a hidden part less', 'best <span hidden>running</span> shoes'],
    ['a part less that only screen readers read', 'best <span class="sr-only">running</span> shoes'],
    ['other punctuation', 'best running shoes!'],
    ['a text that is only in a title', '<svg><title>best running shoes</title></svg>'],
    ['a text that is only in a reading', '<ruby>x<rt>best running shoes</rt></ruby>'],
    ['a text that only screen readers read, with another one', 'x<span class="sr-only">best running shoes</span>'],
  ])('%s is another text', (_name, content) => {
    expect(judge(content, ordered).verdict).toBe<LinkVerdict>('changed');
  });

  it.each([
    ['43" tv', '43&#8243; tv'],
    ['4x4 tires', '4&#215;4 tires'],
    ["men's shoes", 'men&#8217;s shoes'],
    ['Brand (tm)', 'Brand &#8482;'],
    ['漢字', '<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>'],
  ])('%s as ordered is %s on the page', (anchor, content) => {
    expect(judge(content, anchor).verdict).toBe('ok');
  });

  it('is shown without what a visitor does not read', () => {
    const { evidence } = judge('Best<br>shoes <i aria-hidden=true>→</i><b class=sr-only>(new tab)</b>', ordered);
    expect(evidence.anchor).toBe('Best shoes');
  });
});

describe('the rel of a link', () => {
  it.each([
    ['nofollow,ugc', 'dofollow', 'changed'],
    ['nofollow,ugc', 'nofollow', 'ok'],
    ['nofollow,ugc', 'ugc', 'ok'],
    ['nofollow,ugc', 'sponsored', 'changed'],
    ['noopener,nofollow', 'dofollow', 'changed'],
    ['noopener, nofollow', 'dofollow', 'changed'],
    ['NOFOLLOW,UGC', 'ugc', 'ok'],
    ['noopener , sponsored', 'sponsored', 'ok'],
    [',nofollow,', 'nofollow', 'ok'],
    ['sponsored,,noopener', 'dofollow', 'changed'],
    ['noopener\n,\tugc', 'dofollow', 'changed'],
    ['noopener,noreferrer', 'dofollow', 'ok'],
    ['noopener,external', 'nofollow', 'changed'],
    ['noopener noreferrer', 'dofollow', 'ok'],
    [',', 'dofollow', 'ok'],
    ['x-nofollow,nofollows', 'dofollow', 'ok'],
  ] as const)('%s, ordered %s, is %s', (rel, wanted, verdict) => {
    const html = `${text}<a rel="${rel}" href="https://buyer.example/shoes">x</a>`;
    expect(judgeHtml(html, { wanted: { rel: wanted } }).verdict).toBe(verdict);
  });
});
