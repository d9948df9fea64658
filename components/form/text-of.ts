/** A field's text; '' when there is none. FormData holds files as well, these fields are texts. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
