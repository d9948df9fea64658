import { Alert } from '@/components/ui/alert';
import type { Outlook } from '@/lib/orders/requests/outlook';

export type { Outlook };

/** What a buyer knows of the wallet. */
export type Funds = {
  /** USD cents; null for a member who may not view it. */
  balanceCents: number | null;
  /** Whether the buyer may add money. */
  mayTopUp: boolean;
  /** Whether orders of the account can need an approval. */
  isLimited: boolean;
};

/** What members read who may not add money themselves. */
export const askForMoney = 'Ask a person with access to the wallet to add money.';

/**
 * Says why an order needs an approval or is not covered by the wallet; '' for one that is allowed.
 * @param balanceCents what the screen shows, which says itself what is missing
 */
export function describeOutlook({ decision, texts, isFunded }: Outlook, balanceCents: Funds['balanceCents']): string {
  if (decision !== 'allowed') return texts.join(' ');
  if (isFunded || balanceCents !== null) return '';
  return `The wallet balance is too low for this order. ${askForMoney}`;
}

type OutlookNoteProps = {
  /** Null while it is not known, and for an account without limits. */
  outlook: Outlook | null;
  balanceCents: Funds['balanceCents'];
  className?: string;
};

/** Says before an order that it needs an approval, is refused, or is not covered by the wallet. */
export function OutlookNote({ outlook, balanceCents, className }: OutlookNoteProps) {
  if (!outlook) return null;
  const isRefused = outlook.decision === 'refused';
  const text = describeOutlook(outlook, balanceCents);
  if (text === '' && !isRefused) return null;
  return (
    <Alert
      tone={isRefused ? 'error' : 'warning'}
      title={
        isRefused
          ? 'The policy of your account does not allow this order'
          : outlook.decision === 'needs_approval' && 'Needs approval'
      }
      className={className}
    >
      {[text, ...Object.values(outlook.sites).flat()].map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Alert>
  );
}
