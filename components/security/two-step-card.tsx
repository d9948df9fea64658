'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import {
  beginTwoStepAction,
  confirmTwoStepAction,
  renewRecoveryCodesAction,
  turnOffTwoStepAction,
} from '@/lib/auth/security-actions';
import { PasswordStep, StepButtons } from './password-card';
import { RecoveryCodes } from './recovery-codes';
import { actionFailure, securityCall } from './security-call';

type TwoStepCardProps = { email: string; hasPasskeys: boolean; enabledAt: string | null; recoveryCodesLeft: number };

/** Renders two-step sign-in: set-up, recovery codes (shown once), new recovery codes, and disabling it. */
export function TwoStepCard({ email, hasPasskeys, enabledAt, recoveryCodesLeft }: TwoStepCardProps) {
  const [shown, setShown] = useState<{ codes: string[]; title: string } | null>(null);
  const router = useRouter();
  const [isRefreshing, refresh] = useTransition();
  const [isSaved, setSaved] = useState(false);
  // The codes stay until the page has refreshed; otherwise the set-up would appear again.
  if (shown && isSaved && !isRefreshing) {
    setShown(null);
    setSaved(false);
  }
  const show = (title: string) => (codes: string[]) => {
    setShown({ codes, title });
    refresh(() => router.refresh());
  };
  const isOn = enabledAt !== null || hasPasskeys || shown !== null;
  return (
    <Card aria-labelledby="two-step-heading">
      <CardHeader
        title={<span id="two-step-heading">Two-step sign-in</span>}
        description="In addition to your password, use a passkey or a code from an authenticator app."
        actions={isOn ? <Badge tone="green">On</Badge> : <Badge>Off</Badge>}
      />
      <CardBody>
        {shown ? (
          <RecoveryCodes {...shown} pending={isSaved} onDone={() => setSaved(true)} />
        ) : (
          <div className="grid gap-4">
            {enabledAt || hasPasskeys ? (
              <TwoStepOn
                email={email}
                enabledAt={enabledAt}
                recoveryCodesLeft={recoveryCodesLeft}
                onRenewed={show('These codes replace all earlier ones.')}
              />
            ) : null}
            {enabledAt ? null : (
              <div>
                <TwoStepSetUp email={email} onDone={show('Two-step sign-in is on. Save these recovery codes.')} />
              </div>
            )}
          </div>
        )}
      </CardBody>
    </Card>
  );
}

/** At this number of remaining codes or fewer, the user is reminded to create new ones. */
const fewCodes = 3;

type TwoStepOnProps = {
  email: string;
  /** When the authenticator app was set up; null where passkeys are the second step. */
  enabledAt: string | null;
  recoveryCodesLeft: number;
  onRenewed: (recoveryCodes: string[]) => void;
};

/** Renders the card while two-step sign-in is on: the number of codes left, new codes, and disabling it. */
function TwoStepOn({ email, enabledAt, recoveryCodesLeft, onRenewed }: TwoStepOnProps) {
  const router = useRouter();
  const [step, setStep] = useState<'closed' | 'renew' | 'turn-off'>('closed');
  const close = () => setStep('closed');
  if (step === 'renew') {
    return (
      <PasswordStep
        key={step}
        email={email}
        hint="Your existing codes stop working when new ones are created."
        submitLabel="Create new codes"
        action={renewRecoveryCodesAction}
        onDone={({ recoveryCodes }) => onRenewed(recoveryCodes)}
        onCancel={close}
      />
    );
  }
  if (step === 'turn-off') {
    return (
      <PasswordStep
        key={step}
        email={email}
        hint="You won’t need codes from the app anymore. Your passkeys stay."
        submitLabel="Turn off"
        variant="danger"
        action={turnOffTwoStepAction}
        onDone={() => {
          toast.success('Two-step sign-in is off.');
          router.refresh();
        }}
        onCancel={close}
      />
    );
  }
  return (
    <div className="grid gap-4">
      {recoveryCodesLeft < fewCodes ? (
        <Alert tone="warning">{codesLeft(recoveryCodesLeft)} Create new ones while you can sign in.</Alert>
      ) : null}
      <p className="text-muted text-sm">
        {enabledAt ? (
          <>
            On since <TimeAgo at={enabledAt} />.
          </>
        ) : (
          'Your passkeys are your second step.'
        )}{' '}
        {recoveryCodesLeft < fewCodes ? null : codesLeft(recoveryCodesLeft)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setStep('renew')}>New recovery codes</Button>
        {enabledAt ? <Button onClick={() => setStep('turn-off')}>Turn off</Button> : null}
      </div>
    </div>
  );
}

function codesLeft(count: number): string {
  if (count === 0) return 'All recovery codes are used.';
  return count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`;
}

type TwoStepSetUpProps = { email: string; onDone: (recoveryCodes: string[]) => void };

/** Renders the set-up in three steps: the password, the QR code, and the first code of the app. */
function TwoStepSetUp({ email, onDone }: TwoStepSetUpProps) {
  const [step, setStep] = useState<'closed' | 'password' | Enrolment>('closed');
  const close = () => setStep('closed');
  if (step === 'closed') return <Button onClick={() => setStep('password')}>Set up two-step sign-in</Button>;
  if (step === 'password') {
    return (
      <PasswordStep
        email={email}
        hint="Confirm that it’s you."
        submitLabel="Continue"
        action={beginTwoStepAction}
        onDone={setStep}
        onCancel={close}
      />
    );
  }
  return <ConfirmTwoStep enrolment={step} onDone={onDone} onCancel={close} />;
}

/** `secret` in base32; `qrCode` is an SVG as a data URL. */
type Enrolment = { secret: string; qrCode: string };

type ConfirmTwoStepProps = {
  enrolment: Enrolment;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
};

/** Renders the QR code, its secret as text, and a field for the first code of the app. */
function ConfirmTwoStep({ enrolment, onDone, onCancel }: ConfirmTwoStepProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const form = useApiForm({
    validate: (data): Record<string, string> =>
      getFormText(data, 'code').trim() === '' ? { code: 'Enter the code.' } : {},
    submit: (data) => securityCall(() => confirmTwoStepAction({ code: getFormText(data, 'code') })),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    fallback: actionFailure,
  });
  return (
    <form {...form.formProps} data-unmarked="" className="grid gap-5 sm:grid-cols-[auto_1fr] sm:gap-6">
      <picture>
        <img
          src={enrolment.qrCode}
          alt="QR code for your authenticator app. The same key is shown next to it as text."
          width={176}
          height={176}
          className="rounded-md border border-line bg-white"
        />
      </picture>
      <div className="grid min-w-0 content-start gap-4">
        {form.error ? <Alert tone="error">{form.error}</Alert> : null}
        <div className="text-sm">
          <p className="text-ink">Scan the code with your authenticator app, or enter this key:</p>
          <code className="mt-2 block select-all break-all rounded-md bg-sunken px-3 py-2 font-mono text-ink text-xs">
            {enrolment.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </div>
        <TextField
          ref={field}
          name="code"
          label="Code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123456"
          maxLength={12}
          hint="The 6-digit code shown in the app."
          error={form.fields.code}
          className="max-w-48"
        />
        <StepButtons form={form} submitLabel="Turn on" onCancel={onCancel} />
      </div>
    </form>
  );
}
