import { minPasswordLength } from '@/lib/auth/password-rule';
import { textOf } from '../form/text-of';
import type { FieldErrors } from '../form/use-api-form';
import { looksLikeEmail } from './email-shape';

/** What is wrong with a registration (spec 000, section 5), by field. */
export function registrationMessages(data: FormData): FieldErrors {
  return {
    ...(!looksLikeEmail(textOf(data, 'email')) && { email: 'Email format looks invalid.' }),
    ...(textOf(data, 'password').length < minPasswordLength && { password: 'Password must be at least 8 characters.' }),
    ...(!data.has('agreement') && { agreement: 'You must agree to the terms to continue.' }),
  };
}

/** The same while typing: a field that is still empty is not complained about, and an untouched form not at all. */
export function liveRegistrationMessages(data: FormData): FieldErrors {
  const { email, password, agreement } = registrationMessages(data);
  const isTouched = ['name', 'email', 'password'].some((name) => textOf(data, name) !== '');
  return {
    ...(email && textOf(data, 'email') !== '' && { email }),
    ...(password && textOf(data, 'password') !== '' && { password }),
    ...(agreement && isTouched && { agreement }),
  };
}
