import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { FieldError } from '@/components/ui/field';
import type { LegalKind } from '@/db/enums';
import { type LegalVersions, legalPaths } from '@/lib/settings/legal/legal';

type AgreementFieldProps = {
  /** The published documents, to which their names link. */
  legal: LegalVersions;
  error?: string;
};

/** The consent checkbox of the sign-in and of registrations. */
export function AgreementField({ legal, error }: AgreementFieldProps) {
  const errorId = useId();
  const link = (kind: LegalKind, name: string) =>
    legal[kind] === null ? (
      name
    ) : (
      // In a new tab, so that the form keeps its input.
      <a href={legalPaths[kind]} target="_blank" rel="noopener" className="rounded-sm text-accent-ink underline">
        {name}
      </a>
    );
  return (
    <div className="grid gap-1.5">
      <Checkbox
        name="agreement"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        label={
          <>
            I agree to the {link('terms', 'terms of service')} and the {link('privacy', 'privacy policy')}.
          </>
        }
      />
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </div>
  );
}
