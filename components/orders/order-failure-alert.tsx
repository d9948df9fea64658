import { projectFieldName } from '@/components/projects/use-project-choice';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import type { OrderFailure } from './order-failure';

type OrderFailureAlertProps = { failure: OrderFailure; onRetry: () => void };

/**
 * The error of a failed order, with a Retry button or a link to the orders. Renders nothing for an error below the
 * field of the project.
 */
export function OrderFailureAlert({ failure: { kind, text, fields }, onRetry }: OrderFailureAlertProps) {
  if (fields?.[projectFieldName] === text) return null;
  if (kind !== 'unanswered' && kind !== 'used') return <Alert tone="error">{text}</Alert>;
  return (
    <Alert tone="error">
      <p>{text}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        {kind === 'unanswered' ? (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        <ButtonLink href="/user/orders" size="sm">
          My Orders
        </ButtonLink>
      </div>
    </Alert>
  );
}
