/** The text of a form field; '' when it is missing or a file. */
export function getFormText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
