import { useEffect, useRef } from 'react';
import { TextField } from '../form/text-field';

/** The second step of a sign-in; it takes the focus when it appears. */
export function SecondFactorField({ error }: { error?: string }) {
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
      hint="The six digits of your authenticator app, or one of your recovery codes."
      error={error}
    />
  );
}
