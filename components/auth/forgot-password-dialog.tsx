'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { apiFetch } from '@/lib/browser/api-client';
import { EmailField } from './email-field';
import { LinkOpener } from './link-opener';

/** A link that opens the dialog for a forgotten password. */
export function ForgotPasswordDialog() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <LinkOpener href="/user/forgot" onOpen={() => setOpen(true)}>
        Forgot password?
      </LinkOpener>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Forgot password"
        description="We’ll email you a reset link."
        size="sm"
      >
        <ForgotForm />
      </Dialog>
    </>
  );
}

/** The message is the same for every result, so that it does not disclose accounts. */
function ForgotForm() {
  const [email, setEmail] = useState('');
  const [pending, setPending] = useState(false);
  const [sent, setSent] = useState(false);
  const send = async () => {
    setPending(true);
    await Promise.allSettled([apiFetch('/api/user/auth/forgot', { method: 'POST', body: { email: email.trim() } })]);
    setPending(false);
    setSent(true);
  };
  return (
    <form
      data-unmarked=""
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending && email.trim() !== '') void send();
      }}
    >
      <DialogBody className="grid gap-5">
        {sent ? (
          <Alert tone="success">If that email exists, a reset link has been sent. Please check your inbox.</Alert>
        ) : null}
        <EmailField
          autoComplete="username"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            setSent(false);
          }}
        />
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={pending}>{sent ? 'Close' : 'Cancel'}</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending} disabled={email.trim() === ''}>
          Send reset link
        </Button>
      </DialogFooter>
    </form>
  );
}
