import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, html, parse, type TreeAdapter } from 'parse5';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { maxUrlLength } from './address-rules';
import type { Level } from './box-rules';
import { decodePage } from './decode-page';
import { createRootVisibility, readVisibility, type Visibility } from './element-visibility';
import { isXmlType, type MediaType } from './media-type';
import { parseXhtml } from './parse-xhtml';
import { readAnchors, readLinkLevel } from './read-link';
import { collapse, type Element, isElement, isText, readAttribute, walk } from './walk-tree';

export type PageLink = {
  /** Absolute. */
  url: string;
  /** The tokens of `rel` in lower case. */
  rel: string[];
  readLevel(): Level;
  /** The text of the link as in {@link readAnchors}. */
  readAnchors(): string[];
};

export type ParsedPage = {
  /** All `<a href>` with a valid address, in the order of the document. */
  links: PageLink[];
  /** `<meta name content>`, names in lower case. */
  metas: { name: string; content: string }[];
  /** Absolute addresses of `<link rel=canonical>` in the head. */
  canonicals: string[];
  /** The content of the first `<meta http-equiv=refresh>`. */
  refresh: string | null;
  /** For the addresses that the page names; differs from the page's own with `<base href>`. */
  baseUrl: string;
  title: string;
  /** What a visitor without style sheets would read, with single spaces. */
  visibleText: string;
  hasScript: boolean;
  document: DefaultTreeAdapterMap['document'];
};

/** Browsers flatten trees that are deeper than 512 elements. The work of a parser grows with the depth. */
const maxDepth = 512;
/** Elements and comments. There is at most one text between two of them. */
const maxNodes = 100_000;
/** Two times the characters of the largest page: browsers repeat unclosed formatting elements with their attributes. */
const maxAttributeLength = 4 * 1024 * 1024;
const maxLinks = 20_000;
/** Links inside of links. Browsers build them only across tables and the like; the text of each contains the inner ones. */
const maxNestedLinks = 8;

class TooComplexError extends Error {
  override readonly name = 'TooComplexError';
}

/**
 * Builds the tree that a browser would build, with scripts enabled but not run, and reads from it what a link check
 * needs. Style sheets are not evaluated: attributes and inline styles tell what is hidden.
 * @param type by which the page is read as HTML or as XML
 * @param pageUrl the address after redirects
 * @returns `too_complex` for a tree that is too deep or too large, has too many links, links inside of links inside of
 * links, or a long base; `charset` for a character encoding that browsers refuse; `malformed` for XML that is not
 * well-formed; `not_html` for other XML than XHTML
 */
export function parsePage(
  body: Uint8Array,
  type: MediaType,
  pageUrl: string,
): ParsedPage | 'too_complex' | 'charset' | 'malformed' | 'not_html' {
  const text = decodePage(body, type);
  if (text === null) return 'charset';
  try {
    const treeAdapter = createBoundedAdapter();
    if (!isXmlType(type)) return readTree(parse(text, { treeAdapter }), pageUrl);
    const document = parseXhtml(text, treeAdapter);
    if (document === null) return 'malformed';
    const root = document.childNodes.find(isElement);
    return root?.tagName === 'html' && root.namespaceURI === html.NS.HTML ? readTree(document, pageUrl) : 'not_html';
  } catch (error) {
    if (error instanceof TooComplexError) return 'too_complex';
    throw error;
  }
}

function createBoundedAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  let [depth, nodes, links, attributeLength] = [0, 0, 0, 0];
  const countNode = () => {
    nodes += 1;
    if (nodes > maxNodes) throw new TooComplexError();
  };
  return {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      countNode();
      if (name === 'a') links += 1;
      for (const attribute of attributes) attributeLength += attribute.name.length + attribute.value.length;
      if (links > maxLinks || attributeLength > maxAttributeLength) throw new TooComplexError();
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    createCommentNode(text) {
      countNode();
      return defaultTreeAdapter.createCommentNode(text);
    },
    onItemPush() {
      depth += 1;
      if (depth > maxDepth) throw new TooComplexError();
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

function readTree(document: DefaultTreeAdapterMap['document'], pageUrl: string): ParsedPage {
  const page: ParsedPage = {
    links: [],
    metas: [],
    canonicals: [],
    refresh: null,
    baseUrl: pageUrl,
    title: '',
    visibleText: '',
    hasScript: false,
    document,
  };
  const anchors: { element: Element; visibility: Visibility }[] = [];
  const canonicals: string[] = [];
  const texts: string[] = [];
  let base: string | null = null;
  const isQuirky = defaultTreeAdapter.getDocumentMode(document) === html.DOCUMENT_MODE.QUIRKS;
  const root: Context = { visibility: createRootVisibility(isQuirky), isInHead: false, links: 0 };
  for (const { node, context } of walk(document, root, enter)) {
    const { visibility, isInHead, links } = context;
    if (links > maxNestedLinks) throw new TooComplexError();
    if (isText(node)) {
      if (visibility.text !== 'hidden') texts.push(node.value);
      continue;
    }
    if (!isElement(node) || node.namespaceURI !== html.NS.HTML) continue;
    const attribute = (name: string) => readAttribute(node, name);
    switch (node.tagName) {
      case 'a':
        if (attribute('href') !== null) anchors.push({ element: node, visibility });
        break;
      case 'base':
        base ??= attribute('href');
        break;
      case 'link':
        if (isInHead && tokens(attribute('rel')).includes('canonical')) canonicals.push(attribute('href') ?? '');
        break;
      case 'meta':
        page.metas.push({ name: (attribute('name') ?? '').trim().toLowerCase(), content: attribute('content') ?? '' });
        if (attribute('http-equiv')?.trim().toLowerCase() === 'refresh') page.refresh ??= attribute('content');
        break;
      case 'title':
        page.title ||= collapse(node.childNodes.map((child) => (isText(child) ? child.value : '')).join(''));
        break;
      case 'script':
        page.hasScript = true;
        break;
    }
  }
  page.baseUrl = resolveBase(base, pageUrl);
  page.canonicals = canonicals.flatMap((href) => resolveUrl(href, page.baseUrl) ?? []);
  page.links = anchors.flatMap(({ element, visibility }) => {
    const url = resolveUrl(readAttribute(element, 'href') ?? '', page.baseUrl);
    if (url === null) return [];
    return {
      url,
      // Google separates the values of links by commas, too.
      rel: tokens(readAttribute(element, 'rel')?.replaceAll(',', ' ') ?? null),
      readLevel: () => readLinkLevel(element, visibility),
      readAnchors: () => readAnchors(element, visibility),
    };
  });
  page.visibleText = collapse(texts.join(' '));
  return page;
}

/** Returns the SHA-256 of the visible text, as the link passport states it. */
export function hashText(page: ParsedPage): string {
  return createHash('sha256').update(page.visibleText.normalize('NFC')).digest('hex');
}

/** `links` counts the link elements from the root to the element, the element included. */
type Context = { visibility: Visibility; isInHead: boolean; links: number };

function enter(element: Element, parent: Context): Context {
  return {
    visibility: readVisibility(element, parent.visibility),
    isInHead: parent.isInHead || element.tagName === 'head',
    links: parent.links + (element.tagName === 'a' ? 1 : 0),
  };
}

/**
 * Resolves the base of a page. The first base counts, unless its address is invalid, or one that the standard excludes.
 * @throws TooComplexError for a long one: each relative address of the page contains it
 */
function resolveBase(href: string | null, pageUrl: string): string {
  const base = href === null ? null : resolveUrl(href, pageUrl);
  if (base === null || /^(data|javascript):/.test(base)) return pageUrl;
  if (base.length > maxUrlLength) throw new TooComplexError();
  return base;
}

/** Resolves an address of a page. @returns the absolute address, or null for an invalid one */
export function resolveUrl(href: string, base: string): string | null {
  return canParseUrl(href, base) ? new URL(href, base).href : null;
}

function tokens(text: string | null): string[] {
  return (text ?? '')
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter(Boolean);
}
