'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { setApprovalLimitAction } from '@/app/(admin)/dashboard/features/approvals/actions';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { callAction } from '@/lib/browser/call-action';

/**
 * Edits the amount that one user can credit or refund without approval.
 * @param limit in major units of USD
 */
export function LimitForm({ limit, version }: { limit: string; version: number }) {
  const router = useRouter();
  const { pending, error, fields, formProps } = useApiForm({
    submit: (data) => callAction(() => setApprovalLimitAction({ limit: getFormText(data, 'limit'), version })),
    onSuccess: ({ isPending }) => {
      if (isPending) toast.info('A second person must approve a higher limit.');
      else toast.success('Saved');
      router.refresh();
    },
    fallback: () => 'The limit could not be saved. Please try again.',
  });
  return (
    <Card className="mt-6 max-w-xl" aria-labelledby="limit-heading">
      <CardHeader
        title={<span id="limit-heading">Limit per person</span>}
        description="The amount one person can credit manually, or refund to one buyer by a refund or the decision of a dispute, in 24 hours without a second person. Raising the limit requires approval."
      />
      <form {...formProps}>
        <CardBody className="grid gap-4">
          {error ? <Alert tone="error">{error}</Alert> : null}
          <TextField
            name="limit"
            label="Limit in USD"
            required
            inputMode="decimal"
            autoComplete="off"
            defaultValue={limit}
            error={fields.limit}
          />
        </CardBody>
        <CardFooter>
          <Button type="submit" pending={pending}>
            Save limit
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
