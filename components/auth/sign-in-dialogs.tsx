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
import { AgreementField, agreementErrors, EmailField, looksLikeEmail, registrationOf } from './account-fields';
import { CheckInbox } from './check-inbox';

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
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send: SendRegistration = action ? (registration) => readAction(action(registration)) : registerCustomer;
  return (
    <>
      <LinkOpener href={action ? undefined : '/register'} onOpen={() => setOpen(true)}>
        Create account
      </LinkOpener>
      <Dialog
        open={open}
        onOpenChange={(isOpen) => {
          setOpen(isOpen);
          setSentTo(null);
        }}
        title={sentTo === null ? 'Create account' : 'Check your inbox'}
        description={sentTo === null ? description : undefined}
      >
        {sentTo === null ? (
          <CreateAccountForm send={send} legal={legal} onCreated={setSentTo} />
        ) : (
          <>
            <DialogBody>
              <CheckInbox email={sentTo} onRestart={() => setSentTo(null)} />
            </DialogBody>
            <DialogFooter>
              <DialogClose>
                <Button>Close</Button>
              </DialogClose>
            </DialogFooter>
          </>
        )}
      </Dialog>
    </>
  );
}

type Registration = { name: string; email: string; password: string; agreedTo: AgreedVersions };

/** Sends a registration. @throws ApiError */
type SendRegistration = (registration: Registration) => Promise<unknown>;

type CreateAccountFormProps = {
  send: SendRegistration;
  legal: LegalVersions;
  /** Called with the address to which the mail goes. */
  onCreated: (email: string) => void;
};

/** Renders the form of the Create account dialog; it validates while the user types. */
function CreateAccountForm({ send, legal, onCreated }: CreateAccountFormProps) {
  const [live, setLive] = useState<FieldErrors>({});
  const { pending, error, fields, formProps } = useApiForm({
    validate: (data) => registrationMessages(data, legal),
    submit: async (data) => {
      const registration = registrationOf(data, legal);
      await send(registration);
      return registration.email;
    },
    onSuccess: onCreated,
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
        setLive(liveRegistrationMessages(new FormData(event.currentTarget), legal));
      }}
      className="contents"
    >
      <DialogBody className="grid gap-5">
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
          <Button disabled={pending}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending} disabled={hasMessage}>
          Create account
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Returns the validation errors of a registration, by field. */
function registrationMessages(data: FormData, legal: LegalVersions): FieldErrors {
  return {
    ...(!looksLikeEmail(getFormText(data, 'email')) && { email: 'Email format looks invalid.' }),
    ...(getFormText(data, 'password').length < minPasswordLength && {
      password: 'Password must be at least 8 characters.',
    }),
    ...agreementErrors(data, legal),
  };
}

/** Gets the validation errors while the user types. Skips empty fields, so that an untouched form shows no errors. */
function liveRegistrationMessages(data: FormData, legal: LegalVersions): FieldErrors {
  const { email, password, agreement } = registrationMessages(data, legal);
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
