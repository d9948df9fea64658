'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { BackgroundProgress } from '@/components/form/background-progress';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/controls';
import { getVerificationProgressAction, setAuditHeadAction, verifyAuditLogAction } from '@/lib/audit/actions';
import { callAction } from '@/lib/browser/api-client';

/**
 * Runs a verification of the audit log.
 * @param progress the progress of the verification of all entries in percent; null without one
 */
export function VerifyButtons({ progress }: { progress: number | null }) {
  const [scope, setScope] = useState<'new' | 'all'>('new');
  const fallback = () => 'The server didn’t respond. Please try again.';
  const { pending, run } = useOperation({ fallback, onError: toast.error });
  const verify = (chosen: typeof scope) => {
    setScope(chosen);
    return run(async () => {
      const { isSound } = await callAction(() => verifyAuditLogAction({ isWhole: chosen === 'all' }));
      if (isSound === null) toast.success('All entries are being verified in the background.');
      else if (isSound) toast.success('The audit log is intact.');
      else toast.error('The audit log has faults. Review the list.');
    });
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
      <Button size="sm" pending={pending && scope === 'new'} disabled={pending} onClick={() => verify('new')}>
        Verify new entries
      </Button>
      <Button size="sm" pending={pending && scope === 'all'} disabled={pending} onClick={() => verify('all')}>
        Verify all entries
      </Button>
    </div>
  );
}

type HeadFormProps = { recipients: readonly string[]; isLogged: boolean; version: number };

/** Edits the destinations of the audit log's daily head hash. */
export function HeadForm({ recipients, isLogged, version: stored }: HeadFormProps) {
  return (
    <SettingsCard
      className="mt-6 max-w-xl"
      title="Daily proof"
      description="The number and hash of the last entry, recorded outside the database once a day. With it, npm run audit:verify detects a log that was truncated or replaced. Current recipients are notified of every change to this setting."
      submitLabel="Save"
      version={stored}
      submit={(data, version) => {
        const input = { recipients: getFormText(data, 'recipients'), isLogged: data.get('isLogged') !== null, version };
        return callAction(() => setAuditHeadAction(input));
      }}
      failure="The setting could not be saved. Please try again."
      fields={[
        {
          name: 'recipients',
          label: 'Email to',
          hint: 'Up to 5 addresses, separated by commas. Preferably outside this organization’s own servers.',
          rows: 2,
          defaultValue: recipients.join(', '),
        },
        {
          name: 'isLogged',
          label: 'Write it to the server log',
          render: ({ name, label }) => <Checkbox name={name} label={label} defaultChecked={isLogged} />,
        },
      ]}
    />
  );
}
