'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { saveStaffSessionRulesAction } from '@/app/(admin)/dashboard/features/sign-in/actions';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { callAction } from '@/lib/browser/call-action';

type StaffSessionsFormProps = {
  rules: { idleMinutes: number; maxHours: number };
  version: number;
  /** Only an Admin can lengthen sessions. */
  isAdmin: boolean;
};

/** Edits the session lifetime of users with the permission AdminDashboard. */
export function StaffSessionsForm({ rules, version, isAdmin }: StaffSessionsFormProps) {
  const router = useRouter();
  const { pending, error, fields, formProps } = useApiForm({
    submit: (data) =>
      callAction(() =>
        saveStaffSessionRulesAction({
          idleMinutes: getFormText(data, 'idleMinutes'),
          maxHours: getFormText(data, 'maxHours'),
          version,
        }),
      ),
    onSuccess: () => {
      toast.success('Saved');
      router.refresh();
    },
    fallback: () => 'The rules couldn’t be saved. Please try again.',
  });
  return (
    <Card aria-labelledby="staff-sessions-heading">
      <CardHeader
        title={<span id="staff-sessions-heading">Staff sessions</span>}
        description="When users with AdminDashboard must sign in again. Changes also apply to current sessions."
      />
      <form {...formProps} data-unmarked="">
        <CardBody className="grid gap-5">
          {error ? <Alert tone="error">{error}</Alert> : null}
          <TextField
            name="idleMinutes"
            label="Idle timeout in minutes"
            required
            inputMode="numeric"
            autoComplete="off"
            defaultValue={String(rules.idleMinutes)}
            error={fields.idleMinutes}
            hint="5 to 240"
            className="max-w-60"
          />
          <TextField
            name="maxHours"
            label="Maximum length in hours"
            required
            inputMode="numeric"
            autoComplete="off"
            defaultValue={rules.maxHours}
            error={fields.maxHours}
            hint="1 to 12"
            className="max-w-60"
          />
          {isAdmin ? null : (
            <p className="text-muted text-sm">You can shorten sessions. Only an Admin can extend them.</p>
          )}
        </CardBody>
        <CardFooter>
          <Button type="submit" pending={pending}>
            Save sessions
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
