'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { getFormText, TextField } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { useOperation } from '@/components/form/use-operation';
import { Avatar } from '@/components/shell/avatar';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { minPasswordLength } from '@/lib/auth/portals';
import { apiFetch, callAction } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import { cancelEmailChangeAction, saveProfileAction } from '@/lib/users/actions';

type ProfileFormProps = { name: string; email: string; pendingEmail: string | null };

/** Edits the name, the email address and the password. The latter two require the current password. */
export function ProfileForm({ name, email, pendingEmail }: ProfileFormProps) {
  const router = useRouter();
  const [saved, setSaved] = useState<string | null>(null);
  const form = useApiForm({
    validate: (data) => {
      setSaved(null);
      return validate(data, email);
    },
    submit: (data) => {
      const sent = (field: string) => getFormText(data, field);
      return callAction(() =>
        saveProfileAction({
          name: sent('name'),
          email: sent('email'),
          current: sent('current'),
          password: sent('password'),
          confirm: sent('confirm'),
        }),
      );
    },
    onSuccess: ({ confirmEmail }, element) => {
      for (const field of ['current', 'password', 'confirm']) clear(element, field);
      if (confirmEmail) clear(element, 'email', email);
      setSaved(
        confirmEmail
          ? `Profile saved. Open the link we sent to ${confirmEmail} to confirm the new address.`
          : 'Profile saved.',
      );
      router.refresh();
    },
    fallback: (status) =>
      status === 0 ? 'Network error. Please try again.' : 'The profile couldn’t be saved. Please try again.',
  });
  const { fields } = form;
  return (
    <Card aria-labelledby="profile-heading">
      <CardHeader
        title={<span id="profile-heading">Profile</span>}
        description="Changing your email or password requires your current password."
      />
      <CardForm form={form} className="gap-5" submitLabel="Save changes" variant="primary">
        {saved ? <Alert tone="success">{saved}</Alert> : null}
        {pendingEmail ? <PendingEmail email={pendingEmail} /> : null}
        <TextField
          name="name"
          label="Name"
          required
          maxLength={120}
          autoComplete="name"
          defaultValue={name}
          error={fields.name}
        />
        <TextField
          // Remounts the field when a new address is confirmed, so that it shows the new value.
          key={email}
          name="email"
          label="Email"
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          defaultValue={email}
          hint="Your email changes once you confirm the new address."
          error={fields.email}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <PasswordField
            name="password"
            label="New password"
            minLength={minPasswordLength}
            autoComplete="new-password"
            hint={fields.password ? undefined : 'At least 8 characters. Changing it ends your other sessions.'}
            error={fields.password}
          />
          <PasswordField name="confirm" label="Confirm password" autoComplete="new-password" error={fields.confirm} />
        </div>
        <PasswordField
          name="current"
          label="Current password"
          autoComplete="current-password"
          className="sm:max-w-[calc(50%-0.625rem)]"
          error={fields.current}
        />
      </CardForm>
    </Card>
  );
}

function clear(form: HTMLFormElement, field: string, value = ''): void {
  const input = form.elements.namedItem(field);
  if (input instanceof HTMLInputElement) input.value = value;
}

function validate(data: FormData, email: string): FieldErrors {
  const found: FieldErrors = {};
  const [typed, password] = [getFormText(data, 'email').trim(), getFormText(data, 'password')];
  if (getFormText(data, 'name').trim() === '') found.name = 'Enter a name.';
  if (typed === '') found.email = 'Enter your email.';
  if (password !== '' && password.length < minPasswordLength) {
    found.password = 'Password must be at least 8 characters.';
  }
  if (password !== getFormText(data, 'confirm')) found.confirm = 'Passwords do not match.';
  const isSensitive = password !== '' || typed.toLowerCase() !== email.toLowerCase();
  if (isSensitive && getFormText(data, 'current') === '') found.current = 'Enter your current password.';
  return found;
}

/** Shows a new email address that awaits confirmation, with a button to cancel the change. */
function PendingEmail({ email }: { email: string }) {
  const { pending, run } = useOperation({ fallback: () => 'Network error. Please try again.', onError: toast.error });
  const cancel = () => run(() => callAction(() => cancelEmailChangeAction({})));
  return (
    <Alert
      tone="info"
      action={
        <Button size="sm" pending={pending} onClick={cancel}>
          Keep the old one
        </Button>
      }
    >
      {`${email} is waiting for confirmation. The link in the email works for 24 hours.`}
    </Alert>
  );
}

const address = '/api/profile/avatar';
/** Matches the server's limit. Checked in the browser to reject large files before the upload. */
const maxBytes = 1_000_000;

/** Uploads or removes the profile picture. Changes apply immediately. */
export function PictureCard({ name, avatar }: { name: string; avatar: string | null }) {
  const input = useRef<HTMLInputElement>(null);
  const [doing, setDoing] = useState<'upload' | 'remove'>('upload');
  const { pending, error, setError, run } = useOperation({
    fallback: () => 'The picture couldn’t be saved. Please try again.',
  });

  const change = (what: 'upload' | 'remove', work: () => Promise<unknown>, done: string) => {
    setDoing(what);
    return run(async () => {
      await work();
      toast.success(done);
    });
  };

  const choose = (file: File | undefined) => {
    if (input.current) input.current.value = '';
    if (!file) return;
    if (file.size > maxBytes) setError('The picture is larger than 1 MB. Choose a smaller one.');
    else void change('upload', () => sendFile(address, file), 'Picture saved.');
  };

  return (
    <Card aria-labelledby="picture-heading">
      <CardHeader
        title={<span id="picture-heading">Picture</span>}
        description="PNG, JPEG or WebP, up to 1 MB. Cropped to a square."
      />
      <CardBody className="grid gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        <div className="flex flex-wrap items-center gap-4">
          <Avatar name={name} picture={avatar} className="size-16 text-xl" />
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-label="Picture file"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => choose(event.target.files?.[0])}
          />
          <div className="flex flex-wrap gap-2">
            <Button pending={pending && doing === 'upload'} disabled={pending} onClick={() => input.current?.click()}>
              {avatar ? 'Change picture' : 'Upload picture'}
            </Button>
            {avatar ? (
              <Button
                variant="ghost"
                pending={pending && doing === 'remove'}
                disabled={pending}
                onClick={() => void change('remove', () => apiFetch(address, { method: 'DELETE' }), 'Picture removed.')}
              >
                Remove
              </Button>
            ) : null}
          </div>
        </div>
      </CardBody>
    </Card>
  );
}
