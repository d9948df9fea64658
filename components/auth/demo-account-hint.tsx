import { KeyRound } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { DemoAccount } from '@/lib/auth/demo-account';
import { Button } from '../ui/button';

/** In the demo only: the account to look around with, and a button that fills it into the form it stands in. */
export function DemoAccountHint({ account }: { account: DemoAccount }) {
  const fillIn = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const fields = currentTarget.form?.elements;
    for (const [name, value] of Object.entries(account)) {
      const field = fields?.namedItem(name);
      if (!(field instanceof HTMLInputElement)) continue;
      field.value = value;
      // Takes away the complaint under the field, as typing does.
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const agreement = fields?.namedItem('agreement');
    if (agreement instanceof HTMLInputElement) agreement.focus();
  };
  return (
    <div className="flex items-center gap-3 rounded-md border border-line-strong border-dashed px-3 py-2.5">
      <KeyRound className="size-4 text-subtle" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink text-sm">Demo account</p>
        <p className="truncate text-muted text-xs">{account.email}</p>
      </div>
      <Button size="sm" onClick={fillIn}>
        Fill in
      </Button>
    </div>
  );
}
