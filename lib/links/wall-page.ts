import type { DefaultTreeAdapterMap } from 'parse5';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
import {
  consentTitles,
  errorMessages,
  includesNotice,
  normalizeNotice,
  noticeSentences,
  noticeTitles,
  serviceTitles,
  wallMessages,
  wallSentences,
  wallTitles,
} from './notice-texts';
import type { ParsedPage } from './parse-page';

type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['node'];

/** Headers of answers that a protection service gives in place of the page. */
const headerSigns: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /challenge/i],
  ['x-amzn-waf-action', /challenge|captcha/i],
  ['x-vercel-mitigated', /challenge|deny/i],
  ['sg-captcha', /challenge/i],
];

/*
 * Signs that only the pages of these services have, unlike the scripts that they add to ordinary pages. They are attributes
 * and scripts, never the text of a page: an article may show their code.
 */

/** Anubis, Cloudflare, HUMAN, Akamai, Imunify360, DDoS-Guard, StackPath. */
const idSigns =
  /^(anubis_(version|challenge|base_prefix)|cf-(browser-verification|challenge-running|error-details|please-wait)|challenge-error-(text|title)|px-captcha(-wrapper)?|sec-if-cpt-container|sec-cpt-if|wsidchk-form|ddg-captcha|sbbhscc)$/;

/**
 * Anubis, Fastly (whose challenge.js ordinary pages may embed), Bunny, go-away, DataDome, DDoS-Guard, SiteGround, Vercel,
 * Kasada, SafeLine, Amazon, Radware, LiteSpeed, Alibaba, Hostinger, Akamai, Imperva.
 */
const assetSigns =
  /\/\.within\.website\/x\/|\/_fs-ch-[^/]*\/(?!challenge\.js)|\/\.bunny-shield\/|\/go-away\/cmd\/go-away\/|captcha-delivery\.com\/|check\.ddos-guard\.net\/|\/\.well-known\/(ddos-guard|sgcaptcha|vercel\/security)\/|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/ips\.js|\/\.safeline\/|\.captcha\.awswaf\.com\/|(captcha|validate)\.perfdrive\.com\/|\/\.lsrecap\/|\/_____tmd_____\/|\/hcdn-cgi\/jschallenge|\/_sec\/cp_challenge\/|\/_Incapsula_Resource\?[CS]WUDNSAI/i;
const formSigns = /[?&]__cf_chl_|\/\.lsrecap\/|\/collectConsent\b/;
/** F5 and Cloudflare, to visitors without scripts. */
const noscriptSigns = /your support id is|enable javascript and cookies to continue/i;
const metaSigns = /^px-captcha$|\/\.well-known\/(sgcaptcha|captcha)\/|\/go-away\/cmd\/go-away\//;

/** Code in the scripts of these pages: Cloudflare, Sucuri, DataDome, Amazon, Reblaze, Imunify360, StackPath, Alibaba, Tencent. */
const scriptSigns =
  /_cf_chl_opt|sucuri_cloudproxy_js|captcha-delivery\.com|gokuProps|awsWafCookieDomainList\s*=\s*\[\s*\]|window\.rbzns|winsocks\(|wsidchk|sbbpg=sbbShell|acw_sc__v2|aliyun_waf_|EO_Bot_Ssid|slowAES\.decrypt\(|beget=begetok|\/\.bunny-shield\/|_____tmd_____/;

/** Above this length a page has content of its own. */
const maxWallText = 2_000;
/** The same for signs that ordinary pages may have, too. */
const maxNoticeText = 800;
/** Up to this length each line is read as a heading. */
const maxBareText = 200;

/** `bot_wall` asks for a proof that its visitor is human; `notice_page` says that the site is not there for now. */
type PageNotice = 'bot_wall' | 'notice_page';

export function isWallByHeaders(headers: Partial<Record<string, string[]>>): boolean {
  return headerSigns.some(([name, value]) => headers[name]?.some((text) => value.test(text)));
}

/**
 * Finds whether a page stands in place of the one that was asked for. Ask it only about pages without the link: an article
 * about such pages has text of its own, and a longer title.
 * @param url the address of the page
 */
export function findNotice(page: ParsedPage, url: string): PageNotice | null {
  const length = page.visibleText.length;
  if (length > maxWallText) return null;
  const facts = readFacts(page.document);
  const titles = findTitles(page.title, url);
  if (facts.isWall || includesNotice(serviceTitles, titles)) return 'bot_wall';
  if (facts.isErrorPage) return 'notice_page';
  if (length > maxNoticeText) return null;
  // Beside an article or a menu only the title of the whole page counts.
  const lines = facts.hasArticle ? [] : facts.lines.map(normalizeNotice);
  const ownHeadings = facts.hasArticle ? [] : facts.headings.flatMap((heading) => findTitles(heading, url));
  const headings = [...titles, ...ownHeadings, ...(length <= maxBareText ? lines : [])];
  const sentences = [...titles, ...lines, ...lines.flatMap((line) => line.split(/ ?[.!?(] ?/, 1))];
  const isWall =
    [serviceTitles, wallTitles].some((list) => includesNotice(list, headings)) ||
    includesNotice(wallSentences, sentences) ||
    lines.some((line) => wallMessages.test(line));
  if (isWall) return 'bot_wall';
  const isNotice =
    includesNotice(noticeTitles, headings) ||
    includesNotice(consentTitles, titles) ||
    includesNotice(noticeSentences, sentences) ||
    // "Database error: how to repair" is the heading of an article.
    [...lines, normalizeNotice(page.visibleText)].some(
      (line) =>
        errorMessages.test(line) && !facts.headings.some((heading) => line.startsWith(normalizeNotice(heading))),
    );
  if (isNotice) return 'notice_page';
  return facts.hasCaptcha && !facts.hasArticle && !facts.hasFields ? 'bot_wall' : null;
}

const vendors = /^(cloudflare|sucuri web ?site firewall|wordpress|imperva|incapsula|datadome|wordfence)$/;

/** Returns a title as a whole, and without the names of the site and of the service around it. */
function findTitles(title: string, url: string): string[] {
  const host = squash(new URL(url).hostname.replace(/^www\./, ''));
  const label = squash(getRegistrableDomain(url).split('.')[0] ?? '');
  const isName = (part: string) => {
    const name = squash(part);
    // "My Blog" is a name of blog.example; "How your blog survives" is not.
    const isLonger = label !== '' && name.includes(label) && name.length <= 2 * label.length + 6;
    return name === '' || host.includes(name) || isLonger || vendors.test(normalizeNotice(part));
  };
  const rest = title
    .slice(0, 400)
    .split(
      /\s+[|–—·•»«›‹-]+\s+|\s*\|\s*|:\s+|\s+is\s+(?=(?:(?:currently|temporarily|now)\s+)?(?:under|undergoing|down|offline|closed|coming|in)\b)/i,
    )
    .filter((part) => !isName(part));
  return [title, ...(rest.length === 1 ? rest : [])].map(normalizeNotice);
}

const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

type Facts = {
  isWall: boolean;
  isErrorPage: boolean;
  hasCaptcha: boolean;
  /** Whether the page has an article, a menu, or several links. */
  hasArticle: boolean;
  /** Whether the page has fields to fill in, which a check for humans has not. */
  hasFields: boolean;
  headings: string[];
  /** The texts between borders of blocks, without quotations and code. */
  lines: string[];
};

const inline = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'em', 'font', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'u', 'wbr'],
]);
const unread = new Set([
  ...['blockquote', 'code', 'head', 'noscript', 'pre', 'q', 'script', 'select', 'style', 'template', 'textarea'],
]);
const fieldTypes = /^(text|email|search|tel|url|number|date|password|)$/i;
const captchaClass = /(^|\s)(g-recaptcha|h-captcha|cf-turnstile|frc-captcha|mtcaptcha)(\s|$)/;
const maxNoticeLinks = 5;
/** Links that a page for maintenance has, too: to profiles and for contact. */
const contactLink =
  /^(#|mailto:|tel:|javascript:)|^(https?:)?\/\/([\w-]+\.)*(facebook|twitter|x|instagram|linkedin|youtube|pinterest|tiktok|github|t|wa)\.(com|me)\//i;
const maxLines = 200;

function readFacts(document: Node): Facts {
  const facts = { isWall: false, isErrorPage: false, hasCaptcha: false, hasArticle: false, hasFields: false };
  const [lines, headings]: [string[], string[]] = [[], []];
  let [line, heading, links] = ['', '', 0];
  const endLine = () => {
    if (line.trim() !== '' && lines.length < maxLines) lines.push(line.trim());
    line = '';
  };
  const endHeading = () => {
    if (heading.trim() !== '') headings.push(heading.trim());
    heading = '';
  };
  type Step = { node: Node; isRead: boolean; isHeading: boolean; isEnd?: boolean };
  const stack: Step[] = [{ node: document, isRead: true, isHeading: false }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node } = step;
    if (node.nodeName === '#text' && 'value' in node) {
      if (step.isRead) line += node.value;
      if (step.isRead && step.isHeading) heading += node.value;
    }
    if (!('childNodes' in node)) continue;
    let { isRead, isHeading } = step;
    if ('tagName' in node) {
      if (!inline.has(node.tagName)) endLine();
      if (/^h[1-3]$/.test(node.tagName)) endHeading();
      if (step.isEnd) continue;
      isRead &&= !unread.has(node.tagName) && !isHidden(node);
      isHeading ||= /^h[1-3]$/.test(node.tagName);
      facts.isWall ||= isWallElement(node);
      facts.isErrorPage ||= isErrorElement(node);
      facts.hasCaptcha ||= isCaptcha(node);
      facts.hasArticle ||= ['article', 'nav'].includes(node.tagName);
      facts.hasFields ||= isField(node);
      if (node.tagName === 'a' && !contactLink.test(readAttribute(node, 'href').trim())) links += 1;
      stack.push({ ...step, isEnd: true });
    }
    for (const child of [...node.childNodes].reverse()) stack.push({ node: child, isRead, isHeading });
  }
  endLine();
  facts.hasArticle ||= links > maxNoticeLinks;
  return { ...facts, headings: headings.length <= 2 ? headings : [], lines };
}

const readAttribute = (element: Element, name: string): string =>
  element.attrs.find((attribute) => attribute.name === name)?.value ?? '';

function isWallElement(element: Element): boolean {
  const { tagName } = element;
  const has = (name: string, pattern: RegExp) => pattern.test(readAttribute(element, name));
  const contains = (pattern: RegExp) =>
    element.childNodes.some((child) => 'value' in child && pattern.test(child.value));
  return (
    has('id', idSigns) ||
    (['script', 'iframe', 'img'].includes(tagName) && has('src', assetSigns)) ||
    (tagName === 'script' && isProgram(element) && contains(scriptSigns)) ||
    (tagName === 'noscript' && contains(noscriptSigns)) ||
    (tagName === 'link' && has('href', assetSigns)) ||
    (tagName === 'form' && has('action', formSigns)) ||
    (tagName === 'meta' && has('content', metaSigns)) ||
    (tagName === 'input' && has('name', /^wsidchk$/))
  );
}

/** Checks whether a script is a program and not data, which may contain the text of an article. */
const isProgram = (script: Element): boolean =>
  /^$|javascript|ecmascript|^module$/i.test(readAttribute(script, 'type').trim());

/** Errors of WordPress, and the maintenance modes of its plugins. */
const isErrorElement = (element: Element): boolean =>
  element.tagName === 'body' &&
  (readAttribute(element, 'id') === 'error-page' ||
    /(^|\s)(elementor-maintenance-mode|maintenance-mode|wpmm-body)(\s|$)/.test(readAttribute(element, 'class')));

const isCaptcha = (element: Element): boolean =>
  captchaClass.test(readAttribute(element, 'class')) || element.tagName === 'altcha-widget';

const isField = (element: Element): boolean =>
  element.tagName === 'textarea' ||
  element.tagName === 'select' ||
  (element.tagName === 'input' && fieldTypes.test(readAttribute(element, 'type')));

const isHidden = (element: Element): boolean =>
  element.attrs.some(({ name }) => name === 'hidden') || /display\s*:\s*none/i.test(readAttribute(element, 'style'));
