import type { AnchorKind } from '@/db/enums';
import { hasText } from '@/lib/links/compare-anchors';
import { parseUrl } from '@/lib/network/can-parse-url';
import { foldText, hasWord, listKeys, splitUnits, splitWords } from './fold-text';
import { genericKeys, stopKeys } from './generic-phrases';

/** The text of a link, and whether an image is linked. */
export type Anchor = { anchor: string; isImage: boolean };

/** The words that anchors are compared with. */
export type AnchorSubject = {
  /** The domain of the project, in its own letters. */
  domain: string;
  brandWords: readonly string[];
  keywords: readonly string[];
};

/**
 * Returns the kind of an anchor: `image`; `none` without text; `address`, a web address or the domain; `brand`, only the
 * brand; `exact`, a keyword; `partial`, with a keyword or half of the words of one, or with the brand and more; otherwise
 * `generic`. Case, accents, punctuation and spaces do not count. A usual phrase such as "read more" is generic, even if
 * it shares words with a keyword.
 */
export const classifyAnchor = (anchor: Anchor, subject: AnchorSubject): AnchorKind => createClassifier(subject)(anchor);

/** Returns `classifyAnchor` for many anchors of a subject. */
export function createClassifier(subject: AnchorSubject): (anchor: Anchor) => AnchorKind {
  const isAddress = createAddressCheck(subject.domain);
  const brandKeys = new Set(subject.brandWords.flatMap(listKeys));
  const keywordKeys = new Set(subject.keywords.flatMap(listKeys));
  const keywords = subject.keywords.map(listMeaningfulWords).filter((words) => words.length > 0);
  const [findBrand, findKeyword] = [createPhraseFinder(brandKeys), createPhraseFinder(keywordKeys)];
  return ({ anchor, isImage }) => {
    if (isImage) return 'image';
    if (!hasText(anchor)) return 'none';
    const folded = foldText(anchor);
    if (isAddress(folded)) return 'address';
    const units = splitUnits(folded);
    const joined = units.join('');
    const isOfBrand = findBrand(units);
    const hasBrand = isOfBrand.includes(true);
    if (hasBrand && units.every((unit, place) => isOfBrand[place] || stopKeys.has(unit))) return 'brand';
    if (keywordKeys.has(joined)) return 'exact';
    if (findKeyword(units).includes(true)) return 'partial';
    if (genericKeys.has(joined)) return 'generic';
    const present = new Set(units);
    const isHalfShared = keywords.some(
      (words) => 2 * words.filter((word) => hasWord(word, present, joined)).length >= words.length,
    );
    return isHalfShared || hasBrand ? 'partial' : 'generic';
  };
}

/** Returns a function that finds which units belong to one of the phrases. */
function createPhraseFinder(keys: ReadonlySet<string>): (units: readonly string[]) => boolean[] {
  // Most anchors have none: the first unit that begins no phrase ends the search.
  const beginnings = new Set(
    [...keys].flatMap((key) => Array.from({ length: key.length }, (_, at) => key.slice(0, at + 1))),
  );
  return (units) => {
    const found = units.map(() => false);
    for (let start = 0; start < units.length; start++) {
      let joined = '';
      for (let end = start; end < units.length; end++) {
        joined += units[end];
        if (!beginnings.has(joined)) break;
        if (keys.has(joined)) found.fill(true, start, end + 1);
      }
    }
    return found;
  };
}

/** Lists the different words of a keyword without stop words, or all if it has no others. */
function listMeaningfulWords(keyword: string): string[] {
  const words = [...new Set(splitWords(foldText(keyword)))];
  const meaningful = words.filter((word) => !stopKeys.has(word));
  return meaningful.length > 0 ? meaningful : words;
}

/** A scheme, `www.`, a host with its port, and a path; without spaces. */
const address = /^(https?:\/*|\/\/)?(www\d?\.)?([^\s/?#:@]+)(?::\d+)?(?:[/?#]\S*)?$/u;
const around = /^[^\p{L}\p{N}/]+|(?:[^\p{L}\p{N}/=&#-]|\.)+$/gu;

/** Returns a check of folded texts for web addresses: with a scheme or `www.` all, without only those of the domain. */
function createAddressCheck(domain: string): (folded: string) => boolean {
  const bare = (host: string) => host.replace(/^www\d?\./, '').replace(/\.$/, '');
  const names = [domain, parseUrl(`http://${domain}`)?.hostname ?? domain].map((name) => bare(foldText(name)));
  const isOwn = (host: string) =>
    names.some(
      (name) =>
        host === name || host.endsWith(`.${name}`) || (host.includes('.') && host !== '' && name.endsWith(`.${host}`)),
    );
  return (folded) => {
    const [, scheme, www, host = ''] = address.exec(folded.replace(around, '')) ?? [];
    if (host === '') return false;
    return isOwn(bare(host)) || ((scheme !== undefined || www !== undefined) && /[^.]\.[^.]/.test(host));
  };
}
