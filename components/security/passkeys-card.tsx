'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { createPasskey } from '@/components/auth/passkey';
import { getFormText, TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import { addPasskeyAction, beginPasskeyAction, removePasskeyAction } from '@/lib/auth/passkey-actions';
import { CurrentPasswordField, PasswordStep, passwordErrors, StepForm } from './password-card';
import { RecoveryCodes } from './recovery-codes';
import { actionFailure, securityCall } from './security-call';

type ListedPasskey = { id: string; name: string; createdAt: string; lastUsedAt: string | null };

type PasskeysCardProps = { email: string; passkeys: ListedPasskey[] };
type Step = { name: 'closed' } | { name: 'add' } | { name: 'remove'; passkey: ListedPasskey };

/** Adds and removes the user's passkeys. Adding the first one shows recovery codes once. */
export function PasskeysCard({ email, passkeys }: PasskeysCardProps) {
  const router = useRouter();
  const [step, setStep] = useState<Step>({ name: 'closed' });
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isRefreshing, refresh] = useTransition();
  const close = () => setStep({ name: 'closed' });
  const done = (text: string) => {
    toast.success(text);
    close();
    refresh(() => router.refresh());
  };
  return (
    <Card aria-labelledby="passkeys-heading">
      <CardHeader
        title={<span id="passkeys-heading">Passkeys</span>}
        description="Sign in with your fingerprint, face, PIN or a security key. A passkey also works as the second step after your password."
      />
      {passkeys.length > 0 ? (
        <ul aria-label="Passkeys" className="divide-y divide-line border-line border-b">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setStep({ name: 'remove', passkey })} />
          ))}
        </ul>
      ) : null}
      <CardBody>
        {codes ? (
          <RecoveryCodes
            codes={codes}
            title="Passkey added. Save these recovery codes."
            pending={isRefreshing}
            onDone={() => setCodes(null)}
          />
        ) : step.name === 'add' ? (
          <AddPasskey
            email={email}
            onDone={(recoveryCodes) => {
              setCodes(recoveryCodes);
              done('Passkey added.');
            }}
            onCancel={close}
          />
        ) : step.name === 'remove' ? (
          <PasswordStep
            key={step.passkey.id}
            email={email}
            hint={`You can no longer sign in with “${step.passkey.name}”. Delete it on the device as well.`}
            submitLabel="Remove passkey"
            variant="danger"
            action={({ password }) => removePasskeyAction({ passkeyId: step.passkey.id, password })}
            onDone={() => done('Passkey removed.')}
            onCancel={close}
          />
        ) : (
          <Button onClick={() => setStep({ name: 'add' })}>Add a passkey</Button>
        )}
      </CardBody>
    </Card>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: ListedPasskey; onRemove: () => void }) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere line-clamp-2 font-medium text-ink text-sm">{name}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs">
          <span>
            Added <TimeAgo at={createdAt} />
          </span>
          <span>
            {lastUsedAt ? (
              <>
                Last used <TimeAgo at={lastUsedAt} />
              </>
            ) : (
              'Never used'
            )}
          </span>
        </p>
      </div>
      <Button size="sm" aria-label={`Remove passkey: ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

type AddPasskeyProps = { email: string; onDone: (recoveryCodes: string[] | null) => void; onCancel: () => void };

/** Asks for a name and the password, then opens the browser's prompt. */
function AddPasskey({ email, onDone, onCancel }: AddPasskeyProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const form = useApiForm({
    validate,
    submit: async (data) => {
      const optionsJSON = await securityCall(() => beginPasskeyAction({ password: getFormText(data, 'password') }));
      const response = await createPasskey(optionsJSON);
      return securityCall(() => addPasskeyAction({ name: getFormText(data, 'name'), response }));
    },
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    fallback: actionFailure,
  });
  return (
    <StepForm form={form} submitLabel="Continue" onCancel={onCancel}>
      <TextField
        ref={field}
        name="name"
        label="Passkey name"
        required
        maxLength={60}
        autoComplete="off"
        placeholder="Work laptop"
        error={form.fields.name}
      />
      <CurrentPasswordField email={email} hint="Your browser asks for the passkey next." error={form.fields.password} />
    </StepForm>
  );
}

function validate(data: FormData): FieldErrors {
  return {
    ...(getFormText(data, 'name').trim() === '' && { name: 'Enter a name.' }),
    ...passwordErrors(data),
  };
}
