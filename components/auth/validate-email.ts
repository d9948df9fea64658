import { getFormText } from '@/components/form/form-text';
import type { FieldErrors } from '@/components/form/use-api-form';

/** A coarse check of the format for feedback while the user types; the server validates the address. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

/**
 * The validation errors of a form whose only field is "email", by field.
 * @param missing the error for an empty field
 */
export function validateEmail(data: FormData, missing = 'Enter your email.'): FieldErrors {
  const email = getFormText(data, 'email').trim();
  if (email === '') return { email: missing };
  return looksLikeEmail(email) ? {} : { email: 'Email format looks invalid.' };
}
