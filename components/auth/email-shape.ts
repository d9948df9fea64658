import { textOf } from '../form/text-of';
import type { FieldErrors } from '../form/use-api-form';

/** Looks like an address? A quick word while typing; the server looks closer. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

/**
 * The complaint about the field "email" of a form that asks for nothing else, by field.
 * @param missing what it says about an empty one
 */
export function emailMessage(data: FormData, missing = 'Enter your email.'): FieldErrors {
  const email = textOf(data, 'email').trim();
  if (email === '') return { email: missing };
  return looksLikeEmail(email) ? {} : { email: 'Email format looks invalid.' };
}
