/** Text that is already HTML; made by `markup` only, so that every value in it has been escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | null | undefined | false | Markup | readonly Markup[];

/** Template tag: values are escaped, other Markup is taken as it is, null, undefined and false are nothing. */
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
