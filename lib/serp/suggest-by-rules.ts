import { isFarWider, measureWidth } from './font-metrics';
import { type SerpPart, serpDevices, serpLines } from './limits';
import { largest, trimToWidth } from './trim';
import { brandOf, cleanLine, slugWords, startsWithWords, upperFirst } from './words';

/** The known data of a page; any field may be empty. */
export type SnippetInput = {
  domain: string;
  slug: string;
  currentTitle: string;
  currentDescription: string;
  /** The search query that the page targets. */
  intent: string;
};
export type Snippet = { title: string; description: string };

/** The title of a page about which nothing is known. */
const unnamed = 'Home';

/**
 * Builds a title and a description by rules from the given data only. Both start with the intent (or else the title, the
 * path or the brand), keep the content of the current texts, and are within the limits. Never empty.
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

/** Returns as many whole sentences as fit, or as many words of the first sentence. */
function descriptionOf(text: string): string {
  const sentences = text.match(/[^.!?。！？]+[.!?。！？]*\s*/gu) ?? [text];
  const first = (count: number) => sentences.slice(0, count).join('').trim();
  // The width grows with the number of sentences, which allows a binary search.
  const count = largest(sentences.length, (length) => fitsEverywhere('description', first(length)));
  return first(count) || fitted('description', text);
}

/** Returns the lead with as many clauses of the title as fit, or only the lead. */
function longestStart(lead: string, title: string): string {
  const starts = clauseStarts(title).map((start) => joined(lead, start, ' – '));
  const count = largest(starts.length, (length) => fitsEverywhere('title', starts[length - 1] ?? ''));
  return starts[count - 1] ?? lead;
}

/** Lists the starts of a title that end at a clause, shortest first: "Spades, rakes | Shop" has "Spades" and "Spades, rakes". */
function clauseStarts(title: string): string[] {
  const ends = Array.from(title.matchAll(/\s*[,;:]\s|\s+[|–—·-]\s+/gu), ({ index }) => index);
  return ends.filter((end) => end > 0).map((end) => title.slice(0, end));
}

/** Joins the lead and a text. A text that starts with the lead or adds nothing to it is not repeated. */
function joined(lead: string, text: string, separator: string): string {
  if (startsWithWords(text, lead)) return upperFirst(text);
  return text === '' || holds(lead, text) ? lead : lead + separator + text;
}

const fitted = (part: SerpPart, text: string) => fitEverywhere(part, text) || unnamed;

const sentence = (text: string) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`);

const holds = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

/** Removes the brand from a title, because it is appended at the end. */
function withoutBrand(title: string, brand: string): string {
  if (brand === '') return title;
  const parts = title.split(/\s+[|–—·-]\s+/u);
  const kept = parts.filter((part) => part.toLowerCase() !== brand.toLowerCase());
  return kept.length < parts.length ? kept.join(' – ') : title;
}

/** Truncates a text to the width that both desktop and mobile show. */
export function fitEverywhere(part: SerpPart, text: string): string {
  return trimToWidth(text, 1, (candidate) => fullest(part, candidate));
}

/** Whether both desktop and mobile show the whole text. */
export function fitsEverywhere(part: SerpPart, text: string): boolean {
  return fullest(part, text) <= 1;
}

/** Returns the width relative to the most restrictive device's limit; infinity for a text that far exceeds it. */
function fullest(part: SerpPart, text: string): number {
  const lines = serpDevices.map((device) => serpLines[device][part]);
  if (lines.some((line) => isFarWider(text, line))) return Number.POSITIVE_INFINITY;
  return Math.max(...lines.map((line) => measureWidth(text, line) / line.limitPx));
}
