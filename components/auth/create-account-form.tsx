'use client';

import { useState } from 'react';
import { PasswordField } from '../form/password-field';
import { TextField } from '../form/text-field';
import { textOf } from '../form/text-of';
import { type FieldErrors, useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { DialogBody, DialogClose, DialogFooter } from '../ui/dialog';
import { accountCreated } from './account-created';
import { AgreementField } from './agreement-field';
import { EmailField } from './email-field';
import { liveRegistrationMessages, registrationMessages } from './registration-messages';

export type Registration = { name: string; email: string; password: string };

/** Sends a registration; throws ApiError. */
export type SendRegistration = (registration: Registration) => Promise<unknown>;

/** The form of the Create account dialog, with its messages while typing (spec 000, section 5). */
export function CreateAccountForm({ send }: { send: SendRegistration }) {
  const [live, setLive] = useState<FieldErrors>({});
  const [created, setCreated] = useState(false);
  const { pending, error, fields, formProps } = useApiForm({
    validate: registrationMessages,
    submit: (data) => {
      setCreated(false);
      return send({
        name: textOf(data, 'name').trim(),
        email: textOf(data, 'email').trim(),
        password: textOf(data, 'password'),
      });
    },
    onSuccess: (_, form) => {
      form.reset();
      setLive({});
      setCreated(true);
    },
    fallback: () => 'Registration failed',
  });
  const messages: FieldErrors = { ...fields, ...live };
  const hasMessage = ['name', 'email', 'password', 'agreement'].some((name) => messages[name]);
  return (
    <form
      {...formProps}
      data-unmarked=""
      onInput={(event) => {
        formProps.onInput(event);
        setLive(liveRegistrationMessages(new FormData(event.currentTarget)));
        setCreated(false);
      }}
      className="contents"
    >
      <DialogBody className="grid gap-5">
        {created ? <Alert tone="success">{accountCreated}</Alert> : null}
        {error ? <Alert tone="error">{error}</Alert> : null}
        <TextField
          name="name"
          label="Name"
          maxLength={120}
          autoComplete="name"
          error={messages.name}
          aside={<span className="text-muted text-xs">Optional</span>}
        />
        <EmailField autoComplete="email" error={messages.email} />
        <PasswordField
          name="password"
          label="Password"
          required
          autoComplete="new-password"
          error={messages.password}
          hint={messages.password ? undefined : 'At least 8 characters.'}
        />
        <AgreementField error={messages.agreement} />
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={pending}>{created ? 'Close' : 'Cancel'}</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending} disabled={hasMessage}>
          Create account
        </Button>
      </DialogFooter>
    </form>
  );
}
