/** Splits a text at the search terms, case-insensitively. Elements with an odd index are search terms. */
export function splitByWords(text: string, words: string): string[] {
  const wanted = words.split(/\s+/).filter((word) => word !== '');
  if (wanted.length === 0) return [text];
  // split() includes the text that a capturing group matches.
  return text.split(new RegExp(`(${wanted.map(wholeWord).join('|')})`, 'giu'));
}

/** Returns a pattern that matches whole words only. Scripts without spaces between words match anywhere. */
function wholeWord(word: string): string {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
  return isUnspaced ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
}
