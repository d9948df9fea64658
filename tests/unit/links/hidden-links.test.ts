import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LinkVerdict } from '@/db/schema/links';
import { judgePage, type LinkReason } from '@/lib/links/judge-page';
import type { PageResponse } from '@/lib/links/page-fetch';

const text = `<p>${'An article about shoes. '.repeat(20)}</p>`;

function judge(body: string): [LinkVerdict, LinkReason | undefined] {
  const fetched: PageResponse = {
    ok: true,
    status: 200,
    url: 'https://blog.com/post',
    redirects: [],
    headers: { 'content-type': ['text/html'] },
    body: Buffer.from(body.startsWith('<!doctype') ? body : `<!doctype html><body>${text}${body}`),
  };
  const wanted = { siteDomain: 'blog.com', targetUrl: 'https://shop.com/shoes', rel: 'any', anchor: '' } as const;
  const { verdict, evidence } = judgePage(wanted, fetched, { robots: 'allowed' });
  return [verdict, evidence.reasons[0]];
}

const href = 'href="https://shop.com/shoes"';
const link = `<a ${href}>red shoes</a>`;
const inDiv = (style: string) => `<div style='${style}'><p>${link}</p></div>`;
const onLink = (style: string) => `<a ${href} style='${style}'>red shoes</a>`;

/** Declarations of a block around the link. */
const hiding = [
  // Outside of the window.
  'position:absolute;left:-9999px',
  'position:absolute; top: -9999px',
  'position:fixed;left:-100vw',
  'position:fixed;top:-200vh',
  'position:relative;left:-5000px',
  'position:absolute;left:-999em',
  'position:absolute;left:-999px',
  'text-indent:-999px',
  'position:absolute;left:-1000rem',
  'position:absolute;left:-200in',
  'position:absolute;right:-9999px',
  'position:absolute;bottom:-9999px',
  'position:absolute;right:9999px',
  'position:absolute;left:9999px',
  'position:absolute;left:-9999%',
  'position:absolute;left:-100%',
  'text-indent:-100%',
  'position:absolute;inset:-9999px auto auto -9999px',
  'position:absolute;inset-inline-start:-9999px',
  'POSITION:ABSOLUTE;LEFT:-9999PX',
  'position:absolute;left:calc(-1 * 9999px)',
  'position:absolute;left:calc(-100% - 9999px)',
  'position:absolute;left:min(-9999px, 10px)',
  'position:absolute;left:-9.999e3px',
  'margin-left:-9999px',
  'margin:-9999px 0 0 -9999px',
  'margin:0 0 0 -9999px',
  'margin-top:-9999px',
  'margin-inline-start:-9999px',
  'transform:translateX(-9999px)',
  'transform:translate(-9999px, 0)',
  'transform:translate3d(-9999px,0,0)',
  'transform:translateY(-9999px)',
  'translate:-9999px',
  '-webkit-transform:translateX(-9999px)',
  'transform:matrix(1,0,0,1,-9999,0)',
  'text-indent:-9999px',
  'text-indent:-9999em',
  'text-indent:100%;white-space:nowrap;overflow:hidden',
  'text-indent:-100%;overflow:hidden',
  'text-indent:9999px;white-space:nowrap',
  'letter-spacing:-9999px',
  // Without a size.
  'font-size:0',
  'font-size:0px',
  'font-size:0em',
  'font-size:0%',
  'font-size:.0001px',
  'font-size:1px',
  'font-size:calc(0px)',
  'font-size:calc(1px - 1px)',
  'font-size:clamp(0px, 0vw, 1px)',
  'font:0/0 a',
  'font:0px/1 Arial, sans-serif',
  'font: italic bold 0px serif',
  'font-size:0!important;font-size:16px',
  'font-size:0;font-size:16',
  'f\\6fnt-size:0',
  'font-size:/**/0',
  '--size:0px;font-size:var(--size)',
  'font-size:var(--none-given, 0)',
  'height:0;overflow:hidden',
  'height:0px;overflow:hidden;padding:0',
  'height:0;overflow-y:hidden',
  'height:0;overflow:clip',
  'height:0;overflow:auto',
  'height:0;overflow:hidden auto',
  'max-height:0;overflow:hidden',
  'max-height:0px;overflow:hidden;transition:max-height .3s',
  'max-height:1px;height:300px;overflow:hidden',
  'block-size:0;overflow:hidden',
  'width:0;overflow:hidden',
  'max-width:0;overflow:hidden',
  'width:0;height:0;overflow:hidden',
  'width:1px;height:1px;overflow:hidden',
  'position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip:rect(0,0,0,0);border:0',
  'position:absolute;clip:rect(0,0,0,0)',
  'position:absolute;clip:rect(1px,1px,1px,1px)',
  'position:absolute;clip:rect(1px 1px 1px 1px)',
  'position:fixed;clip:rect(0px, 1px, 1px, 0px)',
  'clip-path:inset(50%)',
  'clip-path:inset(100%)',
  'clip-path:inset(0 100% 0 0)',
  'clip-path:inset(0 0 100%)',
  'clip-path:inset(50% round 4px)',
  'clip-path:inset(50%) border-box',
  '-webkit-clip-path:inset(100%)',
  'clip-path:circle(0)',
  'clip-path:circle(0% at 50% 50%)',
  'clip-path:circle(0px at center)',
  'clip-path:ellipse(0 50%)',
  'clip-path:polygon(0 0, 0 0, 0 0)',
  'clip-path:polygon(0px 0px,0px 0px,0px 0px,0px 0px)',
  'clip-path:polygon(0 0, 100% 0, 0 0)',
  'clip-path:rect(0 0 0 0)',
  'clip-path:xywh(0 0 0 0)',
  'transform:scale(0)',
  'transform:scale(0,0)',
  'transform:scale3d(0,0,0)',
  'transform:scaleX(0)',
  'transform:scaleY(0)',
  'transform:scale(0%)',
  'transform:scale(.01)',
  'transform:translateY(10px) scale(0)',
  'transform:scale(0)translateY(10px)',
  'transform:matrix(0,0,0,0,0,0)',
  'transform:rotateX(90deg)',
  'transform:rotateY(.25turn)',
  'scale:0',
  'scale:1 0',
  'scale:0%',
  'zoom:.01',
  // Without paint.
  'display:none',
  'display:table-column',
  'display:none;display:not-a-value',
  'visibility:hidden',
  'visibility:collapse',
  'content-visibility:hidden',
  'opacity:0',
  'opacity:0.01',
  'opacity:.05',
  'opacity:0%',
  'opacity:1%',
  'opacity:calc(1 - 1)',
  'opacity:-1',
  'filter:opacity(0)',
  'filter:opacity(0%) blur(0)',
  'filter:blur(1px) opacity(1%)',
  '-webkit-text-fill-color:transparent',
];

const shown = [
  '',
  'left:-9999px',
  'top:-9999px;position:static',
  'position:sticky;top:-9999px',
  'position:absolute',
  'position:absolute;top:0;left:0',
  'position:absolute;left:-10px',
  'position:relative;top:-20px',
  'position:absolute;top:3200px;left:480px',
  'position:absolute;left:50%;margin-left:-480px',
  'position:absolute;left:50%;margin-left:-600px',
  'position:relative;left:-190px;padding-left:190px',
  'margin-top:-200px',
  'position:absolute;top:50%;left:50%;transform:translate(-50%,-50%)',
  'position:absolute;top:100%;left:0',
  'position:absolute;right:20px;bottom:300px',
  'margin:-10px',
  'margin-left:-15px;margin-right:-15px',
  'margin:0 -9999px;padding:0 9999px',
  'margin-left:calc(50% - 50vw);width:100vw',
  'margin:0 auto',
  'padding-bottom:9999px;margin-bottom:-9999px',
  'text-indent:-20px;padding-left:20px',
  'text-indent:2em',
  'text-indent:-1.5em',
  'letter-spacing:-.02em',
  'letter-spacing:normal',
  'transform:none',
  'transform:translateY(20px)',
  'transform:translateX(-50%)',
  'transform:scale(1)',
  'transform:scale(.8) rotate(90deg)',
  'transform:rotateX(180deg)',
  'transform:matrix(1,0,0,1,0,0)',
  'transform:scale(0) nonsense',
  'scale:1.2',
  'zoom:1',
  'font-size:10px',
  'font-size:.8em',
  'font-size:62.5%',
  'font-size:x-small',
  'font-size:smaller',
  'font-size:0;font-size:16px',
  'font-size:16px;font-size:0;font-size:inherit',
  'font:14px/1.5 Arial',
  'font:400 14px Arial',
  'font:0',
  'font-size:-1px',
  'line-height:0',
  'height:0',
  'height:0;overflow:visible',
  'width:0',
  'width:1px;height:1px',
  'overflow:hidden',
  'overflow:hidden;height:300px',
  'overflow:hidden;max-height:600px',
  'overflow:hidden;width:100%',
  'overflow:hidden;height:auto;max-height:none',
  'overflow:hidden;height:0;min-height:40px',
  'position:relative;height:0;overflow:hidden;padding-bottom:56.25%',
  'max-height:50vh;overflow:auto',
  'clip:rect(0,0,0,0)',
  'position:relative;clip:rect(0,0,0,0)',
  'position:absolute;clip:auto',
  'position:absolute;clip:rect(auto,auto,auto,auto)',
  'position:absolute;clip:rect(0,200px,100px,0)',
  'clip-path:none',
  'clip-path:inset(0)',
  'clip-path:inset(10% 20%)',
  'clip-path:inset(0 0 0 0 round 12px)',
  'clip-path:circle(50%)',
  'clip-path:circle()',
  'clip-path:polygon(0 0, 100% 0, 100% 90%, 0 100%)',
  'clip-path:polygon(evenodd, 0 0, 100% 0, 100% 100%)',
  'clip-path:url(#wave)',
  'opacity:1',
  'opacity:.5',
  'opacity:80%',
  'opacity:2',
  'opacity:0px',
  'opacity:0;opacity:1',
  'filter:grayscale(1)',
  'filter:opacity(.8)',
  'filter:alpha(opacity=0)',
  '-moz-opacity:0;-webkit-display:none',
  'visibility:visible',
  'display:block',
  'display:inline-block',
  'display:flex',
  'display:contents;opacity:0;height:0;overflow:hidden',
  'content-visibility:auto',
  'z-index:-1',
  'position:relative;z-index:5',
  'background:url("display:none;opacity:0")',
  'content:"font-size:0"',
  '/* font-size:0 */',
  'font-size:0px}',
  'font-size',
  'pointer-events:none;user-select:none',
  'direction:rtl',
];

const doubtful = [
  'max-height:0',
  'position:absolute;z-index:-1',
  'position:absolute;left:-400px',
  'position:absolute;left:-200px',
  'position:absolute;left:-50%',
  'position:absolute;left:120vw;width:10px;left:2500px',
  'position:absolute;top:20000px',
  'opacity:.1',
  'opacity:.2',
  'transform:scale(.2)',
  'transform:translateX(-100%)',
  'font-size:4px',
  'font-size:.2em',
  'height:5px;overflow:hidden',
  'height:0%;overflow:hidden',
  'height:0;overflow:hidden;padding-top:80px',
  'line-height:0;overflow:hidden',
  'text-indent:9999px',
  'letter-spacing:-1em',
  'zoom:0',
  'filter:blur(20px)',
  'mask-image:linear-gradient(transparent,transparent)',
  'clip-path:path("M0 0")',
  'clip-path:inset(300px)',
  'color:transparent',
  `font-size:calc(${'('.repeat(500)}0px${')'.repeat(500)})`,
];

describe('a link inside of a block with the style', () => {
  it.each(hiding)('%s is hidden', (style) => {
    expect(judge(inDiv(style))).toEqual(['broken', 'link_hidden']);
  });
  it.each(shown)('%s is shown', (style) => {
    expect(judge(inDiv(style))).toEqual(['ok', undefined]);
  });
  it.each(doubtful)('%s is unknown', (style) => {
    expect(judge(inDiv(style))).toEqual(['unknown', 'link_maybe_hidden']);
  });
});

describe('colors', () => {
  it.each([
    ['transparent', 'color:transparent'],
    ['transparent by its alpha', 'color:rgba(0,0,0,0)'],
    ['transparent in hexadecimal', 'color:#0000'],
    ['transparent in hexadecimal with 8 digits', 'color:#00000000'],
    ['transparent by HSL', 'color:hsl(0 0% 0% / 0)'],
    ['nearly transparent', 'color:rgb(0 0 0 / 2%)'],
    ['filled with a transparent color', '-webkit-text-fill-color:transparent'],
    ['as the background', 'background:#fff;color:#fff'],
    ['as the background in another notation', 'background-color:white;color:rgb(255, 255, 255)'],
    ['as the background in OKLCH', 'background:#fff;color:oklch(1 0 0)'],
    ['nearly as the background', 'background:#ffffff;color:#fefefe'],
    ['black on black', 'background:#000 none;color:black'],
    ['as the background by name', 'color:#123456;background:currentColor'],
    ['with an invalid one behind it', 'background:#fff;color:#fff;color:nonsense'],
  ])('%s is hidden', (_name, style) => {
    expect(judge(onLink(style))).toEqual(['broken', 'link_hidden']);
  });

  it.each([
    ['dark on white', 'color:#333'],
    ['dark on its background', 'color:#333;background:#fff'],
    ['white on black', 'color:#fff;background:#000'],
    ['white on a blue button', 'color:#fff;background-color:#1155cc'],
    ['white on a gradient', 'color:#fff;background:linear-gradient(90deg,#1155cc,#000)'],
    ['white on a picture', 'color:#fff;background-image:url(hero.jpg)'],
    ['light gray', 'color:#aaa'],
    ['with a variable of a style sheet', 'color:var(--wp--preset--color--contrast)'],
    ['half transparent', 'color:rgba(0,0,0,.5)'],
    [
      'a gradient seen through letters',
      'color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text',
    ],
    [
      'a gradient seen through filled letters',
      '-webkit-text-fill-color:transparent;background-image:linear-gradient(red,blue);background-clip:text',
    ],
    ['inherited', 'color:inherit'],
    ['current', 'color:currentcolor'],
    ['invalid', 'color:transparnt'],
  ])('%s is shown', (_name, style) => {
    expect(judge(onLink(style))).toEqual(['ok', undefined]);
  });

  it.each([
    ['white without a background', onLink('color:#fff')],
    ['nearly white without a background', onLink('color:#fdfdfd')],
    ['white on a translucent white', onLink('color:#fff;background:rgba(255,255,255,.5)')],
    ['white on a white with a picture', onLink('color:#fff;background:#fff url(x.png)')],
    ['white on a white gradient', onLink('color:#fff;background:linear-gradient(#fff,#fff)')],
    ['a pale text', onLink('color:#eee;background:#fff')],
    ['a faint text', onLink('color:rgba(0,0,0,.15)')],
    ['transparent with a shadow', onLink('color:transparent;text-shadow:0 0 0 #000')],
    ['transparent with an outline', onLink('color:transparent;-webkit-text-stroke:1px #000')],
    ['of the element around it, which links only inherit by a style sheet', inDiv('color:#fff;background:#fff')],
    [
      'white, in an element that a style sheet may give a background',
      `<div style="background:#fff"><p class="dark">${onLink('color:#fff')}</p></div>`,
    ],
    [
      'a white gradient seen through letters',
      onLink('color:transparent;background:linear-gradient(#fff,#fff);background-clip:text'),
    ],
  ])('%s is unknown', (_name, body) => {
    expect(judge(body)).toEqual(['unknown', 'link_maybe_hidden']);
  });

  it.each([
    [`<div style="background:#fff"><p>${onLink('color:#fff')}</p></div>`, 'broken'],
    [`<div style="background:#fff"><p style="color:#fff">${onLink('color:inherit')}</p></div>`, 'broken'],
    [`<div style="background:#000"><p>${onLink('color:#fff')}</p></div>`, 'ok'],
    [`<div style="background:#fff"><p style="background:#036">${onLink('color:#fff')}</p></div>`, 'ok'],
    [`<div style="color:#fff">${link}</div>`, 'ok'],
    [`<div style="color:#fff;background:#036">${link}</div>`, 'ok'],
    [`<a ${href}><span style="color:transparent">red shoes</span></a>`, 'broken'],
    [`<a ${href} style="color:transparent"><span style="color:#000">red shoes</span></a>`, 'ok'],
    [`<a ${href} style="color:transparent"><img src=x alt="red shoes"></a>`, 'ok'],
    [`<p style="-webkit-text-fill-color:transparent"><a ${href} style="-webkit-text-fill-color:#000">x</a></p>`, 'ok'],
    [`<!doctype html><body bgcolor=white link=#ffffff>${text}${link}`, 'broken'],
    [`<!doctype html><body bgcolor=ffffff>${text}<a ${href}><font color=FFFFFF>x</font></a>`, 'broken'],
    [`<!doctype html><body bgcolor=black link=white>${text}${link}`, 'ok'],
    [`<!doctype html><body bgcolor=white text=white>${text}${link}`, 'unknown'],
    [`<table><tr><td bgcolor="#FFFFFF">${onLink('color:#ffffff')}</td></tr></table>`, 'broken'],
    [`<table><tr><td bgcolor="#003366">${onLink('color:#ffffff')}</td></tr></table>`, 'ok'],
    [`<a ${href}><font color=red>x</font></a>`, 'ok'],
    [`<a ${href}><font size=-7>x</font></a>`, 'ok'],
  ])('%s is %s', (body, verdict) => {
    expect(judge(body)[0]).toBe(verdict);
  });
});

describe('what an element inside can undo', () => {
  it.each([
    ['a font size', `<div style="font-size:0"><a ${href} style="font-size:14px">x</a></div>`, 'ok'],
    [
      'a font size in the link',
      `<div style="font-size:0"><a ${href}><span style="font-size:1rem">x</span></a></div>`,
      'ok',
    ],
    ['a font size by a keyword', `<div style="font-size:0"><a ${href} style="font-size:medium">x</a></div>`, 'ok'],
    [
      'a font size, but not in parts of 0',
      `<div style="font-size:0"><a ${href} style="font-size:2em">x</a></div>`,
      'broken',
    ],
    [
      'a tiny font size by parts of parts',
      `<p style="font-size:.1em"><i style="font-size:.1em">${link}</i></p>`,
      'broken',
    ],
    ['a font size for a picture', `<div style="font-size:0"><a ${href}><img src=x alt=x></a></div>`, 'ok'],
    ['a visibility', `<div style="visibility:hidden"><a ${href} style="visibility:visible">x</a></div>`, 'ok'],
    ['an indent', `<div style="text-indent:-9999px"><p style="text-indent:0">${link}</p></div>`, 'ok'],
    [
      'an indent, but not on the same line',
      `<div style="text-indent:-9999px"><b style="display:inline-block;text-indent:0">${link}</b></div>`,
      'broken',
    ],
    ['an indent of the link, if a style sheet makes it a block', onLink('text-indent:-9999px'), 'unknown'],
    ['an indent of a link that is a block', onLink('display:block;text-indent:-9999px'), 'broken'],
    [
      'a logo in place of an indented text',
      onLink('display:block;height:50px;background:url(x);text-indent:-9999px'),
      'unknown',
    ],
    ['a distance', `<div style="margin-left:-9999px"><p style="margin-left:9999px">${link}</p></div>`, 'ok'],
    [
      'a distance in two parts',
      `<div style="margin-left:-600px"><p style="margin-left:-600px">${link}</p></div>`,
      'broken',
    ],
    [
      'a distance by a fixed place',
      `<div style="position:absolute;left:-9999px"><p style="position:fixed;left:0">${link}</p></div>`,
      'ok',
    ],
    ['no opacity', `<div style="opacity:0"><p style="opacity:1">${link}</p></div>`, 'broken'],
    ['opacities in parts', `<div style="opacity:.2"><p style="opacity:.2">${link}</p></div>`, 'broken'],
    ['no height', `<div style="height:0;overflow:hidden"><p style="height:50px">${link}</p></div>`, 'broken'],
    ['no display', `<div style="display:none"><p style="display:block">${link}</p></div>`, 'broken'],
  ])('%s', (_name, body, verdict) => {
    expect(judge(body)[0]).toBe(verdict);
  });
});

describe('the kind of an element', () => {
  it.each([
    [
      'parts of lines have no height, but a style sheet can make boxes of them',
      onLink('height:0;overflow:hidden'),
      'unknown',
    ],
    [
      'parts of lines are not scaled, but a style sheet can make boxes of them',
      onLink('transform:scale(0)'),
      'unknown',
    ],
    ['parts of lines by their own style', onLink('display:inline;height:0;overflow:hidden'), 'ok'],
    ['boxes in lines', onLink('display:inline-block;height:0;overflow:hidden'), 'broken'],
    ['boxes in lines, scaled', onLink('display:inline-block;transform:scale(0)'), 'broken'],
    ['boxes that float', onLink('float:left;width:0;overflow:hidden'), 'broken'],
    ['boxes out of the flow', onLink('position:absolute;width:1px;height:1px;overflow:hidden'), 'broken'],
    [
      'children of flex containers',
      `<p style="display:flex"><a ${href} style="height:0;overflow:hidden">x</a></p>`,
      'broken',
    ],
    ['parts of lines that are moved', onLink('margin-left:-9999px'), 'broken'],
    ['parts of lines with a vertical margin', onLink('margin-top:-9999px'), 'unknown'],
    ['parts of lines with opacity', onLink('opacity:0'), 'broken'],
    ['parts of lines that are cut', onLink('clip-path:inset(100%)'), 'broken'],
    [
      'cells grow with their content',
      `<table><tr><td style="height:0;width:1px;overflow:hidden">${link}</table>`,
      'ok',
    ],
    ['a picture of one pixel', `<a ${href}><img src=x alt="red shoes" width=1 height=1></a>`, 'broken'],
    [
      'a picture of one pixel by its style',
      `<a ${href}><img src=x alt="red shoes" style="width:1px;height:1px"></a>`,
      'broken',
    ],
    ['a picture', `<a ${href}><img src=x alt="red shoes" width=300 height=100></a>`, 'ok'],
    ['a picture that a script fades in', `<a ${href}><img src=x alt="red shoes" style="opacity:0"></a>`, 'unknown'],
    ['a picture in a transparent link', `<a ${href} style="opacity:0"><img src=x alt="red shoes"></a>`, 'broken'],
    ['a marquee without a height', `<marquee height=0>${link}</marquee>`, 'broken'],
    ['a marquee', `<marquee width=100%>${link}</marquee>`, 'ok'],
    ['a popover shown by its style', `<div popover style="display:block">${link}</div>`, 'ok'],
    ['until found', `<div hidden="until-found">${link}</div>`, 'broken'],
    ['inert', `<div inert>${link}</div>`, 'ok'],
    ['hidden from screen readers', `<div aria-hidden="true">${link}</div>`, 'ok'],
    ['closed details', `<details><summary>x</summary>${link}</details>`, 'ok'],
    ['for screen readers alone', `<div class="screen-reader-text">${link}</div>`, 'unknown'],
    ['a link for screen readers alone', `<a ${href} class="sr-only">red shoes</a>`, 'unknown'],
    ['for screen readers alone, by Elementor', `<b class="elementor-screen-only">${link}</b>`, 'unknown'],
    ['a class that ends it', `<div class="not-sr-only">${link}</div>`, 'ok'],
    [
      'an icon with a text for screen readers',
      `<a ${href}><i class="fa fa-shop"></i><span class="sr-only">x</span></a>`,
      'ok',
    ],
    ['a text that is hidden inside of the link', `<a ${href}><span style="font-size:0">red shoes</span></a>`, 'broken'],
    ['a part that is hidden inside of the link', `<a ${href}>red <span style="font-size:0">shoes</span></a>`, 'ok'],
    ['a length without a unit', inDiv('text-indent:-9999'), 'ok'],
    ['a length without a unit in an old page', `<!doctype><body>${text}${inDiv('text-indent:-9999')}`, 'broken'],
    ['doubtful, and clearly visible below', `${onLink('opacity:.1')}${link}`, 'ok'],
    ['hidden, and doubtful below', `${onLink('opacity:0')}${onLink('opacity:.1')}`, 'unknown'],
  ])('%s', (_name, body, verdict) => {
    expect(judge(body)[0]).toBe(verdict);
  });
});

describe('the style of a page', () => {
  it('never fails, whatever it contains', () => {
    const part = fc.constantFrom(
      ...'font-size color background clip-path transform position left : ; ( ) , / 0 -9999px calc( var(--x) --x rgb( url( inset( "\' #fff { } [ ] ! important \\ /* */ % em'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 30 }), (parts) => {
        const style = parts.join(' ').replace(/'/g, '&#39;');
        expect(['ok', 'broken', 'unknown']).toContain(judge(onLink(style))[0]);
      }),
    );
  });
});
