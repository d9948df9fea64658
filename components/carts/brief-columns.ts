import { relNames } from '@/components/orders/brief-card';
import type { BriefTexts } from '@/components/orders/brief-draft';
import { parseDay } from './parse-day';

export type BriefColumnKey = 'targetUrl' | 'anchor' | 'rel' | 'words' | 'notBefore' | 'article' | 'notes';

/** An article that a brief of the cart has attached. */
export type CartArticle = { articleId: string; articleFileName: string };

export type BriefColumn = {
  key: BriefColumnKey;
  label: string;
  /** The names that a pasted column can have, in the form of `foldName`. */
  names: readonly string[];
  /** The fields of the brief that the column shows, for the notes of the server. */
  fields: readonly string[];
  /** Px. */
  width: number;
};

/** The columns of the table, in their order. */
export const briefColumns: readonly BriefColumn[] = [
  {
    key: 'targetUrl',
    label: 'Target URL',
    names: ['targeturl', 'target', 'targetpage', 'landingpage', 'link', 'linkurl', 'destination', 'destinationurl'],
    fields: ['targetUrl'],
    width: 180,
  },
  {
    key: 'anchor',
    label: 'Anchor text',
    names: ['anchortext', 'anchor', 'keyword', 'linktext'],
    fields: ['anchor'],
    width: 160,
  },
  {
    key: 'rel',
    label: 'Link attribute',
    names: ['linkattribute', 'rel', 'attribute', 'linktype', 'follow'],
    fields: ['rel'],
    width: 128,
  },
  { key: 'words', label: 'Words', names: ['words', 'wordcount', 'length'], fields: ['words'], width: 92 },
  {
    key: 'notBefore',
    label: 'Publish from',
    names: ['publishfrom', 'notbefore', 'from', 'date', 'publishdate', 'publicationdate', 'earliestdate'],
    fields: ['notBefore'],
    width: 120,
  },
  {
    key: 'article',
    label: 'Article',
    names: ['article', 'writer', 'content', 'writtenby'],
    fields: ['writer', 'articleId'],
    width: 136,
  },
  {
    key: 'notes',
    label: 'Notes',
    names: ['notes', 'note', 'notesforthepublisher', 'comment', 'comments', 'instructions', 'brief'],
    fields: ['notes'],
    width: 152,
  },
];

/** Reduces a name to lower-case letters and digits, for comparison: "Target URL" and "target_url" are one name. */
export const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const rels: Readonly<Record<string, string>> = {
  any: 'any',
  default: 'any',
  dofollow: 'dofollow',
  follow: 'dofollow',
  do: 'dofollow',
  df: 'dofollow',
  nofollow: 'nofollow',
  no: 'nofollow',
  nf: 'nofollow',
  sponsored: 'sponsored',
  relsponsored: 'sponsored',
  ugc: 'ugc',
  relnofollow: 'nofollow',
  reldofollow: 'dofollow',
  relugc: 'ugc',
};

const writers: Readonly<Record<string, 'seller' | 'buyer'>> = {
  publisher: 'seller',
  publisherwrites: 'seller',
  seller: 'seller',
  site: 'seller',
  writtenbythepublisher: 'seller',
  publisherwritesit: 'seller',
  buyer: 'buyer',
  buyerwrites: 'buyer',
  own: 'buyer',
  me: 'buyer',
  iwrite: 'buyer',
  iprovidethearticle: 'buyer',
  iprovideit: 'buyer',
  provided: 'buyer',
  writtenbythebuyer: 'buyer',
};

/** The texts of the column Article. An attached article is shown by its file name. */
export const articleTexts = { seller: 'Publisher writes', buyer: 'Buyer writes' } as const;

/** Returns the text of a cell, as it is shown, edited and copied. '' is the default. */
export function getCellText(brief: BriefTexts, column: BriefColumnKey): string {
  if (column === 'rel') return brief.rel === 'any' ? '' : (relNames[brief.rel] ?? brief.rel);
  if (column !== 'article') return brief[column];
  if (brief.writer === 'seller') return '';
  return brief.writer === 'buyer' ? brief.articleFileName || articleTexts.buyer : brief.writer;
}

/**
 * Returns a brief with the value of a cell. Understands numbers, days and choices as people write them; anything else
 * is kept as it is, and the server reports it.
 * @param articles the articles of the cart, which a cell names by their file
 */
export function setCellText(
  brief: BriefTexts,
  column: BriefColumnKey,
  text: string,
  articles: readonly CartArticle[] = [],
): BriefTexts {
  if (column === 'article') return { ...brief, ...parseArticle(text.trim(), articles) };
  return { ...brief, [column]: parseCell(column, text) };
}

/** Copies the value of a cell from another brief. */
export const copyCell = (brief: BriefTexts, column: BriefColumnKey, from: BriefTexts): BriefTexts =>
  column === 'article'
    ? { ...brief, writer: from.writer, articleId: from.articleId, articleFileName: from.articleFileName }
    : { ...brief, [column]: from[column] };

/** Lists the articles of the briefs. */
export const listArticles = (briefs: readonly BriefTexts[]): CartArticle[] =>
  briefs.filter(({ articleId }) => articleId !== '');

function parseCell(column: Exclude<BriefColumnKey, 'article'>, text: string): string {
  const typed = text.trim();
  switch (column) {
    case 'rel':
      return typed === '' || typed === '-' ? 'any' : (rels[foldName(typed)] ?? typed);
    case 'words':
      return parseWords(typed);
    case 'notBefore':
      return parseDay(typed) ?? typed;
    case 'notes':
      return typed.replace(/\r\n?/g, '\n');
    default:
      return typed.replace(/\s+/g, ' ');
  }
}

function parseArticle(text: string, articles: readonly CartArticle[]): Partial<BriefTexts> {
  const none = { articleId: '', articleFileName: '' };
  if (text === '' || text === '-') return { writer: 'seller', ...none };
  const named = articles.find(({ articleFileName }) => articleFileName === text);
  if (named) return { writer: 'buyer', articleId: named.articleId, articleFileName: named.articleFileName };
  return { writer: writers[foldName(text)] ?? text, ...none };
}

/** Parses "1,200", "1.200", "1 200", "1200 words", "1.2k" and "1200.0"; other texts stay. */
function parseWords(typed: string): string {
  const bare = typed.replace(/\s*(words?|w)\.?$/i, '').trim();
  const thousands = /^(\d{1,3})(?:[.,](\d))?\s*k$/i.exec(bare);
  if (thousands) return String(Number(thousands[1]) * 1_000 + Number(thousands[2] ?? 0) * 100);
  const digits = bare.replace(/[.,]0{1,2}$/, '');
  if (/^\d+$/.test(digits)) return String(Number(digits));
  return /^\d{1,3}(?:([.,'’\s\u00a0\u202f])\d{3})(?:\1\d{3})*$/.test(digits) ? digits.replace(/\D/g, '') : typed;
}
