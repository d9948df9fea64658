/**
 * Joins class names. It does not merge conflicting classes: the primitives' styles are in the components layer (ui.css),
 * where every utility of a caller wins over them anyway.
 */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return classes.filter(Boolean).join(' ');
}
