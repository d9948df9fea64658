'use client';

import { useEffect, useRef } from 'react';
import { confirmTwoStepAction } from '@/lib/auth/security-actions';
import { TextField } from '../form/text-field';
import { textOf } from '../form/text-of';
import { useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { actionFailure } from './action-failure';
import { securityCall } from './security-call';

/** `secret` in base32; `qrCode` a data address of an SVG. */
export type Enrolment = { secret: string; qrCode: string };

type ConfirmTwoStepProps = {
  enrolment: Enrolment;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
};

/** The QR code, the same as text, and the proof that the app has it. */
export function ConfirmTwoStep({ enrolment, onDone, onCancel }: ConfirmTwoStepProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data): Record<string, string> => (textOf(data, 'code').trim() === '' ? { code: 'Enter the code.' } : {}),
    submit: (data) => securityCall(confirmTwoStepAction({ code: textOf(data, 'code') })),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    fallback: actionFailure,
  });
  return (
    <form {...formProps} data-unmarked="" className="grid gap-5 sm:grid-cols-[auto_1fr] sm:gap-6">
      <picture>
        <img
          src={enrolment.qrCode}
          alt="QR code for your authenticator app; the same key stands beside it as text"
          width={176}
          height={176}
          className="rounded-md border border-line bg-white"
        />
      </picture>
      <div className="grid min-w-0 content-start gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        <div className="text-sm">
          <p className="text-ink">Scan the code with your authenticator app, or type this key into it:</p>
          <code className="mt-2 block select-all break-all rounded-md bg-sunken px-3 py-2 font-mono text-ink text-xs">
            {enrolment.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </div>
        <TextField
          ref={field}
          name="code"
          label="Code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123456"
          maxLength={12}
          hint="The six digits the app shows now."
          error={fields.code}
          className="max-w-48"
        />
        <div className="flex gap-2">
          <Button type="submit" variant="primary" pending={pending}>
            Turn on
          </Button>
          <Button disabled={pending} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
  );
}
