import { type LegalKind, legalKinds } from '@/db/enums';
import { canParseUrl } from '@/lib/network/can-parse-url';

/** The published version of each legal document; null for one that is not published. */
export type LegalVersions = Record<LegalKind, number | null>;

export const noLegalVersions: LegalVersions = { terms: null, privacy: null };

export const legalTitles: Record<LegalKind, string> = { terms: 'Terms of service', privacy: 'Privacy policy' };
export const legalPaths: Record<LegalKind, string> = { terms: '/terms', privacy: '/privacy' };

/** Lists the documents with a published version. */
export const listPublished = (versions: LegalVersions): LegalKind[] =>
  legalKinds.filter((kind) => versions[kind] !== null);

/** The versions that a user agrees to with a registration or a sign-in. */
export type AgreedVersions = Partial<Record<LegalKind, number>>;

export function toAgreedVersions({ terms, privacy }: LegalVersions): AgreedVersions {
  return { ...(terms !== null && { terms }), ...(privacy !== null && { privacy }) };
}

export const agreementMissing = 'You must agree to the terms to continue.';

export const maxLegalLength = 100_000;

/** A part of a legal document. */
type LegalBlock =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'paragraph'; lines: string[] };

/**
 * Parses the text of a legal document: blank lines separate blocks, "# " and "## " begin headings, "- " begins the item
 * of a list. Everything else is text, also HTML.
 */
export function parseLegalText(text: string): LegalBlock[] {
  const blocks: LegalBlock[] = [];
  let isOpen = false;
  for (const line of text.split('\n').map((one) => one.trim())) {
    const last = isOpen ? blocks.at(-1) : undefined;
    isOpen = line !== '';
    const heading = /^(##?) +(.+)$/.exec(line);
    const item = /^- +(.+)$/.exec(line)?.[1];
    if (line === '') continue;
    if (heading?.[2] !== undefined)
      blocks.push({ kind: 'heading', level: heading[1] === '#' ? 2 : 3, text: heading[2] });
    else if (item === undefined && last?.kind === 'paragraph') last.lines.push(line);
    else if (item === undefined) blocks.push({ kind: 'paragraph', lines: [line] });
    else if (last?.kind === 'list') last.items.push(item);
    else blocks.push({ kind: 'list', items: [item] });
  }
  return blocks;
}

/** Splits a line into texts and the http and https URLs in it. */
export function splitUrls(line: string): { text: string; href: string | null }[] {
  return line
    .split(/(https?:\/\/[^\s<>"']*[\w/#=])/i)
    .filter((text) => text !== '')
    .map((text) => ({ text, href: /^https?:\/\//i.test(text) && canParseUrl(text) ? text : null }));
}
