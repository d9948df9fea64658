'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { BackgroundProgress } from '@/components/form/background-progress';
import { CardForm } from '@/components/form/card-form';
import { getFormText, TextareaField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/controls';
import { getVerificationProgressAction, setAuditHeadAction, verifyAuditLogAction } from '@/lib/audit/actions';
import { ApiError, callAction } from '@/lib/browser/api-client';

/**
 * Runs a verification of the audit log.
 * @param progress the progress of the verification of all entries in percent; null without one
 */
export function VerifyButtons({ progress }: { progress: number | null }) {
  const router = useRouter();
  const [pending, setPending] = useState<'new' | 'all'>();
  const verify = async (scope: 'new' | 'all') => {
    setPending(scope);
    try {
      const { isSound } = await callAction(() => verifyAuditLogAction({ isWhole: scope === 'all' }));
      if (isSound === null) toast.success('All entries are being verified in the background.');
      else if (isSound) toast.success('The audit log is intact.');
      else toast.error('The audit log has faults. Review the list.');
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'The server didn’t respond. Please try again.');
    } finally {
      setPending(undefined);
    }
  };
  if (progress !== null) {
    return (
      <BackgroundProgress
        first={progress}
        getProgress={getVerificationProgressAction}
        label="Progress of the verification"
        text="All entries are being verified."
      />
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" pending={pending === 'new'} disabled={pending !== undefined} onClick={() => verify('new')}>
        Verify new entries
      </Button>
      <Button size="sm" pending={pending === 'all'} disabled={pending !== undefined} onClick={() => verify('all')}>
        Verify all entries
      </Button>
    </div>
  );
}

type HeadFormProps = { recipients: readonly string[]; isLogged: boolean; version: number };

/** Edits the destinations of the audit log's daily head hash. */
export function HeadForm({ recipients, isLogged, version }: HeadFormProps) {
  const router = useRouter();
  const form = useApiForm({
    submit: (data) =>
      callAction(() =>
        setAuditHeadAction({
          recipients: getFormText(data, 'recipients'),
          isLogged: data.get('isLogged') !== null,
          version,
        }),
      ),
    onSuccess: () => {
      toast.success('Saved');
      router.refresh();
    },
    fallback: () => 'The setting could not be saved. Please try again.',
  });
  return (
    <Card className="mt-6 max-w-xl" aria-labelledby="head-heading">
      <CardHeader
        title={<span id="head-heading">Daily proof</span>}
        description="The number and hash of the last entry, recorded outside the database once a day. With it, npm run audit:verify detects a log that was truncated or replaced. Current recipients are notified of every change to this setting."
      />
      <CardForm form={form} submitLabel="Save">
        <TextareaField
          name="recipients"
          label="Email to"
          hint="Up to 5 addresses, separated by commas. Preferably outside this organization’s own servers."
          rows={2}
          defaultValue={recipients.join(', ')}
          error={form.fields.recipients}
        />
        <Checkbox name="isLogged" label="Write it to the server log" defaultChecked={isLogged} />
      </CardForm>
    </Card>
  );
}
