import { relNames } from '@/components/orders/brief-card';
import type { BriefTexts } from '@/components/orders/brief-draft';
import { type BriefColumnKey, parseDay, parseRel, parseWords, parseWriter } from '@/lib/orders/briefs/parse-cells';

/** An article that a brief of the cart has attached. */
export type CartArticle = { articleId: string; articleFileName: string };

export type BriefColumn = {
  key: BriefColumnKey;
  label: string;
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
    fields: ['targetUrl'],
    width: 180,
  },
  {
    key: 'anchor',
    label: 'Anchor text',
    fields: ['anchor'],
    width: 160,
  },
  {
    key: 'rel',
    label: 'Link attribute',
    fields: ['rel'],
    width: 128,
  },
  { key: 'words', label: 'Words', fields: ['words'], width: 92 },
  {
    key: 'notBefore',
    label: 'Publish from',
    fields: ['notBefore'],
    width: 120,
  },
  {
    key: 'article',
    label: 'Article',
    fields: ['writer', 'articleId'],
    width: 136,
  },
  {
    key: 'notes',
    label: 'Notes',
    fields: ['notes'],
    width: 152,
  },
];

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
      return parseRel(typed);
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
  return { writer: parseWriter(text), ...none };
}
