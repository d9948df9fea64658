import { splitByWords } from './split-by-words';

/** A text in which the searched words are marked, as search engines set them off. */
export function Highlighted({ text, words }: { text: string; words: string }) {
  const parts = [...splitByWords(text, words).entries()];
  return parts.map(([at, part]) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}
