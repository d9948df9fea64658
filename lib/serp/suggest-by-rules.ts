import type { SerpPart } from './limits';
import { brandOf, cleanLine, slugWords, startsWithWords, upperFirst } from './words';

/** What is known of a page (spec 000, section 3); anything may be empty. */
export type SnippetInput = {
  domain: string;
  slug: string;
  currentTitle: string;
  currentDescription: string;
  /** What people search for who shall find the page. */
  intent: string;
};
export type Snippet = { title: string; description: string };

/** Shortens a text to what every device shows of it. */
export type Shorten = (part: SerpPart, text: string) => string;

/** What a page is called of which nothing at all is known. */
const unnamed = 'Home';

/**
 * A title and a description by rules, from nothing but what was given: both lead with the intent's words (or the title's,
 * the path's, the brand's), keep what the present texts say, and are within the limits. Never empty.
 */
export function suggestByRules(input: SnippetInput, shorten: Shorten): Snippet {
  const brand = brandOf(input.domain);
  const title = withoutBrand(cleanLine(input.currentTitle), brand);
  const lead = upperFirst(cleanLine(input.intent) || title || slugWords(input.slug) || brand || unnamed);
  const full = joined(lead, title, ' – ');
  const titles = [full, ...clauseStarts(title).map((start) => joined(lead, start, ' – ')), lead].flatMap((text) =>
    brand !== '' && !holds(text, brand) ? [`${text} | ${brand}`, text] : [text],
  );
  const body = joined(lead, cleanLine(input.currentDescription), ': ');
  return {
    title: firstWhole('title', titles, shorten) || fitted('title', lead, shorten),
    description: descriptionOf(body === lead ? sentence(full) : body, shorten),
  };
}

/** As many whole sentences as fit; where not even the first does, as many words of it. */
function descriptionOf(text: string, shorten: Shorten): string {
  const sentences = text.match(/[^.!?。！？]+[.!?。！？]*\s*/gu) ?? [text];
  const wholes = sentences.map((_, index) =>
    sentences
      .slice(0, sentences.length - index)
      .join('')
      .trim(),
  );
  return firstWhole('description', wholes, shorten) || fitted('description', text, shorten);
}

/** A title's beginnings that end with a clause, the longest first: "Spades, rakes | Shop" has "Spades, rakes" and "Spades". */
function clauseStarts(title: string): string[] {
  const ends = Array.from(title.matchAll(/\s*[,;:]\s|\s+[|–—·-]\s+/gu), ({ index }) => index);
  return ends
    .filter((end) => end > 0)
    .map((end) => title.slice(0, end))
    .reverse();
}

/** The words that lead, then what a text says besides; a text that begins with them, or says no more, stays one. */
function joined(lead: string, text: string, separator: string): string {
  if (startsWithWords(text, lead)) return upperFirst(text);
  return text === '' || holds(lead, text) ? lead : lead + separator + text;
}

/** The first that fits as it stands. */
function firstWhole(part: SerpPart, candidates: readonly string[], shorten: Shorten): string {
  return candidates.find((text) => text !== '' && shorten(part, text) === text) ?? '';
}

const fitted = (part: SerpPart, text: string, shorten: Shorten) => shorten(part, text) || unnamed;

const sentence = (text: string) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`);

const holds = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

/** "Spades | Example" without its brand, which is put at the end anyway. */
function withoutBrand(title: string, brand: string): string {
  if (brand === '') return title;
  const parts = title.split(/\s+[|–—·-]\s+/u);
  const kept = parts.filter((part) => part.toLowerCase() !== brand.toLowerCase());
  return kept.length < parts.length ? kept.join(' – ') : title;
}
