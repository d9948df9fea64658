'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { Card, CardHeader } from '@/components/ui/card';
import { Switch } from '@/components/ui/switch';
import { setMailPreferenceAction, setWeeklyMailAction } from '@/lib/auth/security-actions';
import { ApiError } from '@/lib/browser/api-client';
import type { MailPreference } from '@/lib/mail/preferences';
import { actionFailure, securityCall } from './security-call';

type MailsCardProps = {
  choices: MailPreference[];
  /** Whether news that can wait come once a week, and what they are about. */
  weekly: { isOn: boolean; labels: string[] };
};

/** Renders the email preferences: one switch per kind of mail and one for the weekly mail, saved at once. */
export function MailsCard({ choices, weekly }: MailsCardProps) {
  return (
    <Card aria-labelledby="mails">
      <CardHeader
        title={
          <span id="mails" className="scroll-mt-20">
            Emails
          </span>
        }
        description="Choose the emails you receive. Emails you request, such as a password reset, are always sent. Several of a kind within an hour come as one."
      />
      <ul className="divide-y divide-line">
        {weekly.labels.length > 0 ? (
          <Line
            isOn={weekly.isOn}
            label="One email a week"
            hint={`On Mondays, in place of single emails about: ${weekly.labels.join(', ')}. All others still come at once.`}
            save={(on) => setWeeklyMailAction({ on })}
          />
        ) : null}
        {choices.map(({ kind, ...choice }) => (
          <Line key={kind} {...choice} save={(on) => setMailPreferenceAction({ kind, on })} />
        ))}
      </ul>
    </Card>
  );
}

type LineProps = Pick<MailPreference, 'label' | 'hint' | 'isOn'> & {
  save: (on: boolean) => ReturnType<typeof setWeeklyMailAction>;
};

function Line({ label, hint, isOn, save }: LineProps) {
  const [checked, setChecked] = useState(isOn);
  const [pending, setPending] = useState(false);

  const change = async (on: boolean) => {
    if (pending) return;
    setPending(true);
    try {
      await securityCall(() => save(on));
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
