import { englishEndings, nameParts } from './name-parts';
import type { NicheWords } from './niche-words';
import type { NameLanguage, Place } from './places';
import type { Random } from './random';

const domains = [
  ['example.com', 6],
  ['example.net', 3],
  ['example.org', 3],
] as const;

/** Generates a unique name and URL; the URL is under a domain reserved for examples. */
export function generateSite(
  random: Random,
  claimed: Set<string>,
  words: NicheWords,
  place: Place,
  tongue: NameLanguage,
): { name: string; url: string } {
  for (let tries = 0; tries < 500; tries += 1) {
    const name = tongue === 'en' ? englishName(random, words, place) : foreignName(random, words, tongue);
    const url = `https://${slugOf(name)}.${random.weighted(domains)}`;
    if (claimed.has(name) || claimed.has(url)) continue;
    claimed.add(name).add(url);
    return { name, url };
  }
  throw new Error(`No free name is left for ${words.niche} in ${place.country}.`);
}

function englishName(random: Random, { en }: NicheWords, place: Place): string {
  const first = place.epithets.length > 0 && random.chance(0.3) ? random.pick(place.epithets) : random.pick(en.first);
  const last = random.pick(en.last);
  return random.chance(0.35) ? `${first} ${last}` : `${first} ${last} ${random.pick(englishEndings)}`;
}

function foreignName(random: Random, words: NicheWords, tongue: Exclude<NameLanguage, 'en'>): string {
  const word = random.pick(words[tongue]);
  const { before, after } = nameParts[tongue];
  // Polish has its nouns in the genitive, which needs a word before it.
  const form = tongue === 'pl' ? random.pick([0, 2]) : random.int(0, 2);
  if (form === 0) return `${random.pick(before)} ${word}`;
  if (form === 1) return `${word} ${random.pick(after)}`;
  return `${random.pick(before)} ${word} ${random.pick(after)}`;
}

/** Converts "Le Guide Épargne" to a host name: le-guide-epargne. */
function slugOf(name: string): string {
  return name
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
