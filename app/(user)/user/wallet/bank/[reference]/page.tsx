import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Alert } from '@/components/ui/alert';
import { ButtonLink, buttonClass } from '@/components/ui/button';
import { Card, CardBody, FactList } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { QrCode } from '@/components/wallet/qr-code';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { AppError } from '@/lib/errors';
import { describeRate, getEpcCode, listAccountFacts } from '@/lib/payments/bank-transfers/account-facts';
import { transferPaths } from '@/lib/payments/bank-transfers/contract';
import { getOwnTransfer, type OwnTransfer } from '@/lib/payments/bank-transfers/queries';
import { formatReference } from '@/lib/payments/bank-transfers/reference';

export const metadata: Metadata = { title: 'Bank transfer' };

type BankTransferPageProps = { params: Promise<{ reference: string }> };

/** Displays what a buyer transfers and where to, with a QR code for banking apps in EUR. */
export default async function BankTransferPage({ params }: BankTransferPageProps) {
  const actor = await requirePage('user', 'account:wallet');
  const transfer = await findTransfer(actor, (await params).reference);
  const { reference, payMinor, currency, amountCents, expiresAt } = transfer;
  const rate = describeRate(transfer);
  const code = getEpcCode(transfer);
  return (
    <>
      <PageHeader
        title="Bank transfer"
        description="Transfer the amount with the reference, and your wallet is credited."
      />
      <Status transfer={transfer} />
      <Card className="mx-auto max-w-md">
        <CardBody className="grid justify-items-center gap-5">
          <Money amountMinor={payMinor} currency={currency} className="font-medium text-2xl text-ink tracking-tight" />
          {code ? (
            <div className="grid justify-items-center gap-2">
              <QrCode text={code} label="QR code of the transfer for banking apps" />
              <p className="text-muted text-sm">Scan it with your banking app in the SEPA area.</p>
            </div>
          ) : null}
          <div className="w-full border-line border-t pt-4">
            <FactList
              facts={[
                [
                  'Reference',
                  <span key="reference" className="flex flex-wrap items-center gap-2">
                    <span className="font-mono">{formatReference(reference)}</span>
                    <CopyButton text={formatReference(reference)} label="Copy the reference" />
                  </span>,
                ],
                ...listAccountFacts(transfer).map(([label, value]): [string, string] => [label, value]),
                ['Top-up', <Money key="amount" amountMinor={amountCents} />],
                ['Pay by', expiresAt.toISOString().slice(0, 10)],
              ]}
            />
          </div>
          {rate ? <p className="text-muted text-sm">{rate}</p> : null}
          <p className="text-muted text-sm">
            Write the reference into the text of the transfer. A transfer takes one to three business days, and is added
            to your wallet once our bank has it.
          </p>
          <div className="flex flex-wrap justify-center gap-2">
            <a href={`${transferPaths(reference).proForma}`} download className={buttonClass({ variant: 'secondary' })}>
              <Icon name="download" />
              Pro forma PDF
            </a>
            <ButtonLink href="/user/wallet">Back to the wallet</ButtonLink>
          </div>
        </CardBody>
      </Card>
    </>
  );
}

/** Says what happened to the transfer; nothing before it arrived. */
function Status({ transfer: { state, arrived, expiresAt } }: { transfer: OwnTransfer }) {
  const creditedCents = arrived.reduce((sum, { creditedCents: cents }) => sum + (cents ?? 0), 0);
  const isChecked = arrived.some((line) => line.state === 'partial');
  if (state === 'paid' && creditedCents > 0) {
    return (
      <Alert tone="success" className="mx-auto mb-6 max-w-md">
        Your transfer arrived: <Money amountMinor={creditedCents} /> added to your wallet.
      </Alert>
    );
  }
  if (isChecked) {
    return (
      <Alert tone="info" className="mx-auto mb-6 max-w-md">
        A transfer with this reference arrived and our team checks it. You don’t need to pay again.
      </Alert>
    );
  }
  if (expiresAt.getTime() > Date.now()) return null;
  return (
    <Alert tone="warning" className="mx-auto mb-6 max-w-md">
      This request has expired. If you already paid, the money is still credited. Otherwise add funds again.
    </Alert>
  );
}

async function findTransfer(actor: Actor, reference: string): Promise<OwnTransfer> {
  try {
    return await getOwnTransfer(actor, reference);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') notFound();
    throw thrown;
  }
}
