'use client';

import { type ComponentProps, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Field } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { minPasswordLength } from '@/lib/auth/portals';
import { getFormText } from './fields';
import type { FieldProps } from './number-field';
import type { FieldErrors } from './use-api-form';

type PasswordFieldProps = Omit<ComponentProps<typeof PasswordInput>, 'id'> &
  FieldProps & { name: string; autoComplete: 'current-password' | 'new-password' };

export function PasswordField({ label, hint, error, aside, required, className, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} required={required} className={className}>
      {(control) => <PasswordInput {...input} {...control} />}
    </Field>
  );
}

/**
 * Renders a password field with a show/hide toggle. It allows pasting, and its autocomplete value identifies it to
 * password managers.
 */
function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type' | 'size'>) {
  const [shown, setShown] = useState(false);
  return (
    <span className={cn('relative block', className)}>
      <input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
        className={'control pr-10'}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-1 my-auto grid size-7 place-items-center rounded-sm text-subtle transition-colors hover:text-ink"
      >
        {shown ? <Icon name="eye-off" /> : <Icon name="eye" />}
      </button>
    </span>
  );
}

/** Renders the field `password` of a new password. */
export function NewPasswordField({ label = 'Password', error }: { label?: string; error: string | undefined }) {
  return (
    <PasswordField
      name="password"
      label={label}
      required
      minLength={minPasswordLength}
      autoComplete="new-password"
      hint={error ? undefined : 'At least 8 characters.'}
      error={error}
    />
  );
}

type NewPasswordFieldsProps = { errors: FieldErrors; confirmLabel: string };

/** Renders the fields of a new password and its repetition: `password` and `confirm`. */
export function NewPasswordFields({ errors, confirmLabel }: NewPasswordFieldsProps) {
  return (
    <>
      <NewPasswordField label="New password" error={errors.password} />
      <PasswordField
        name="confirm"
        label={confirmLabel}
        required
        minLength={minPasswordLength}
        autoComplete="new-password"
        error={errors.confirm}
      />
    </>
  );
}

/** Returns the validation errors of both fields. */
export function newPasswordErrors(data: FormData): FieldErrors {
  const password = getFormText(data, 'password');
  return {
    ...(password.length < minPasswordLength && { password: 'Password must be at least 8 characters.' }),
    ...(password !== getFormText(data, 'confirm') && { confirm: 'Passwords do not match.' }),
  };
}
