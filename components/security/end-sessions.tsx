'use client';

import { type FormEvent, useRef, useState } from 'react';
import { toast } from 'sonner';
import { validateEmail } from '@/components/auth/account-fields';
import { getFormText, TextField } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
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
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [complaint, setComplaint] = useState<string | undefined>();
  const [email, setEmail] = useState('');
  const [asking, setAsking] = useState(false);

  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const { email: message } = validateEmail(data, 'Enter the user’s email.');
    setComplaint(message);
    setEmail(getFormText(data, 'email').trim());
    if (message) field.current?.focus();
    else setAsking(true);
  };

  const end = async () => {
    const { email: found, ended } = await confirmedAction(() => endUserSessionsAction({ email }));
    form.current?.reset();
    toast.success(`${found} was signed out: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
  };

  return (
    <Card aria-labelledby="end-user-sessions-heading">
      <CardHeader
        title={<span id="end-user-sessions-heading">Sign out a user</span>}
        description="End all sessions of another account. The password doesn’t change."
      />
      <form ref={form} noValidate data-unmarked="" onSubmit={ask} onInput={() => setComplaint(undefined)}>
        <CardBody className="grid gap-5 sm:max-w-sm">
          <TextField
            ref={field}
            name="email"
            label="Account email"
            type="email"
            required
            autoComplete="off"
            placeholder="buyer@example.com"
            error={complaint}
          />
        </CardBody>
        <CardFooter>
          <Button type="submit">End all sessions</Button>
        </CardFooter>
      </form>
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
