'use client';

import { BookCheck } from 'lucide-react';
import {
  getProofProgressAction,
  proveBooksAction,
  proveEverythingAction,
} from '@/app/(admin)/dashboard/features/wallet-manager/actions';
import { BackgroundProgress } from '@/components/form/background-progress';
import { Button } from '@/components/ui/button';
import { unwrapAction } from './unwrap-action';
import { useToastOperation } from './use-toast-operation';

const requested = { isGood: true, text: 'Everything is being checked in the background.' };

type ProveBooksProps = {
  /** Whether a check of everything can be started as well. */
  isRepeatable?: boolean;
  /** The progress of the running check of everything in percent; null without one. */
  progress: number | null;
};

/** Runs a verification of the ledger: of what is new, or of everything in the background. */
export function ProveBooks({ isRepeatable = false, progress }: ProveBooksProps) {
  const checkNew = useToastOperation(async () => {
    const { isSound } = await unwrapAction(() => proveBooksAction({}));
    if (isSound === null) return requested;
    return {
      isGood: isSound,
      text: isSound ? 'The books balance.' : 'The books don’t balance. Review the failed checks.',
    };
  });
  const checkAll = useToastOperation(async () => {
    await unwrapAction(() => proveEverythingAction({}));
    return requested;
  });
  if (progress !== null) {
    return (
      <BackgroundProgress
        first={progress}
        getProgress={getProofProgressAction}
        label="Progress of the check"
        text="Everything is being checked."
      />
    );
  }
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {isRepeatable ? (
        <Button size="sm" pending={checkAll.pending} onClick={checkAll.run}>
          Check everything
        </Button>
      ) : null}
      <Button
        variant="primary"
        size="sm"
        pending={checkNew.pending}
        icon={<BookCheck className="size-4" />}
        onClick={checkNew.run}
      >
        Check the books
      </Button>
    </div>
  );
}
