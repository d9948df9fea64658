import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { linkRels } from '@/db/enums';
import { normalizeAnchor } from '@/lib/links/compare-anchors';
import { isSamePage } from '@/lib/links/compare-urls';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type TextNode = DefaultTreeAdapterTypes.TextNode;

/** The link that an order asks for. */
export type RequestedLink = { targetUrl: string; anchor: string; rel: (typeof linkRels)[number] };

export type LinkChange = 'none' | 'link' | 'paragraph' | 'attributes';

/**
 * Puts the link of an order into the content of a post, and changes as little as possible of it: corrects a link to the
 * target, makes the anchor text a link, or appends the paragraph that was published with the link.
 * @param content the raw content, also with the comments of blocks and shortcodes, which stay as they are
 * @param published the content that was published with the link
 */
export function insertLink(
  content: string,
  requested: RequestedLink,
  published: string,
): { content: string; change: LinkChange } {
  const existing = findLink(content, requested.targetUrl);
  if (existing) {
    const corrected = correctLink(content, existing, requested);
    return { content: corrected, change: corrected === content ? 'none' : 'attributes' };
  }
  const earlier = findLink(published, requested.targetUrl);
  const text = requested.anchor || (earlier ? getText(earlier) : '');
  const linked = linkText(content, text, requested);
  if (linked !== null) return { content: linked, change: 'link' };
  const sentence = earlier && sliceBlock(published, earlier);
  const link = buildLink(requested, text || new URL(requested.targetUrl).hostname);
  const inner = sentence && earlier ? correctIn(sentence, requested) : link;
  return { content: appendParagraph(content, inner), change: 'paragraph' };
}

const elementsOf = (nodes: readonly Node[]): Element[] =>
  nodes.flatMap((node) => ('tagName' in node ? [node, ...elementsOf(node.childNodes)] : []));

const parse = (html: string) => parseFragment(html, { sourceCodeLocationInfo: true });

function findLink(html: string, targetUrl: string): Element | undefined {
  return elementsOf(parse(html).childNodes).find(
    (element) => element.tagName === 'a' && isSamePage(getAttribute(element, 'href'), targetUrl),
  );
}

const getAttribute = ({ attrs }: Element, name: string): string =>
  attrs.find((attribute) => attribute.name === name)?.value ?? '';

function getText(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(getText).join('') : '';
}

/** Corrects `rel` and text of a link where they differ from the brief. */
function correctLink(html: string, link: Element, { anchor, rel }: RequestedLink): string {
  const location = link.sourceCodeLocation;
  if (!location?.startTag) return html;
  const { startTag, endTag } = location;
  const hasText = anchor === '' || normalizeAnchor(getText(link)) === normalizeAnchor(anchor);
  const inner = hasText || !endTag ? html.slice(startTag.endOffset, endTag?.startOffset) : escapeHtml(anchor);
  const wanted = formatRel(rel, getAttribute(link, 'rel'));
  const hasRel = wanted === getAttribute(link, 'rel').trim();
  if (hasRel && hasText) return html;
  const others = link.attrs.filter(({ name }) => name !== 'rel');
  const tag = hasRel
    ? html.slice(startTag.startOffset, startTag.endOffset)
    : `<a${[...others, ...(wanted === '' ? [] : [{ name: 'rel', value: wanted }])]
        .map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`)
        .join('')}>`;
  const rest = endTag ? html.slice(endTag.startOffset) : html.slice(startTag.endOffset + inner.length);
  return html.slice(0, startTag.startOffset) + tag + inner + rest;
}

function correctIn(html: string, requested: RequestedLink): string {
  const link = findLink(html, requested.targetUrl);
  return link ? correctLink(html, link, requested) : html;
}

const linkTokens = ['nofollow', 'sponsored', 'ugc'];

/** Returns the `rel` that a brief asks for, with the other tokens that a link has. */
function formatRel(rel: RequestedLink['rel'], current: string): string {
  const tokens = current.split(/\s+/).filter(Boolean);
  if (rel === 'any') return tokens.join(' ');
  const others = tokens.filter((token) => !linkTokens.includes(token.toLowerCase()));
  if (rel === 'dofollow') return others.join(' ');
  // Those that are in order stay as they are.
  const given = tokens.filter((token) => linkTokens.includes(token.toLowerCase()));
  return given.length === 1 && given[0]?.toLowerCase() === rel ? tokens.join(' ') : [...others, rel].join(' ');
}

/** Elements whose text cannot become a link. */
const withoutLinks = new Set([
  'a',
  'script',
  'style',
  'textarea',
  'title',
  'button',
  'noscript',
  'iframe',
  'svg',
  'pre',
]);

function textsOf(nodes: readonly Node[]): TextNode[] {
  return nodes.flatMap((node) => {
    if (node.nodeName === '#text' && 'value' in node) return [node];
    return 'tagName' in node && !withoutLinks.has(node.tagName) ? textsOf(node.childNodes) : [];
  });
}

/** Makes the first occurrence of a text a link. @returns null if the text is not in the content */
function linkText(html: string, text: string, requested: RequestedLink): string | null {
  if (text.trim() === '') return null;
  for (const { sourceCodeLocation } of textsOf(parse(html).childNodes)) {
    if (!sourceCodeLocation) continue;
    const { startOffset, endOffset } = sourceCodeLocation;
    const source = html.slice(startOffset, endOffset);
    for (const spelling of new Set([escapeHtml(text), text])) {
      const at = source.indexOf(spelling);
      // Not in the middle of a word, nor within a shortcode.
      if (at < 0 || source.lastIndexOf('[', at) > source.lastIndexOf(']', at)) continue;
      if (isLetter(source[at - 1]) || isLetter(source[at + spelling.length])) continue;
      const start = startOffset + at;
      return html.slice(0, start) + buildLink(requested, text) + html.slice(start + spelling.length);
    }
  }
  return null;
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);

function buildLink({ targetUrl, rel }: RequestedLink, text: string): string {
  const wanted = formatRel(rel, '');
  return `<a href="${escapeHtml(targetUrl)}"${wanted === '' ? '' : ` rel="${wanted}"`}>${escapeHtml(text)}</a>`;
}

/** Returns the content of the paragraph of a link. @returns null for a link outside of a paragraph */
function sliceBlock(html: string, link: Element): string | null {
  for (let node = link.parentNode; node && 'tagName' in node; node = node.parentNode) {
    const { startTag, endTag } = node.sourceCodeLocation ?? {};
    if (node.tagName !== 'p') continue;
    return startTag && endTag ? html.slice(startTag.endOffset, endTag.startOffset) : null;
  }
  return null;
}

/** Appends a paragraph, as a block to content that consists of blocks. */
function appendParagraph(content: string, inner: string): string {
  const paragraph = `<p>${inner}</p>`;
  const isOfBlocks = content.includes('<!-- wp:');
  const added = isOfBlocks ? `<!-- wp:paragraph -->\n${paragraph}\n<!-- /wp:paragraph -->` : paragraph;
  return `${content.trimEnd()}${content.trim() === '' ? '' : '\n\n'}${added}\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
