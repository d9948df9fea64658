const placeholder = '[redacted]';

/** Fields with such a name are always redacted. */
const secretName = /password|secret|token|authorization|cookie|(api|private|card).?key/i;

/**
 * Secrets and personal data to redact anywhere in a text. Every repetition that can start at any character is bounded:
 * clients control parts of the text, and matching must stay fast.
 */
const patterns: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(-----END [A-Z ]+-----|$)/g, placeholder],
  // The parameters of Drizzle's failed query in plain text, up to the stack.
  [/(params: )[\s\S]*?(?=(?:\n|\\n) {4,12}at |$)/g, `$1${placeholder}`],
  [/(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s:/@]*:)[^\s@/]+@/gi, `$1${placeholder}@`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${placeholder}`],
  [/(linkmarket\.session[\w.-]*=)[^;\s"']+/g, `$1${placeholder}`],
  [/([?&](?:token|code|key|secret|signature|sig|password)=)[^&\s"']+/gi, `$1${placeholder}`],
  [/\beyJ[\w-]{8,}(\.[\w-]*)+/g, placeholder],
  [/\b(sk|rk|pk|whsec|re|lm)_[A-Za-z\d_]{8,}/g, `$1_${placeholder}`],
  [/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d-]+\.)+[a-z]{2,}\b/gi, '[email]'],
];

/** A necessary condition of all patterns. Few texts match it, and every request writes a log line. */
const mayContainSecret = /@|=|-----|params: |bearer|basic|eyj|_[a-z\d_]{8}/i;

/** Removes passwords, tokens, keys and email addresses from a text. */
export function redactText(text: string): string {
  if (!mayContainSecret.test(text)) return text;
  return patterns.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
}

/** Redacts the fields of a log line at any depth. Errors are redacted by their serializer. */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretName.test(name) ? placeholder : redactValue(value)]),
  );
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  return redactFields({ ...value });
}
