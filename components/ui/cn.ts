/**
 * Joins class names. It does not merge conflicting classes: the primitives' styles are in the components layer
 * (ui.css), so every utility class of a caller overrides them.
 */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return classes.filter(Boolean).join(' ');
}
