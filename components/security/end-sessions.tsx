'use client';

import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { validateEmail } from '@/components/auth/account-fields';
import { CardForm } from '@/components/form/card-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { endOtherSessionsAction, endSessionAction, endUserSessionsAction } from '@/lib/auth/security-actions';
import { confirmedAction } from './security-call';

/** Signs out one session after a confirmation. */
export function EndSession({ sessionId, device }: { sessionId: string; device: string }) {
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" aria-label={`End session: ${device}`}>
          End
        </Button>
      }
      title={`End the session of ${device}?`}
      description="The device is signed out at its next request and must sign in again."
      confirmLabel="End session"
      action={() => confirmedAction(() => endSessionAction({ sessionId }))}
      done="Session ended."
    />
  );
}

/** Signs out all other sessions after a confirmation. */
export function EndOtherSessions({ count }: { count: number }) {
  return (
    <ConfirmAction
      trigger={<Button size="sm">End all other sessions</Button>}
      title={count === 1 ? 'End the other session?' : `End the ${count} other sessions?`}
      description="You stay signed in here and are signed out everywhere else."
      confirmLabel="End all other sessions"
      action={() => confirmedAction(() => endOtherSessionsAction({}))}
      done={({ ended }) => (ended === 1 ? 'One session ended.' : `${ended} sessions ended.`)}
    />
  );
}

/** Ends all sessions of another user after a confirmation, e.g. after a stolen laptop. For staff who manage users. */
export function EndUserSessionsCard() {
  const element = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [asking, setAsking] = useState(false);
  const form = useApiForm({
    validate: (data) => validateEmail(data, 'Enter the user’s email.'),
    submit: async (data) => setEmail(getFormText(data, 'email').trim()),
    onSuccess: () => setAsking(true),
  });

  const end = async () => {
    const { email: found, ended } = await confirmedAction(() => endUserSessionsAction({ email }));
    element.current?.reset();
    toast.success(`${found} was signed out: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
  };

  return (
    <Card aria-labelledby="end-user-sessions-heading">
      <CardHeader
        title={<span id="end-user-sessions-heading">Sign out a user</span>}
        description="End all sessions of another account. The password doesn’t change."
      />
      <CardForm ref={element} form={form} data-unmarked="" className="gap-5 sm:max-w-sm" submitLabel="End all sessions">
        <TextField
          name="email"
          label="Account email"
          type="email"
          required
          autoComplete="off"
          placeholder="buyer@example.com"
          error={form.fields.email}
        />
      </CardForm>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Sign ${email} out everywhere?`}
        description="Every browser and app is signed out of the account at its next request and must sign in again."
        confirmLabel="End all sessions"
        onConfirm={end}
      />
    </Card>
  );
}
