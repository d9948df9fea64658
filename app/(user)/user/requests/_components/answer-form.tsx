'use client';

import type { FormEvent, ReactNode } from 'react';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { apiFetch } from '@/lib/browser/api-client';

type AnswerFormProps = {
  requestId: string;
  /** The names of the fields of each line. */
  lines: readonly { id: string; choice: string; comment: string }[];
  /** The fields. */
  children: ReactNode;
};

/** Sends the answer of a member with the role Client: what is not approved is struck. */
export function AnswerForm({ requestId, lines, children }: AnswerFormProps) {
  const { pending, error, run } = useOperation({ fallback: () => 'The server didn’t respond. Please try again.' });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    const lineIds = lines.filter(({ choice }) => form.get(choice) === 'approve').map(({ id }) => id);
    const comments = Object.fromEntries(lines.map(({ id, comment }) => [id, String(form.get(comment) ?? '')]));
    const [step, body] = lineIds.length > 0 ? ['approve', { lineIds, comments }] : ['decline', { comments }];
    void run(() => apiFetch(`/api/user/requests/${requestId}/${step}`, { method: 'POST', body }));
  };
  return (
    <form onSubmit={send} className="grid gap-4">
      {children}
      {error ? <Alert tone="error">{error}</Alert> : null}
      <Button type="submit" variant="primary" pending={pending} className="min-h-12 justify-self-start px-6">
        Send answer
      </Button>
    </form>
  );
}
