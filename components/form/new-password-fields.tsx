import { minPasswordLength } from '@/lib/auth/portals';
import { getFormText } from './form-text';
import { PasswordField } from './password-field';
import type { FieldErrors } from './use-api-form';

type NewPasswordFieldsProps = { errors: FieldErrors; confirmLabel: string };

/** A new password and its repetition: `password` and `confirm`. */
export function NewPasswordFields({ errors, confirmLabel }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        name="password"
        label="New password"
        required
        minLength={minPasswordLength}
        autoComplete="new-password"
        hint={errors.password ? undefined : 'At least 8 characters.'}
        error={errors.password}
      />
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

/** The validation errors of both fields. */
export function newPasswordErrors(data: FormData): FieldErrors {
  const password = getFormText(data, 'password');
  return {
    ...(password.length < minPasswordLength && { password: 'Password must be at least 8 characters.' }),
    ...(password !== getFormText(data, 'confirm') && { confirm: 'Passwords do not match.' }),
  };
}
