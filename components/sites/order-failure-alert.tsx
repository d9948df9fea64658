import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import type { OrderFailure } from './place-order';

type OrderFailureAlertProps = { failure: OrderFailure; onRetry: () => void };

/** Why the order failed, with the way on: the missing money, another try, or a look at what was ordered. */
export function OrderFailureAlert({ failure, onRetry }: OrderFailureAlertProps) {
  const { kind, text, topUpUrl } = failure;
  if (kind !== 'unanswered' && kind !== 'used') {
    const addFunds = topUpUrl ? (
      <ButtonLink href={topUpUrl} size="sm" prefetch={false}>
        Add funds
      </ButtonLink>
    ) : null;
    return (
      <Alert tone="error" action={addFunds}>
        {text}
      </Alert>
    );
  }
  return (
    <Alert tone="error">
      <p>{text}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        {kind === 'unanswered' ? (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        <ButtonLink href="/user/orders" size="sm" prefetch={false}>
          My Orders
        </ButtonLink>
      </div>
    </Alert>
  );
}
