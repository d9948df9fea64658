/** HTML text; created only by `markup`, which escapes every value. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | null | undefined | false | Markup | readonly Markup[];

/** Tags a template: escapes values, inserts Markup unchanged, and omits null, undefined and false. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const filled = parts.map((part, index) => part + (index < values.length ? toText(values[index]) : ''));
  return new Markup(filled.join(''));
}

function toText(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map((one) => one.text).join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
