'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { Card, CardHeader } from '@/components/ui/card';
import { Switch } from '@/components/ui/switch';
import { setMailPreferenceAction } from '@/lib/auth/security-actions';
import { ApiError } from '@/lib/browser/api-client';
import type { MailPreference } from '@/lib/mail/preferences';
import { actionFailure, securityCall } from './security-call';

/** Renders the email preferences: one switch per kind of mail, saved at once. */
export function MailsCard({ choices }: { choices: MailPreference[] }) {
  return (
    <Card aria-labelledby="mails">
      <CardHeader
        title={
          <span id="mails" className="scroll-mt-20">
            Emails
          </span>
        }
        description="Choose the emails you receive. Emails you request, such as a password reset, are always sent."
      />
      <ul className="divide-y divide-line">
        {choices.map((choice) => (
          <Line key={choice.kind} choice={choice} />
        ))}
      </ul>
    </Card>
  );
}

function Line({ choice: { kind, label, hint, isOn } }: { choice: MailPreference }) {
  const [checked, setChecked] = useState(isOn);
  const [pending, setPending] = useState(false);

  const change = async (on: boolean) => {
    if (pending) return;
    setPending(true);
    try {
      await securityCall(() => setMailPreferenceAction({ kind, on }));
      setChecked(on);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || actionFailure(cause.status));
    } finally {
      setPending(false);
    }
  };

  return (
    <li aria-busy={pending || undefined} className="px-4 py-3 sm:px-5">
      <Switch
        checked={checked}
        onCheckedChange={(on) => void change(on)}
        className="w-full"
        label={
          <>
            <span className="block font-medium text-ink">{label}</span>
            <span className="block text-muted text-xs">{hint}</span>
          </>
        }
      />
    </li>
  );
}
