import { type ComponentProps, Fragment, useEffect, useId, useRef } from 'react';
import { getFormText, TextField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { Checkbox } from '@/components/ui/controls';
import { FieldError } from '@/components/ui/field';
import {
  agreementMissing,
  type LegalVersions,
  legalPaths,
  legalTitles,
  listPublished,
  toAgreedVersions,
} from '@/lib/settings/legal/legal';

/**
 * The confirmation of a registration. It is the same for a new and a known address, so that it does not disclose
 * accounts.
 */
export const accountCreated = 'Account created! Please check your email to verify your account before logging in.';

/** Checks the format coarsely, for feedback while the user types; the server validates the address. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

/**
 * Returns the validation errors of a form whose only field is "email", by field.
 * @param missing the error for an empty field
 */
export function validateEmail(data: FormData, missing = 'Enter your email.'): FieldErrors {
  const email = getFormText(data, 'email').trim();
  if (email === '') return { email: missing };
  return looksLikeEmail(email) ? {} : { email: 'Email format looks invalid.' };
}

type EmailFieldProps = Pick<ComponentProps<typeof TextField>, 'error' | 'value' | 'onChange'> & {
  /** `username` for an existing account: password managers fill it with the stored user name. */
  autoComplete: 'email' | 'username';
};

/** Renders the email field of the sign-in and account forms. */
export function EmailField(props: EmailFieldProps) {
  return <TextField name="email" type="email" label="Email" required placeholder="you@example.com" {...props} />;
}

type AgreementFieldProps = {
  /** The published documents, to which their names link. */
  legal: LegalVersions;
  error?: string;
};

/** Renders the consent checkbox, which names the published documents. Renders nothing while none is published. */
export function AgreementField({ legal, error }: AgreementFieldProps) {
  const errorId = useId();
  const kinds = listPublished(legal);
  if (kinds.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <Checkbox
        name="agreement"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        label={
          <>
            I agree to the{' '}
            {kinds.map((kind, index) => (
              <Fragment key={kind}>
                {index > 0 ? ' and the ' : null}
                {/* In a new tab, so that the form keeps its input. */}
                <a
                  href={legalPaths[kind]}
                  target="_blank"
                  rel="noopener"
                  className="rounded-sm text-accent-ink underline"
                >
                  {legalTitles[kind].toLowerCase()}
                </a>
              </Fragment>
            ))}
            .
          </>
        }
      />
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </div>
  );
}

/** Returns the error of an agreement that is asked for and not given. */
export const agreementErrors = (data: FormData, legal: LegalVersions): FieldErrors =>
  listPublished(legal).length > 0 && !data.has('agreement') ? { agreement: agreementMissing } : {};

/** Renders the field for the code of two-step sign-in. It receives the focus when it appears. */
export function SecondFactorField({ hint, error }: { hint?: string; error: string | undefined }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <TextField
      ref={field}
      name="code"
      label="Authentication code"
      required
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      hint={hint}
      error={error}
    />
  );
}

/** Returns the request of a registration form. */
export const registrationOf = (data: FormData, legal: LegalVersions) => ({
  name: getFormText(data, 'name').trim(),
  email: getFormText(data, 'email').trim(),
  password: getFormText(data, 'password'),
  agreedTo: toAgreedVersions(legal),
});
