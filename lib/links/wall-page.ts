import type { DefaultTreeAdapterMap } from 'parse5';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
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
const metaSigns = /^px-captcha$|\/\.well-known\/(sgcaptcha|captcha)\/|\/go-away\/cmd\/go-away\//;

/** Code in the scripts of these pages: Cloudflare, Sucuri, DataDome, Amazon, Reblaze, Imunify360, StackPath, Alibaba, Tencent. */
const scriptSigns =
  /_cf_chl_opt|sucuri_cloudproxy_js|captcha-delivery\.com|gokuProps|awsWafCookieDomainList\s*=\s*\[\s*\]|window\.rbzns|winsocks\(|wsidchk|sbbpg=sbbShell|acw_sc__v2|aliyun_waf_|EO_Bot_Ssid|slowAES\.decrypt\(|beget=begetok|\/\.bunny-shield\/|_____tmd_____/;

/** Titles of these services, whole. */
const serviceTitles: readonly RegExp[] = [
  /^just a moment$|^attention required$|^.{0,200} used cloudflare to restrict access$/,
  /^((nur )?einen moment|un momento|un instant|één moment|bir dakika lütfen|один момент|请稍候|しばらくお待ちください|잠시만 기다리십시오)( bitte)?$/,
  /^(sucuri web ?site firewall|ddos-guard|client challenge|robot challenge screen|vercel security checkpoint|pardon our interruption|protected by chaitin safeline waf|radware (page|block page|captcha page|bot manager captcha)|crowdsec (captcha|ban|access forbidden)|bitninja|shieldsquare captcha|waiting for the redirectiron)$/,
  /^access to this (page|site) has been (denied|limited|blocked)$|^your access to this (site|service) has been (temporarily )?limited( by the site owner)?$/,
  /^making sure you'?re not a bot$|^checking (that )?you are not a bot$|^establishing a secure connection$|^request rejected$/,
];

/** Titles of checks and refusals, whole. */
const wallTitles: readonly RegExp[] = [
  /^(please wait|one moment,? please|please wait while your request is being verified|one more step)$/,
  /^access (denied|forbidden)$|^(error )?403( - |: | )?(forbidden)?$|^(forbidden|not acceptable|unauthorized|request unsuccessful)$/,
  /^(sorry,? )?you (have been|are( being)?) blocked$/,
  /^(human|bot|browser|user) (verification|check|detection)$|^(verify|verifying) (that )?you are (a )?human$|^are you (a )?(robot|human|bot)$|^(re)?captcha( challenge| verification| page)?$/,
  /^(i'?m|confirm you'?re|prove you'?re) not a (ro)?bot$/,
  /^security (check(point)?|verification|challenge)$|^(site |website )?firewall$|^ddos protection.{0,60}$/,
  /^(checking|verifying) your (browser|connection)( before accessing.{0,200})?$/,
  /^javascript (is )?(required|disabled)$|^enable javascript( and cookies to continue)?$/,
  /^(429 )?too many requests$|^(429 error|error 429)$|^rate limit(ed| exceeded)$|^you are being rate limited$/,
];

/** Titles and headings of pages that a site shows instead of all others, in several languages. */
const noticeTitles: readonly RegExp[] = [
  /^wordpress › (error|erreur|fehler|errore|erro|fout|błąd|ошибка|hata)$|^database error$|^.{0,60}error establishing a database connection$|^database connection (error|failed)$/,
  /^(fehler beim aufbau einer datenbankverbindung|datenbankfehler|erreur (lors de la connexion à|de connexion à) la base de données|error al establecer una conexión con la base de datos|error de (conexión con la )?base de datos|errore nello stabilire una connessione al database|erro ao estabelecer uma (conexão com o banco de dados|ligação à base de dados)|fout bij (het )?(verbinden|leggen van een verbinding) met de database|błąd (podczas łączenia się|połączenia) z bazą danych|ошибка (установки |при установке )?соединения с базой данных|veritabanı bağlantısı kurulurken (bir )?hata oluştu|データベース接続確立エラー|建立(数据库|资料库)连接时出错|数据库连接错误)$/,
  /^(503 |500 |502 |504 )?(service (temporarily )?unavailable|internal server error|bad gateway|gateway time-?out|http server error)$|^(error|http error) 50[0-4]$|^50[0-4]( error)?$|^508 resource limit is reached$|^(509 )?bandwidth limit exceeded$|^server error( in .{0,60} application)?$|^application error$|^runtime error$|^an error occurred$|^unhandled exception$|^(operationalerror|programmingerror) at .{0,200}$/,
  /^(we'?re sorry,? but something went wrong|whoops,? looks like something went wrong|there has been an error processing your request)$/,
  /^(site |website |scheduled |planned |server |system |page |web ?site )?(is )?(currently )?(down )?(under|for|in|undergoing)? ?(scheduled |planned |routine |temporary )?(maintenance|construction)( mode| page| break| work| in progress)?$/,
  /^(our |this |the |we'?re |we are )?(site|website|page|web ?site)?,? ?(is |are )?(currently |temporarily )?(down |unavailable |offline |closed )?(under|for|undergoing|due to) (some )?(scheduled |planned |routine )?(maintenance|construction)$/,
  /^(we'?ll|we will) be (right )?back( soon| shortly)?$|^be right back$|^back soon$|^(site |website )?(temporarily|currently) (unavailable|offline|down|closed)$|^(site |website |page )(is )?(temporarily |currently )?(unavailable|offline|closed)$|^briefly unavailable for scheduled maintenance$/,
  /^(website |site |page )?(is )?(coming|opening|launching) (very )?soon$|^under construction$/,
  /^(website |webseite |seite |site )?(ist |befindet sich )?(im|in) ?(den )?wartung(smodus)?$|^wartung(sarbeiten|smodus)?$|^(website |webseite |seite )?(derzeit|vorübergehend|zurzeit) nicht (verfügbar|erreichbar)$|^demnächst verfügbar$|^baustelle$/,
  /^((le )?site |page )?(est )?(actuellement |temporairement )?en (cours de )?(maintenance|construction|travaux)$|^maintenance en cours$|^(site )?(momentanément|temporairement) indisponible$|^bientôt (disponible|en ligne)$/,
  /^((el )?sitio( web)? |(la )?página( web)? |web )?(está |se encuentra )?(actualmente )?en (mantenimiento|construcción)$|^mantenimiento( programado)?$|^próximamente$|^modo (de )?mantenimiento$/,
  /^((il )?sito( web)? |pagina )?(è )?(attualmente )?in (fase di )?(manutenzione|costruzione|allestimento)$|^manutenzione( in corso| programmata)?$|^prossimamente$/,
  /^((o )?site |página )?(está )?em (manutenção|construção)$|^manutenção( programada)?$|^em breve$/,
  /^((de )?(website|site) )?(is )?(tijdelijk |momenteel )?in onderhoud$|^onderhoud(swerkzaamheden|smodus)?$/,
  /^przerwa techniczna$|^(strona |serwis )?(jest )?w (trakcie )?(budowie|przebudowie|konserwacji)$|^prace (techniczne|konserwacyjne)$|^tryb konserwacji$/,
  /^(сайт )?(находится )?(на|в) (техническом обслуживании|разработке|реконструкции)$|^(на сайте )?(ведутся |проводятся )?технические работы$|^сайт временно недоступен$|^режим обслуживания$/,
  /^(site |sitemiz )?(şu anda )?bakım(da| modu| modunda| çalışması)$|^yapım aşamasında$|^webbplatsen är (nere för|under) underhåll$|^underhåll(släge)?$|^údržba( webu)?$|^vedligeholdelse$/,
  /^(只今|ただいま)?メンテナンス中(です)?$|^(网站|系统|站点)?维护中?$|^网站正在(维护|建设)中?$|^(사이트 )?점검 ?중(입니다)?$/,
  /^(this )?account (has been )?suspended$|^(website|site|hosting|domain) (is |has been )?(suspended|disabled|expired)$|^this (site|website|domain) (is|has been) (suspended|disabled)$|^private site$|^suspected phishing( site)?$/,
  /^welcome to (nginx|openresty|caddy|apache|centos|tengine)$|^apache2 (ubuntu|debian) default page(:? it works)?$|^(http server )?test page( for the .{0,60})?$|^it works$|^iis windows( server)?$|^default (web site|web|server|parallels plesk|domain) page$|^(web server'?s|domain) default page$|^future home of .{0,60}$|^index of \/$|^plesk (default page|obsidian)$|^site not found$|^hosting default page$/,
  /^(virtual )?waiting room( powered by .{0,40})?$|^queue(-it)?$|^you are (now )?in (line|the queue)$|^you are in a queue$/,
];

/** Titles of pages that ask for consent. Their headings occur above articles, too. */
const consentTitles: readonly RegExp[] = [
  /^before you continue( to .{0,60})?$|^(your )?(privacy|cookie) (choices|consent|preferences|settings)$|^(cookie|privacy|gdpr) ?(consent|gate|wall)$|^consent$|^we value your privacy$/,
];

/** First sentences of such pages, beside those titles. */
const noticeSentences: readonly (readonly [reason: PageNotice, sentence: RegExp])[] = [
  [
    'notice_page',
    /^(briefly unavailable for scheduled maintenance|there has been a critical error on (this|your) web ?site|error establishing a database connection|this account has been suspended|the website encountered an unexpected error|one or more database servers? .{0,60}unavailable)/,
  ],
  [
    'notice_page',
    /^(wegen wartungsarbeiten ist diese website kurzzeitig nicht verfügbar|momentanément indisponible en raison d'une opération de maintenance|no disponible por mantenimiento programado|temporaneamente non disponibile per manutenzione|es gab einen kritischen fehler auf (deiner|dieser) website|auf deiner website ist ein kritischer fehler aufgetreten|il y a eu une erreur critique sur (ce|votre) site|ha habido un error crítico en (esta|tu) web|si è verificato un errore critico sul|er heeft zich een kritieke fout voorgedaan|на сайте возникла критическая ошибка|ocorreu um erro crítico n)/,
  ],
  [
    'notice_page',
    /^(php )?((fatal|parse) error|(warning|uncaught .{0,40}): ?(mysqli?|pdo|pg)_?)|^(uncaught )?(pdoexception|mysqli_sql_exception)|^sqlstate\[|^(sorry,? )?((the |a )?database )?(could not|can not|cannot|can'?t|unable to|failed to) connect to (the |our |your )?(my ?sql|maria ?db|postgres(ql)?|db|database)|^(database|mysql|db) (connection )?(error|failed)\b|^connection failed: |^access denied for user '|^too many connections|^table '.{1,80}' (doesn'?t exist|is marked as crashed)/,
  ],
  [
    'bot_wall',
    /^(checking your browser before accessing|(please )?(verify|confirm) (that )?you are (a )?human|verifying (that )?you are (a )?human|please enable (javascript|js)( and (cookies|disable any ad blocker))?|enable javascript and cookies to continue|javascript is disabled in your browser|please complete the (security check|captcha)|(sorry,? )?you have been blocked|you are being rate limited|the requested url was rejected|your support id is|request unsuccessful\. incapsula|(your )?access to this (page|site|service) (has been|is) (denied|limited|blocked)|generated by wordfence|a potentially unsafe operation has been detected|please wait while your request is being verified|access denied by imunify360|you don'?t have permission to access .{0,200} on this server|please solve (this|the) captcha|we have detected unusual (traffic|activity)|our systems have detected unusual traffic|pardon our interruption|making sure you'?re not a bot|this website is using a security service)/,
  ],
];

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
  if (facts.isWall || matches(titles, serviceTitles)) return 'bot_wall';
  if (facts.isErrorPage) return 'notice_page';
  if (length > maxNoticeText) return null;
  const lines = facts.hasArticle ? [] : facts.lines.map(normalize);
  const headings = [...titles, ...(length <= maxBareText || facts.hasArticle ? lines : facts.headings.map(normalize))];
  if (matches(headings, wallTitles)) return 'bot_wall';
  if (matches(headings, noticeTitles) || matches(titles, consentTitles)) return 'notice_page';
  const found = noticeSentences.find(([, pattern]) => matches(lines, [pattern]));
  if (found) return found[0];
  return facts.hasCaptcha && !facts.hasArticle && !facts.hasFields ? 'bot_wall' : null;
}

const maxLineLength = 400;

const matches = (texts: readonly string[], patterns: readonly RegExp[]) =>
  texts.some((text) => patterns.some((pattern) => pattern.test(text)));

/** Returns a text in lower case, with plain quotes and without the punctuation around it. */
const normalize = (text: string): string =>
  text
    .slice(0, maxLineLength)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s.!¡…]+|[\s.!?…:,]+$/g, '');

const vendors = /^(cloudflare|sucuri web ?site firewall|wordpress|imperva|incapsula|datadome|wordfence)$/;

/** Returns a title as a whole, and without the names of the site and of the service around it. */
function findTitles(title: string, url: string): string[] {
  const host = squash(new URL(url).hostname.replace(/^www\./, ''));
  const label = squash(getRegistrableDomain(url).split('.')[0] ?? '');
  const isName = (part: string) => {
    const name = squash(part);
    // "My Blog" is a name of blog.example; "How your blog survives" is not.
    const isLonger = label !== '' && name.includes(label) && name.length <= 2 * label.length + 6;
    return name === '' || host.includes(name) || isLonger || vendors.test(normalize(part));
  };
  const rest = title.split(/\s+[|–—·•»«›‹-]+\s+|\s*\|\s*|:\s+/).filter((part) => !isName(part));
  return [title, ...(rest.length === 1 ? rest : [])].map(normalize);
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
  'a',
  'abbr',
  'b',
  'bdi',
  'em',
  'font',
  'i',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
  'wbr',
]);
const unread = new Set([
  ...['blockquote', 'code', 'head', 'noscript', 'pre', 'q', 'script', 'select', 'style', 'template', 'textarea'],
]);
const fieldTypes = /^(text|email|search|tel|url|number|date|password|)$/i;
const captchaClass = /(^|\s)(g-recaptcha|h-captcha|cf-turnstile|frc-captcha|mtcaptcha)(\s|$)/;
const maxNoticeLinks = 5;

function readFacts(document: Node): Facts {
  const facts = { isWall: false, isErrorPage: false, hasCaptcha: false, hasArticle: false, hasFields: false };
  const [lines, headings]: [string[], string[]] = [[], []];
  let [line, heading, links] = ['', '', 0];
  const endLine = () => {
    if (line.trim() !== '') lines.push(line.trim());
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
      if (node.tagName === 'a') links += 1;
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
  if (tagName === 'script' && isProgram(element)) {
    const code = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    if (scriptSigns.test(code)) return true;
  }
  const has = (name: string, pattern: RegExp) => pattern.test(readAttribute(element, name));
  return (
    has('id', idSigns) ||
    (['script', 'iframe', 'img'].includes(tagName) && has('src', assetSigns)) ||
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
