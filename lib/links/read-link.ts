import { html } from 'parse5';
import type { Level } from './box-rules';
import { hasText } from './compare-anchors';
import { readVisibility, type Visibility } from './element-visibility';
import { collapse, type Element, isElement, isText, readAttribute, walk } from './walk-tree';

type Context = {
  visibility: Visibility;
  /** The nearest block. Texts in different blocks are different words. */
  block: Element;
  /** `decoration`: hidden from screen readers. `unread`: never part of the text. */
  kind: 'text' | 'decoration' | 'unread';
};

/** Elements of SVG and MathML that describe, and the readings of ruby. */
const unreadForeign = new Set([
  'title',
  'desc',
  'metadata',
  'defs',
  'symbol',
  'style',
  'script',
  'annotation',
  'annotation-xml',
]);
const unreadHtml = new Set(['rt', 'rp', 'rtc', 'mat-icon']);
/** Fonts that draw an icon in place of its name. */
const namedIcon = /(^|\s)(material-(icons|symbols)|google-symbols)(-[\w-]+)?(\s|$)/i;
const icon = /(^|[\s_-])(icons?|fa[bsrl]?|bi|glyphicon|dashicons|mdi|ti|ion)([\s_-]|$)/i;
const pictures = new Set(['img', 'svg', 'input', 'embed', 'object', 'meter', 'progress']);

function enter(element: Element, parent: Context): Context {
  const visibility = readVisibility(element, parent.visibility);
  const isHtml = element.namespaceURI === html.NS.HTML;
  const isUnread =
    parent.kind === 'unread' ||
    (isHtml ? unreadHtml : unreadForeign).has(element.tagName) ||
    namedIcon.test(readAttribute(element, 'class') ?? '');
  const isDecoration = parent.kind === 'decoration' || readAttribute(element, 'aria-hidden')?.toLowerCase() === 'true';
  return {
    visibility,
    block: visibility.isBlock ? element : parent.block,
    kind: isUnread ? 'unread' : isDecoration ? 'decoration' : 'text',
  };
}

function walkLink(link: Element, visibility: Visibility) {
  return walk<Context>(link, { visibility, block: link, kind: 'text' }, enter);
}

/** Returns how far a link is seen: as far as the best seen part of its content, or as its own box without content. */
export function readLinkLevel(link: Element, visibility: Visibility): Level {
  const levels: Level[] = [];
  for (const { node, context } of walkLink(link, visibility)) {
    if (isText(node)) {
      if (hasText(node.value)) levels.push(context.visibility.text);
    } else if (isElement(node) && isPicture(node)) levels.push(ratePicture(context.visibility, visibility));
    if (levels.at(-1) === 'shown') return 'shown';
  }
  if (levels.length === 0) return visibility.picture;
  // A picture behind the link can stand for its text.
  const hasBackground = visibility.picture !== 'hidden' && visibility.paint.backgroundSource === 'image';
  return levels.includes('doubtful') || hasBackground ? 'doubtful' : 'hidden';
}

/** Rates a picture of a link. Scripts fade pictures in that are loaded late. */
function ratePicture(picture: Visibility, link: Visibility): Level {
  const isFaded = picture.opacity < link.opacity && picture.box !== 'hidden' && !picture.isInvisible;
  return isFaded && picture.picture === 'hidden' ? 'doubtful' : picture.picture;
}

function isPicture(element: Element): boolean {
  return (
    pictures.has(element.tagName) ||
    (element.childNodes.length === 0 && icon.test(readAttribute(element, 'class') ?? ''))
  );
}

type Part = { text: string; isDecoration: boolean; isAlternative: boolean; isSure: boolean };

/**
 * Reads the text of a link as a visitor sees it: line breaks and blocks separate words; hidden parts, icons, readings of
 * ruby and texts for screen readers are left out.
 * @returns the possible readings, the usual one first: with or without what is hidden from screen readers, which can
 * be an icon or the text itself, and the alternative texts of pictures. Texts for screen readers count where the link
 * has no other text
 */
export function readAnchors(link: Element, visibility: Visibility): string[] {
  const parts: Part[] = [];
  let last: Element | null = null;
  const add = (text: string, { kind, visibility }: Context, isAlternative = false) => {
    if (visibility.text === 'hidden' && !isAlternative) return;
    const isSure = isAlternative || visibility.text === 'shown';
    parts.push({ text, isDecoration: kind === 'decoration', isAlternative, isSure });
  };
  for (const { node, context } of walkLink(link, visibility)) {
    if (context.kind === 'unread') continue;
    if (last !== context.block) parts.push({ text: ' ', isDecoration: false, isAlternative: false, isSure: true });
    last = context.block;
    if (isText(node)) add(node.value, context);
    else if (isElement(node) && (node.tagName === 'br' || node.tagName === 'hr')) add(' ', context);
    else if (isElement(node) && node.tagName === 'img' && ratePicture(context.visibility, visibility) !== 'hidden')
      add(` ${readAttribute(node, 'alt') ?? ''} `, context, true);
  }
  const read = (isIncluded: (part: Part) => boolean) =>
    collapse(
      parts
        .filter(isIncluded)
        .map(({ text }) => text)
        .join(''),
    );
  const readings = [
    read((part) => part.isSure && !part.isDecoration),
    read((part) => part.isSure && !part.isDecoration && !part.isAlternative),
    read((part) => part.isSure),
    read((part) => part.isSure && !part.isAlternative),
  ].filter(hasText);
  return readings.length > 0 ? [...new Set(readings)] : [read(() => true)];
}
