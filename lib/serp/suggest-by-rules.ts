import { isFarWider, measureWidth } from './font-metrics';
import { type SerpPart, serpDevices, serpLines } from './limits';
import { largest, trimToWidth } from './trim';
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

/** What a page is called of which nothing at all is known. */
const unnamed = 'Home';

/**
 * A title and a description by rules, from nothing but what was given: both lead with the intent's words (or the title's,
 * the path's, the brand's), keep what the present texts say, and are within the limits. Never empty.
 */
export function suggestByRules(input: SnippetInput): Snippet {
  const brand = brandOf(input.domain);
  const title = withoutBrand(cleanLine(input.currentTitle), brand);
  const lead = upperFirst(cleanLine(input.intent) || title || slugWords(input.slug) || brand || unnamed);
  const full = joined(lead, title, ' – ');
  const titles = [full, longestStart(lead, title), lead].flatMap((text) =>
    brand !== '' && !holds(text, brand) ? [`${text} | ${brand}`, text] : [text],
  );
  const body = joined(lead, cleanLine(input.currentDescription), ': ');
  return {
    title: titles.find((text) => fitsEverywhere('title', text)) ?? fitted('title', lead),
    description: descriptionOf(body === lead ? sentence(full) : body),
  };
}

/** As many whole sentences as fit; where not even the first does, as many words of it. */
function descriptionOf(text: string): string {
  const sentences = text.match(/[^.!?。！？]+[.!?。！？]*\s*/gu) ?? [text];
  const first = (count: number) => sentences.slice(0, count).join('').trim();
  // More of them are never narrower, so that few need to be measured, however many there are.
  const count = largest(sentences.length, (length) => fitsEverywhere('description', first(length)));
  return first(count) || fitted('description', text);
}

/** The words that lead, with as many clauses of the title as fit; the words alone where none does. */
function longestStart(lead: string, title: string): string {
  const starts = clauseStarts(title).map((start) => joined(lead, start, ' – '));
  const count = largest(starts.length, (length) => fitsEverywhere('title', starts[length - 1] ?? ''));
  return starts[count - 1] ?? lead;
}

/** A title's beginnings that end with a clause, the shortest first: "Spades, rakes | Shop" has "Spades" and "Spades, rakes". */
function clauseStarts(title: string): string[] {
  const ends = Array.from(title.matchAll(/\s*[,;:]\s|\s+[|–—·-]\s+/gu), ({ index }) => index);
  return ends.filter((end) => end > 0).map((end) => title.slice(0, end));
}

/** The words that lead, then what a text says besides; a text that begins with them, or says no more, stays one. */
function joined(lead: string, text: string, separator: string): string {
  if (startsWithWords(text, lead)) return upperFirst(text);
  return text === '' || holds(lead, text) ? lead : lead + separator + text;
}

const fitted = (part: SerpPart, text: string) => fitEverywhere(part, text) || unnamed;

const sentence = (text: string) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`);

const holds = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

/** "Spades | Example" without its brand, which is put at the end anyway. */
function withoutBrand(title: string, brand: string): string {
  if (brand === '') return title;
  const parts = title.split(/\s+[|–—·-]\s+/u);
  const kept = parts.filter((part) => part.toLowerCase() !== brand.toLowerCase());
  return kept.length < parts.length ? kept.join(' – ') : title;
}

/** Shortens a text to what desktop and mobile both show of it. */
export function fitEverywhere(part: SerpPart, text: string): string {
  return trimToWidth(text, 1, (candidate) => fullest(part, candidate));
}

/** Do desktop and mobile both show all of it? */
export function fitsEverywhere(part: SerpPart, text: string): boolean {
  return fullest(part, text) <= 1;
}

/** A text's width as a share of the limit of the device that shows least of it; infinite when it is far beyond. */
function fullest(part: SerpPart, text: string): number {
  const lines = serpDevices.map((device) => serpLines[device][part]);
  if (lines.some((line) => isFarWider(text, line))) return Number.POSITIVE_INFINITY;
  return Math.max(...lines.map((line) => measureWidth(text, line) / line.limitPx));
}
