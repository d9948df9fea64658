/**
 * Returns the exact text of a member in a JSON object's text. A signature covers these bytes; parsing and serializing
 * may change numbers and escapes.
 * @returns null when the top level has no such member
 */
export function rawMember(json: string, name: string): string | null {
  const requested = JSON.stringify(name);
  let depth = 0;
  let start: number | null = null;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = endOfText(json, at);
      const isWanted: boolean = start === null && depth === 1 && json.slice(at, end) === requested;
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

/** Returns the end of the string that starts with the quote at `from`. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return json.length;
}
