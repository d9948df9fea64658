'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import {
  getVerificationProgressAction,
  verifyAuditLogAction,
} from '@/app/(admin)/dashboard/features/audit-logs/actions';
import { BackgroundProgress } from '@/components/form/background-progress';
import { Button } from '@/components/ui/button';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';

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
