import type { ComponentProps } from 'react';
import { Field } from '../ui/field';
import { PasswordInput } from '../ui/password-input';
import type { FieldProps } from './text-field';

type PasswordFieldProps = Omit<ComponentProps<typeof PasswordInput>, 'id'> &
  FieldProps & { name: string; autoComplete: 'current-password' | 'new-password' };

export function PasswordField({ label, hint, error, aside, required, className, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <PasswordInput {...input} {...control} />}
    </Field>
  );
}
