import type { ComponentProps } from 'react';
import { TextField } from '@/components/form/text-field';

type EmailFieldProps = Pick<ComponentProps<typeof TextField>, 'error' | 'value' | 'onChange'> & {
  /** `username` for an existing account: password managers fill it with the stored user name. */
  autoComplete: 'email' | 'username';
};

/** The email field of the sign-in and account forms. */
export function EmailField(props: EmailFieldProps) {
  return <TextField name="email" type="email" label="Email" required placeholder="you@example.com" {...props} />;
}
