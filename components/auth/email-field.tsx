import type { ComponentProps } from 'react';
import { TextField } from '../form/text-field';

type EmailFieldProps = Pick<ComponentProps<typeof TextField>, 'error' | 'value' | 'onChange'> & {
  /** `username` where an account exists already: password managers fill it with the one they know. */
  autoComplete: 'email' | 'username';
};

/** The address of an account. */
export function EmailField(props: EmailFieldProps) {
  return <TextField name="email" type="email" label="Email" required placeholder="you@example.com" {...props} />;
}
