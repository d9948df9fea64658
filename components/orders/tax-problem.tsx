import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import type { ShownTax } from '@/lib/tax/buyer-tax';

/** Says why nothing can be ordered while the tax is not known, with the page that resolves it; otherwise nothing. */
export function TaxProblem({ tax, className }: { tax: ShownTax | null; className?: string }) {
  if (!tax || !('problem' in tax)) return null;
  return (
    <Alert
      tone="warning"
      className={className}
      action={
        tax.url ? (
          <ButtonLink href={tax.url} size="sm">
            Billing
          </ButtonLink>
        ) : null
      }
    >
      {tax.problem}
    </Alert>
  );
}
