const hidden = '[redacted]';

/** A field of such a name is hidden whatever it holds. */
const secretName = /password|secret|token|authorization|cookie|(api|private|card).?key/i;

/**
 * What must not stand in a log, wherever in a text: what opens something, and whose it is. Nothing that a text can begin
 * at every letter is without a limit: callers write parts of these texts, and looking through one must not take long.
 */
const patterns: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(-----END [A-Z ]+-----|$)/g, hidden],
  // The values of Drizzle's failed query, where it is not known as one any more; up to the stack.
  [/(params: )[\s\S]*?(?=(?:\n|\\n) {4,12}at |$)/g, `$1${hidden}`],
  [/(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s:/@]*:)[^\s@/]+@/gi, `$1${hidden}@`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`],
  [/(linkmarket\.session[\w.-]*=)[^;\s"']+/g, `$1${hidden}`],
  [/([?&](?:token|code|key|secret|signature|sig|password)=)[^&\s"']+/gi, `$1${hidden}`],
  [/\beyJ[\w-]{8,}(\.[\w-]*)+/g, hidden],
  [/\b(sk|rk|pk|whsec|re)_[A-Za-z\d_]{8,}/g, `$1_${hidden}`],
  [/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d-]+\.)+[a-z]{2,}\b/gi, '[email]'],
];

/** What every pattern needs at least: nearly no text has it, and a line is written with every request. */
const suspicious = /@|=|-----|params: |bearer|basic|eyj|_[a-z\d_]{8}/i;

/** A text as a log may have it: without passwords, tokens, keys and e-mail addresses. */
export function redactText(text: string): string {
  if (!suspicious.test(text)) return text;
  return patterns.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}

/** The same for the fields of a log line, at any depth. An Error is left to the serializer of errors. */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretName.test(name) ? hidden : redactValue(value)]),
  );
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  return redactFields({ ...value });
}
