/** Splits a text at the words of a search, whatever their case; every second part is such a word. */
export function splitByWords(text: string, words: string): string[] {
  const wanted = words.split(/\s+/).filter((word) => word !== '');
  if (wanted.length === 0) return [text];
  // Splitting by a group keeps what it caught.
  return text.split(new RegExp(`(${wanted.map(wholeWord).join('|')})`, 'giu'));
}

/** The pattern of a word that is not a part of a longer one; some scripts put no spaces between words. */
function wholeWord(word: string): string {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
  return isUnspaced ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
}
