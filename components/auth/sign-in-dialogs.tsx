'use client';

import { type ReactNode, useState } from 'react';
import { getFormText, TextField } from '@/components/form/fields';
import { NewPasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { minPasswordLength } from '@/lib/auth/portals';
import { apiFetch, readAction } from '@/lib/browser/api-client';
import type { ActionResult } from '@/lib/platform/http/action';
import type { AgreedVersions, LegalVersions } from '@/lib/settings/legal/legal';
import { AgreementField, accountCreated, EmailField, looksLikeEmail, registrationOf } from './account-fields';

type LinkOpenerProps = {
  /** The page with the same form, for a new tab and for browsers without JavaScript. */
  href?: string;
  onOpen: () => void;
  children: ReactNode;
};

const look = 'rounded-sm text-accent-ink underline';

/** Renders a link that opens a dialog. */
function LinkOpener({ href, onOpen, children }: LinkOpenerProps) {
  if (!href) {
    return (
      <button type="button" aria-haspopup="dialog" onClick={onOpen} className={look}>
        {children}
      </button>
    );
  }
  return (
    <a
      href={href}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
      className={look}
    >
      {children}
    </a>
  );
}

type CreateAccountDialogProps = {
  /** The text below the dialog's title. */
  description: string;
  legal: LegalVersions;
  /** Replaces the request to the REST API, e.g. with a portal's server action. */
  action?: (registration: Registration) => Promise<ActionResult<unknown>>;
};

const registerCustomer: SendRegistration = (body) => apiFetch('/api/user/auth/register', { method: 'POST', body });

/** Renders a link that opens the registration dialog. */
export function CreateAccountDialog({ description, legal, action }: CreateAccountDialogProps) {
  const [open, setOpen] = useState(false);
  const send: SendRegistration = action ? (registration) => readAction(action(registration)) : registerCustomer;
  return (
    <>
      <LinkOpener href={action ? undefined : '/register'} onOpen={() => setOpen(true)}>
        Create account
      </LinkOpener>
      <Dialog open={open} onOpenChange={setOpen} title="Create account" description={description}>
        <CreateAccountForm send={send} legal={legal} />
      </Dialog>
    </>
  );
}

type Registration = { name: string; email: string; password: string; agreedTo: AgreedVersions };

/** Sends a registration. @throws ApiError */
type SendRegistration = (registration: Registration) => Promise<unknown>;

/** Renders the form of the Create account dialog; it validates while the user types. */
function CreateAccountForm({ send, legal }: { send: SendRegistration; legal: LegalVersions }) {
  const [live, setLive] = useState<FieldErrors>({});
  const [created, setCreated] = useState(false);
  const { pending, error, fields, formProps } = useApiForm({
    validate: registrationMessages,
    submit: (data) => {
      setCreated(false);
      return send(registrationOf(data, legal));
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
        <NewPasswordField error={messages.password} />
        <AgreementField legal={legal} error={messages.agreement} />
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

/** Returns the validation errors of a registration, by field. */
function registrationMessages(data: FormData): FieldErrors {
  return {
    ...(!looksLikeEmail(getFormText(data, 'email')) && { email: 'Email format looks invalid.' }),
    ...(getFormText(data, 'password').length < minPasswordLength && {
      password: 'Password must be at least 8 characters.',
    }),
    ...(!data.has('agreement') && { agreement: 'You must agree to the terms to continue.' }),
  };
}

/** Gets the validation errors while the user types. Skips empty fields, so that an untouched form shows no errors. */
function liveRegistrationMessages(data: FormData): FieldErrors {
  const { email, password, agreement } = registrationMessages(data);
  const isTouched = ['name', 'email', 'password'].some((name) => getFormText(data, name) !== '');
  return {
    ...(email && getFormText(data, 'email') !== '' && { email }),
    ...(password && getFormText(data, 'password') !== '' && { password }),
    ...(agreement && isTouched && { agreement }),
  };
}

/** Renders a link that opens the dialog for a forgotten password. */
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

/** Requests a reset link. The message is the same for every result, so that it does not disclose accounts. */
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
