'use client';

import { useState } from 'react';
import type { ActionAnswer } from '@/lib/http/action';
import { callAction } from '@/lib/http/call-action';
import { apiFetch } from '@/lib/http/client';
import { Dialog } from '../ui/dialog';
import { CreateAccountForm, type Registration, type SendRegistration } from './create-account-form';
import { LinkOpener } from './link-opener';

type CreateAccountDialogProps = {
  /** Under the dialog's title. */
  description: string;
  /** Registers elsewhere than at the customers' address of the contract. */
  action?: (registration: Registration) => Promise<ActionAnswer<unknown>>;
};

const registerCustomer: SendRegistration = (body) => apiFetch('/api/user/auth/register', { method: 'POST', body });

/** The link to, and the dialog of, a new account. */
export function CreateAccountDialog({ description, action }: CreateAccountDialogProps) {
  const [open, setOpen] = useState(false);
  const send: SendRegistration = action ? (registration) => callAction(action(registration)) : registerCustomer;
  return (
    <>
      <LinkOpener href={action ? undefined : '/register'} onOpen={() => setOpen(true)}>
        Create account
      </LinkOpener>
      <Dialog open={open} onOpenChange={setOpen} title="Create account" description={description}>
        <CreateAccountForm send={send} />
      </Dialog>
    </>
  );
}
