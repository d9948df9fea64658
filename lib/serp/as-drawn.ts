/** Whitespace of a text is drawn as single spaces, and accents are measured joined, whichever way they were typed. */
export function asDrawn(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
