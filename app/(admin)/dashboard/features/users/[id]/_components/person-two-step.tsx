import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button-link';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { RequestTwoStepReset } from './request-two-step-reset';

type PersonTwoStepProps = {
  userId: string;
  email: string;
  hasApp: boolean;
  passkeys: number;
  isPending: boolean;
  /** An Admin may request a reset for another person. */
  mayReset: boolean;
};

/** A person's second factors, and the request to reset lost ones. */
export function PersonTwoStep({ userId, email, hasApp, passkeys, isPending, mayReset }: PersonTwoStepProps) {
  const isOn = hasApp || passkeys > 0;
  return (
    <Card aria-labelledby="person-two-step-heading">
      <CardHeader
        title={<span id="person-two-step-heading">Two-step sign-in</span>}
        actions={isOn ? <Badge tone="green">On</Badge> : <Badge>Off</Badge>}
      />
      <CardBody className="grid gap-3 text-sm">
        <p className="text-muted">{isOn ? factors(hasApp, passkeys) : 'Sign-in needs the password alone.'}</p>
        {isPending ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-ink">A reset waits for the approval of a second admin.</p>
            <ButtonLink size="sm" href="/dashboard/features/approvals">
              Approvals
            </ButtonLink>
          </div>
        ) : isOn && mayReset ? (
          <div>
            <RequestTwoStepReset userId={userId} email={email} />
          </div>
        ) : null}
      </CardBody>
    </Card>
  );
}

function factors(hasApp: boolean, passkeys: number): string {
  const keys = passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`;
  if (!hasApp) return `${keys}.`;
  return passkeys > 0 ? `An authenticator app and ${keys}.` : 'An authenticator app.';
}
