import type { LinkedState } from '@/db/schema/project-domains';
import { type DomainReader, readDay } from './read-cells';
import type { FileLayout } from './recognize-format';

/** The anchor of links in place; null for a redirect and other links without one. */
type AnchorCount = { text: string; isImage: boolean; firstSeenOn: string | null; links: number };

/** What a row says: that a domain links, how links are worded, or both. */
export type LinkRow = {
  domain: string | null;
  state: LinkedState;
  /** The day of the state: the newest on which the tool saw the link, or that of its loss. */
  seenOn: string | null;
  anchor: AnchorCount | null;
};

const maxAnchorLength = 500;
const maxLinks = 2_147_483_647;
/** Kinds of links that have no text, by the words of Ahrefs. */
const withoutAnchor = /redirect|canonical|alternate|frame|rss/i;

/**
 * Reads a row below the header.
 * @param ownDomain the project's domain as `sites.domain`
 * @returns the reason if the row is skipped
 */
export function readLinkRow(
  cells: readonly string[],
  layout: FileLayout,
  { reader, ownDomain }: { reader: DomainReader; ownDomain: string },
): LinkRow | string {
  const { format, key, columns } = layout;
  const cell = (column: keyof FileLayout['columns']) => cells[columns[column] ?? -1]?.trim() ?? '';
  const state = readState(layout, cell);
  const firstSeenOn = readDay(cell('firstSeen'));
  if (format === 'ahrefs_anchors') {
    const links = columns.links === undefined ? 1 : readCount(cell('links'));
    if (links === null) return `“${shorten(cell('links'))}” is not a number of links.`;
    const text = readAnchor(cells[key] ?? '');
    // A link that is gone is worded no way any more.
    const anchor = state === 'lost' || links === 0 ? null : { text, isImage: false, firstSeenOn, links };
    return { domain: null, state, seenOn: null, anchor };
  }
  const address = cells[key] ?? '';
  if (address.trim() === '') return 'The row has no address.';
  const domain = reader.read(address);
  if (domain === null) return `“${shorten(address.trim())}” is not a web address.`;
  if (domain === ownDomain) return 'The address is on the project’s own domain.';
  if (isSet(cell('mention')) || /^mention$/i.test(cell('linkType')))
    return 'The page mentions the site without a link.';
  const lastSeenOn = readDay(cell('lastSeen'));
  const lostOn = state === 'lost' ? readDay(cell('lostOn')) : null;
  const seenOn = lostOn !== null && (lastSeenOn === null || lostOn > lastSeenOn) ? lostOn : lastSeenOn;
  const hasAnchor = columns.anchor !== undefined && state !== 'lost' && !withoutAnchor.test(cell('linkType'));
  const isImage = isSet(cell('image')) || /image/i.test(cell('linkType'));
  const anchor = hasAnchor ? { text: readAnchor(cell('anchor')), isImage, firstSeenOn, links: 1 } : null;
  return { domain, state, seenOn, anchor };
}

/** How tools write that something is not so, and spreadsheets in other languages that saved the file again. */
const unset = new Set([
  ...['', '0', '-', '–', 'n', 'no', 'false', 'none', 'null', 'n/a', 'live', 'active', 'new', 'newly discovered'],
  ...['falsch', 'faux', 'falso', 'onwaar', 'fałsz', 'nepravda', 'hamis', 'falskt', 'falsk', 'usann', 'epätosi'],
  ...['yanliş', 'ложь', 'хибність', 'ψευδης'],
]);
const isSet = (cell: string) => !unset.has(cell.toLowerCase());

function readState(
  { format, columns }: FileLayout,
  cell: (column: keyof FileLayout['columns']) => string,
): LinkedState {
  if (format === 'list' || format.startsWith('gsc')) return 'live';
  const column = (['lost', 'lostOn', 'lostStatus'] as const).find((name) => columns[name] !== undefined);
  if (!column) return 'unknown';
  return isSet(cell(column)) ? 'lost' : 'live';
}

/** Reads a count with or without separators of thousands; null for another text. */
function readCount(text: string): number | null {
  if (!/^\d[\d.,\s'’]*$/.test(text)) return null;
  return Math.min(Number(text.replace(/\D/g, '')), maxLinks);
}

/** Joins the lines of an anchor and limits its length, between two characters. */
function readAnchor(text: string): string {
  const line = text.replaceAll('\u0000', ' ').replace(/\s+/g, ' ').trim();
  return line.length <= maxAnchorLength
    ? line
    : [...line.slice(0, maxAnchorLength * 2)].slice(0, maxAnchorLength).join('');
}

const shorten = (text: string) => (text.length > 60 ? `${[...text.slice(0, 60)].slice(0, 57).join('')}…` : text);
