/** What a form's fields say, by parameter; an empty one takes its parameter out. */
export function paramsOf(form: HTMLFormElement, names: readonly string[]): Record<string, string> {
  const data = new FormData(form);
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '').trim()]));
}
