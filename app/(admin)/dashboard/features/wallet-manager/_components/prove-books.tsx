'use client';

import { BookCheck } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { proveBooksAction } from '../actions';
import { unwrapAction } from './unwrap-action';
import { useToastOperation } from './use-toast-operation';

/** Runs a verification of the ledger. */
export function ProveBooks() {
  const { pending, run } = useToastOperation(async () => {
    const { isSound } = await unwrapAction(proveBooksAction({}));
    return {
      isGood: isSound,
      text: isSound ? 'The books balance.' : 'The books don’t balance. Review the failed checks.',
    };
  });
  return (
    <Button variant="primary" size="sm" pending={pending} icon={<BookCheck className="size-4" />} onClick={run}>
      Check the books
    </Button>
  );
}
