/**
 * Checks whether a text contains data for contact outside the marketplace: an email address, a phone number, a
 * messenger's handle, or a link to a messenger, a call or a profile. A heuristic: messages and notes with such data are
 * sent, and staff see a mark; the rules of a site, which buyers read before they order, are refused.
 * @param own addresses of the order, e.g. its target URL: a link to them is not contact data
 */
export function hasContactData(text: string, own: readonly string[] = []): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  return (
    schemes.test(plain) ||
    emails.some((pattern) => pattern.test(plain)) ||
    hasContactLink(plain, own.map(normalizeAddress)) ||
    handles.some((pattern) => pattern.test(plain)) ||
    hasPhoneNumber(plain.replace(address, ' '))
  );
}

const schemes = /\b(?:mailto|tel|sms|skype|tg|whatsapp|viber|weixin):[^\s]/;

const mailProviders =
  'gmail|googlemail|yahoo|outlook|hotmail|live|icloud|proton|protonmail|aol|gmx|zoho|yandex|qq|163|mail';
/** The part before the at sign. It begins where no such character precedes it, so that a search takes linear time. */
const local = String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+`;
const label = String.raw`[\p{L}\p{N}-]{1,63}`;
const at = String.raw`\s?(?:@|[([{]\s?(?:at|@)\s?[)\]}])\s?`;
const dot = String.raw`\s?(?:\.|[([{]\s?(?:dot|\.)\s?[)\]}])\s?`;
const emails = [
  new RegExp(String.raw`${local}${at}${label}(?:${dot}${label})*${dot}\p{L}{2,}`, 'u'),
  // "jo at example dot com", "jo at gmail"; but not "look at example.com".
  new RegExp(String.raw`${local} at ${label}(?: dot ${label})* dot \p{L}{2,}`, 'u'),
  new RegExp(`${local} (?:at|@) (?:${mailProviders})(?: |\\.|$)`, 'u'),
];

/** An address with or without its scheme. It begins at its first label, so that a search takes linear time. */
const address =
  /(?<![\p{L}\p{N}]\.?)(?:https?:\/\/)?(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#][^\s<>"')\]]*)?/gu;

/** The hosts of messengers, calls and profiles, with the paths that lead to a user. */
const contactLinks = new RegExp(
  [
    String.raw`(?:t|telegram)\.(?:me|dog|org)`,
    String.raw`wa\.(?:me|link)`,
    String.raw`(?:api|chat|wa|web)\.whatsapp\.com`,
    String.raw`whatsapp\.com/channel`,
    String.raw`discord\.gg`,
    String.raw`discord(?:app)?\.com/(?:invite|users)`,
    String.raw`join\.skype\.com`,
    String.raw`signal\.(?:me|group)`,
    String.raw`m\.me`,
    String.raw`line\.me`,
    String.raw`(?:invite\.)?viber\.(?:com|me)`,
    String.raw`(?:u\.)?wechat\.com`,
    String.raw`(?:[a-z0-9-]+\.)?zoom\.us/(?:j|my|s)`,
    String.raw`meet\.google\.com`,
    String.raw`teams\.(?:live|microsoft)\.com/(?:l|meet)`,
    String.raw`calendly\.com`,
    String.raw`(?:[a-z]{2}\.)?linkedin\.com/in`,
  ]
    .map((link) => `^${link}/`)
    .join('|'),
);

function hasContactLink(text: string, own: readonly string[]): boolean {
  return [...text.matchAll(address)]
    .map(([found]) => normalizeAddress(found))
    .some((link) => contactLinks.test(`${link}/`) && !own.includes(link));
}

/** Removes the parts in which addresses of one page differ. */
const normalizeAddress = (found: string): string =>
  found
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/.,;:!?]+$/, '');

const messengers = 'telegram|tg|whats ?app|skype|discord|we ?chat|weixin|viber';
/** Names that are also ordinary words: they count only with a handle. */
const ambiguous = 'signal|line|messenger|instagram|insta|facebook|snapchat|kik|qq|teams|zoom|slack';
const handles = [
  new RegExp(`\\b(?:${messengers}|${ambiguous})\\b[^\\n@]{0,25}@[a-z0-9_.]{3,}`),
  new RegExp(`@[a-z0-9_.]{3,}[^\\n]{0,20}\\b(?:on|in|via) (?:${messengers}|${ambiguous})\\b`),
  new RegExp(
    `\\b(?:${messengers})(?: (?:id|name|user|username|handle|account|nick|nickname))? ?[:=] ?(?!none\\b|not\\b|later\\b|unavailable\\b)[a-z0-9][\\w.:-]{3,}`,
  ),
  new RegExp(`\\b(?:${ambiguous}) (?:id|user|username|handle|nick|nickname) ?(?:[:=]|is\\b) ?[a-z0-9][\\w.:-]{2,}`),
  new RegExp(`\\b(?:my|our) (?:${messengers})(?: \\w+)? is @?[a-z0-9][\\w.:-]{3,}`),
  new RegExp(
    `\\b(?:add|find|message|text|dm|ping|contact|reach|write|call|hit) (?:to )?(?:me|us)(?: up)? (?:on|at|via|in|over|through) (?:${messengers}|signal|messenger|instagram|facebook|line|zoom|slack|teams)\\b`,
  ),
  /\b(?:my|me|us|at|add|contact|write|ping|dm|reach|handle|is):? @[a-z]\w{3,31}\b/,
  /\blive:\.?(?:cid\.)?[a-z0-9._-]{4,}/,
  // Discord's handles with a number; not "order#1234".
  /\bdiscord\b[^\n#]{0,60}[a-z0-9_.](?<!\b(?:order|invoice|ticket|issue|case))#\d{4}\b/,
  /[a-z0-9_.](?<!\b(?:order|invoice|ticket|issue|case))#\d{4}\b[^\n]{0,30}\bdiscord\b/,
];

/** Numbers of other kinds that look like phone numbers. */
const otherNumbers = [
  // Dates, times and years.
  /\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:t\d[\d:.]*z?)?\b/g,
  /\b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})\b/g,
  /\b\d{1,2}:\d{2}(?::\d{2})?\b/g,
  /\b(?:19|20)\d\d ?[-–/] ?(?:19|20)\d\d\b/g,
  // Amounts of money.
  /(?:[$€£¥]|\b(?:usd|eur|gbp|cny))\s?\d[\d.,' ]{0,20}/g,
  /\d[\d.,' ]{0,20}(?:[$€£¥%]|(?:usd|eur|gbp|cny)\b)/g,
  // Grouped digits, and addresses of the network.
  /(?<![\d+(])[1-9]\d{0,2}(?:[.,'\u00a0 ]\d{3})+(?:[.,]\d{1,2})?(?![-.,' ]?\d)/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/g,
  // Numbers of records.
  /(?:#|\b(?:order|invoice|ticket|case|ref|reference|article|post|product|id|isbn|issn|sku|code|tracking|inv|cn)(?: (?:number|no|nr|id))?\b)[\s:.#№=-]{0,3}[a-z]{0,4}-?\d[\d -]{0,30}/g,
];

const phoneWords =
  /\b(?:call|phone|tel|telephone|mobile|cell|number|text me|fax|whats ?app|viber|signal|wechat|telegram)\b\D{0,15}$/;

/** Checks whether a text contains a phone number. @param text without addresses, because their paths contain numbers */
function hasPhoneNumber(text: string): boolean {
  if (candidates(text).some((found) => found.isNamed && found.digits.length >= 7)) return true;
  const rest = otherNumbers.reduce((left, pattern) => left.replace(pattern, ' ; '), text);
  return candidates(rest).some(isPhoneNumber);
}

type Candidate = {
  digits: string;
  groups: string[];
  isInternational: boolean;
  /** Whether a word such as "call" precedes it. */
  isNamed: boolean;
};

function candidates(text: string): Candidate[] {
  return [...text.matchAll(/(?<![\w.,#/+-])(?:\+|00)?\(?\d[\d ()./-]{5,40}\d(?![\w])/g)].map((match) => {
    const [found] = match;
    const groups = found.split(/\D+/).filter(Boolean);
    return {
      digits: groups.join(''),
      groups,
      isInternational: /^(?:\+|00)/.test(found),
      isNamed: phoneWords.test(text.slice(Math.max(0, match.index - 30), match.index)),
    };
  });
}

/** E.164 numbers have at most 15 digits. */
const maxDigits = 15;

function isPhoneNumber({ digits, groups, isInternational }: Candidate): boolean {
  const count = digits.length;
  if (count > maxDigits || groups.length > 7) return false;
  if (isInternational) return count >= 7;
  const hasTrunkPrefix = digits.startsWith('0');
  if (groups.length === 1) return count >= 10;
  if (hasTrunkPrefix) return count >= 9 && groups.every((group) => group.length >= 2);
  return (
    groups.length >= 3 &&
    count >= 9 &&
    groups.every(({ length }) => length >= 2) &&
    groups.some(({ length }) => length >= 3)
  );
}
