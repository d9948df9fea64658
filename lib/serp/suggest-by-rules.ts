import { isFarWider, measureWidth } from './font-metrics';
import { type SerpPart, serpDevices, serpLines } from './limits';
import { findLargest, trimToWidth } from './runs';
import { capitalize, cleanLine, getBrand, getSlugWords, startsWithWords } from './words';

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
const fallbackTitle = 'Home';

/**
 * Builds a title and a description by rules from the given data only. Both start with the intent (or else the title, the
 * path or the brand), keep the content of the current texts, and are within the limits. Never empty.
 */
export function suggestByRules(input: SnippetInput): Snippet {
  const brand = getBrand(input.domain);
  const title = removeBrand(cleanLine(input.currentTitle), brand);
  const lead = capitalize(cleanLine(input.intent) || title || getSlugWords(input.slug) || brand || fallbackTitle);
  const full = joinLead(lead, title, ' – ');
  const titles = [full, buildLongestTitle(lead, title), lead].flatMap((text) =>
    brand !== '' && !containsWords(text, brand) ? [`${text} | ${brand}`, text] : [text],
  );
  const body = joinLead(lead, cleanLine(input.currentDescription), ': ');
  return {
    title: titles.find((text) => fitsEverywhere('title', text)) ?? fitOrFallback('title', lead),
    description: buildDescription(body === lead ? toSentence(full) : body),
  };
}

/** Returns as many whole sentences as fit, or as many words of the first sentence. */
function buildDescription(text: string): string {
  const sentences = text.match(/[^.!?。！？]+[.!?。！？]*\s*/gu) ?? [text];
  const first = (count: number) => sentences.slice(0, count).join('').trim();
  // The width grows with the number of sentences, which allows a binary search.
  const count = findLargest(sentences.length, (length) => fitsEverywhere('description', first(length)));
  return first(count) || fitOrFallback('description', text);
}

/** Returns the lead with as many clauses of the title as fit, or only the lead. */
function buildLongestTitle(lead: string, title: string): string {
  const starts = listClauseStarts(title).map((start) => joinLead(lead, start, ' – '));
  const count = findLargest(starts.length, (length) => fitsEverywhere('title', starts[length - 1] ?? ''));
  return starts[count - 1] ?? lead;
}

/** Lists the starts of a title that end at a clause, shortest first: "Spades, rakes | Shop" has "Spades" and "Spades, rakes". */
function listClauseStarts(title: string): string[] {
  const ends = Array.from(title.matchAll(/\s*[,;:]\s|\s+[|–—·-]\s+/gu), ({ index }) => index);
  return ends.filter((end) => end > 0).map((end) => title.slice(0, end));
}

/** Joins the lead and a text. A text that starts with the lead or adds nothing to it is not repeated. */
function joinLead(lead: string, text: string, separator: string): string {
  if (startsWithWords(text, lead)) return capitalize(text);
  return text === '' || containsWords(lead, text) ? lead : lead + separator + text;
}

const fitOrFallback = (part: SerpPart, text: string) => fitEverywhere(part, text) || fallbackTitle;

const toSentence = (text: string) => (/[.!?…。！？]$/u.test(text) ? text : `${text}.`);

const containsWords = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

/** Removes the brand from a title, because it is appended at the end. */
function removeBrand(title: string, brand: string): string {
  if (brand === '') return title;
  const parts = title.split(/\s+[|–—·-]\s+/u);
  const otherParts = parts.filter((part) => part.toLowerCase() !== brand.toLowerCase());
  return otherParts.length < parts.length ? otherParts.join(' – ') : title;
}

/** Truncates a text to the width that both desktop and mobile show. */
export function fitEverywhere(part: SerpPart, text: string): string {
  return trimToWidth(text, 1, (candidate) => getRelativeWidth(part, candidate));
}

/** Checks whether both desktop and mobile show the whole text. */
export function fitsEverywhere(part: SerpPart, text: string): boolean {
  return getRelativeWidth(part, text) <= 1;
}

/** Returns the width relative to the most restrictive device's limit; infinity for a text that far exceeds it. */
function getRelativeWidth(part: SerpPart, text: string): number {
  const lines = serpDevices.map((device) => serpLines[device][part]);
  if (lines.some((line) => isFarWider(text, line))) return Number.POSITIVE_INFINITY;
  return Math.max(...lines.map((line) => measureWidth(text, line) / line.limitPx));
}
