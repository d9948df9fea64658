import { useId } from 'react';
import { Checkbox } from '../ui/checkbox';
import { FieldError } from '../ui/field';

/** The consent checkbox of the customer and admin sign-in. */
export function AgreementField({ error }: { error?: string }) {
  const errorId = useId();
  return (
    <div className="grid gap-1.5">
      <Checkbox
        name="agreement"
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        label="I agree to the terms of service and the privacy policy."
      />
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </div>
  );
}
