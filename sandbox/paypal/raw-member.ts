/**
 * The exact text of a member of a JSON object, as it stands in the object's own text. A signature counts for these
 * bytes only: parsed and written again, numbers and escapes can come out otherwise.
 * @returns null when the object has no such member at its top
 */
export function rawMember(json: string, name: string): string | null {
  const wanted = JSON.stringify(name);
  let depth = 0;
  let start: number | null = null;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = endOfText(json, at);
      const isWanted: boolean = start === null && depth === 1 && json.slice(at, end) === wanted;
      const colon: RegExpExecArray | null = isWanted ? /^\s*:\s*/.exec(json.slice(end)) : null;
      if (colon) start = end + colon[0].length;
      at = (colon && start !== null ? start : end) - 1;
      continue;
    }
    const closes = character === '}' || character === ']';
    if (start !== null && depth === 1 && (character === ',' || closes)) return json.slice(start, at).trimEnd();
    if (closes) depth -= 1;
    else if (character === '{' || character === '[') depth += 1;
  }
  return null;
}

/** Where the text that begins with the quote at `from` is over. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return json.length;
}
