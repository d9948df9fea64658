import { useState } from 'react';
import { payoutMethodNames } from '@/components/payouts/payout-labels';
import { type Fact, FactList } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import type { PayoutMethodDetailsView } from '@/lib/payouts/methods/view-details';

type MethodDetailsDialogProps = {
  /** Null while the dialog is closed. */
  method: PayoutMethodDetailsView | null;
  sellerEmail: string;
  onClose: () => void;
};

/** The details of a payout method, by which staff pay it by hand. */
export function MethodDetailsDialog({ method, sellerEmail, onClose }: MethodDetailsDialogProps) {
  // Remains visible during the closing animation.
  const [shown, setShown] = useState(method);
  if (method && method !== shown) setShown(method);
  return (
    <Dialog
      open={method !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Payout method"
      description={`Of ${sellerEmail}. The audit log records that you viewed it.`}
      size="sm"
    >
      {shown ? <FactList facts={listFacts(shown)} /> : null}
    </Dialog>
  );
}

function listFacts(method: PayoutMethodDetailsView): Fact[] {
  const { kind, addressLines, postalCode, town } = method;
  const facts: [string, string | null][] = [
    ['Method', payoutMethodNames[kind]],
    ['Email', method.email],
    ['IBAN', method.iban],
    ['BIC', method.bic],
    ['Routing no.', method.routingNumber],
    ['Account no.', method.accountNumber],
    ['Account type', method.accountType && (method.accountType === 'savings' ? 'Savings' : 'Checking')],
    ['Holder', method.holder],
    ['Address', [...addressLines, [postalCode, town].filter(Boolean).join(' ')].filter(Boolean).join(', ')],
    ['Country', method.country],
  ];
  const given = facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
  return method.text ? [...given, ['Agreement', <AgreementText key="text" text={method.text} />]] : given;
}

function AgreementText({ text }: { text: string }) {
  return <span className="whitespace-pre-line">{text}</span>;
}
