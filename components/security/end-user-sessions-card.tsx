'use client';

import { endUserSessionsAction } from '@/lib/auth/security-actions';
import { callAction } from '@/lib/http/call-action';
import { TextField } from '../form/text-field';
import { textOf } from '../form/text-of';
import { useApiForm } from '../form/use-api-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '../ui/card';
import { toast } from '../ui/toast';
import { actionFailure } from './action-failure';

/** For staff who manage users: signs somebody else out everywhere, e.g. after a stolen laptop. */
export function EndUserSessionsCard() {
  const { pending, error, fields, formProps } = useApiForm({
    submit: (data) => callAction(endUserSessionsAction({ email: textOf(data, 'email') })),
    onSuccess: ({ email, ended }, form) => {
      form.reset();
      toast.success(`${email} was signed out: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
    },
    fallback: actionFailure,
  });
  return (
    <Card aria-labelledby="end-user-sessions-heading">
      <CardHeader
        title={<span id="end-user-sessions-heading">Sign somebody out</span>}
        description="Ends every session of another account. Their password stays as it is."
      />
      <form {...formProps}>
        <CardBody className="grid gap-5 sm:max-w-sm">
          {error ? <Alert tone="error">{error}</Alert> : null}
          <TextField
            name="email"
            label="Email of the account"
            type="email"
            required
            autoComplete="off"
            error={fields.email}
          />
        </CardBody>
        <CardFooter>
          <Button type="submit" variant="danger" pending={pending}>
            End all their sessions
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
