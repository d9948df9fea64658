/** A text in which the searched words are marked, as search engines set them off. */
export function Highlighted({ text, words }: { text: string; words: string }) {
  const wanted = words.split(/\s+/).filter((word) => word !== '');
  if (wanted.length === 0) return text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${wanted.map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  // Splitting by a group keeps what it caught: every second part is a word.
  const parts = text.split(pattern);
  return [...parts.entries()].map(([at, part]) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
