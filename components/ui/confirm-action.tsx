'use client';

import { useRouter } from 'next/navigation';
import type { ComponentProps } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from './confirm-dialog';

export type ConfirmActionProps<Result = unknown> = Omit<ComponentProps<typeof ConfirmDialog>, 'onConfirm'> & {
  /** Performs the action. @throws Error with the message that the dialog displays */
  action: () => Promise<Result>;
  /** The message after it. Omitted where the action shows one. */
  done?: string | ((result: Result) => string);
};

/** Performs an action after a confirmation, shows its message and refreshes the page. */
export function ConfirmAction<Result>({ action, done, ...dialog }: ConfirmActionProps<Result>) {
  const router = useRouter();
  const confirm = async () => {
    const result = await action();
    if (done) toast.success(typeof done === 'string' ? done : done(result));
    router.refresh();
  };
  return <ConfirmDialog {...dialog} onConfirm={confirm} />;
}
