import { type ClassValue, clsx } from 'clsx';

/**
 * Joins class names. It does not sort out contradictions: the primitives' looks stand in the components layer (ui.css),
 * where every utility of a caller wins over them anyway.
 */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}
