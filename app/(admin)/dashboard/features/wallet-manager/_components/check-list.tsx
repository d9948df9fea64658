import { CircleAlert, CircleCheck } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import type { BookCheck } from '@/lib/ledger/verify-books';

/** Lists the checks of a verification, failed checks first. */
export function CheckList({ checks }: { checks: readonly BookCheck[] }) {
  const sorted = [...checks].sort((one, other) => Math.sign(other.broken) - Math.sign(one.broken));
  return (
    <ul className="grid gap-2.5 text-sm">
      {sorted.map(({ name, broken, sample }) => {
        const Icon = broken === 0 ? CircleCheck : CircleAlert;
        return (
          <li key={name} className="flex items-start gap-2">
            <Icon
              role="img"
              aria-label={broken === 0 ? 'Holds' : 'Broken'}
              className={cn('mt-0.5 size-4', broken === 0 ? 'text-green-ink' : 'text-red-ink')}
            />
            <span className="min-w-0 break-words">
              {name}
              {broken === 0 ? null : (
                <span className="block text-red-ink text-xs">
                  {broken.toLocaleString('en-US')} broken, e.g. <span className="font-mono">{sample}</span>
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
