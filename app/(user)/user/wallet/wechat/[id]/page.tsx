import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { ButtonLink, buttonClass } from '@/components/ui/button';
import { Card, CardBody, FactList } from '@/components/ui/card';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { QrCode } from '@/components/wallet/qr-code';
import { returnParam } from '@/components/wallet/return-url';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { AppError } from '@/lib/errors';
import { topupIdField } from '@/lib/payments/top-ups/contract';
import { getPayCode, type PayCode } from '@/lib/payments/top-ups/queries';
import { isPhone, isWeChatBrowser } from '@/lib/payments/top-ups/topup-route';
import { PaymentWatch } from './_components/payment-watch';

export const metadata: Metadata = { title: 'Pay with WeChat' };

type WeChatPayPageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

/** Displays the QR code that a desktop buyer scans with WeChat. Redirects once the payment is decided. */
export default async function WeChatPayPage({ params, searchParams }: WeChatPayPageProps) {
  const actor = await requirePage('user', 'account:wallet');
  const { id } = await params;
  const code = await codeOf(actor, id);
  const waiting = oneParam(await searchParams, returnParam);
  const back = (mark: 'success' | 'cancelled') =>
    withParams('/user/wallet', {}, { [mark]: 1, topup: code.id, [returnParam]: waiting });
  if (code.status !== 'created' && code.status !== 'pending') redirect(back('success'));
  const hint = phoneHint(await headers());
  return (
    <>
      <PageHeader title="Pay with WeChat" description="Scan the code with WeChat on your phone and confirm there." />
      {hint ? (
        <Alert tone="info" className="mx-auto mb-6 max-w-md">
          {hint}
        </Alert>
      ) : null}
      <Card className="mx-auto max-w-md">
        <CardBody className="grid justify-items-center gap-5">
          <Money
            amountMinor={code.chargeAmountMinor}
            currency={code.chargeCurrency}
            className="font-medium text-2xl text-ink tracking-tight"
          />
          <QrCode text={code.payCode} label="QR code to scan with WeChat" />
          <PaymentWatch
            topupId={code.id}
            expiresAt={code.expiresAt}
            leftMs={Math.max(Date.parse(code.expiresAt) - Date.now(), 0)}
            doneHref={back('success')}
          />
          <div className="w-full border-line border-t pt-4">
            <FactList
              facts={[
                ['Added to wallet', <Money key="amount" amountMinor={code.amountCents} currency={code.currency} />],
                ['Exchange rate', rateText(code)],
                [
                  'Top-up',
                  <span key="id" className="font-mono text-xs">
                    {code.id}
                  </span>,
                ],
              ]}
            />
          </div>
          {code.isLive ? null : <p className="text-muted text-sm">Test mode: no real money is charged.</p>}
          <div className="flex flex-wrap justify-center gap-2">
            {code.sandboxUrl ? (
              <a
                href={phoneUrl(code.sandboxUrl, code.payCode)}
                target="_blank"
                rel="noreferrer"
                className={buttonClass({ variant: 'primary' })}
              >
                Open on the sandbox phone
              </a>
            ) : null}
            <ButtonLink href={back('cancelled')}>Cancel payment</ButtonLink>
          </div>
        </CardBody>
      </Card>
    </>
  );
}

/**
 * Returns a hint for phones. A phone cannot scan its own screen, and WeChat blocks these payments in its in-app
 * browser.
 */
function phoneHint(requestHeaders: Pick<Headers, 'get'>): string | null {
  if (isWeChatBrowser(requestHeaders)) {
    return 'WeChat’s browser can’t open this payment. Tap ⋯ at the top to open this page in your browser, or scan the code with another phone.';
  }
  if (!isPhone(requestHeaders)) return null;
  return 'To pay with WeChat on this phone, cancel this payment and add funds again here. WeChat opens automatically.';
}

async function codeOf(actor: Actor, id: string): Promise<PayCode> {
  const input = topupIdField.safeParse(id);
  if (!input.success) notFound();
  try {
    return await getPayCode(actor, input.data);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') notFound();
    throw thrown;
  }
}

const rate = new Intl.NumberFormat('en-US', { minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** Formats the rate as usually quoted, e.g. "1 USD = 7.2000 CNY". */
function rateText({ rateMicros, chargeCurrency, currency }: PayCode): string {
  return rateMicros ? `1 ${currency} = ${rate.format(1_000_000 / rateMicros)} ${chargeCurrency}` : '–';
}

/** Returns the sandbox gateway's equivalent of the code's URL, because the WeChat app cannot open a sandbox code. */
function phoneUrl(sandbox: string, payCode: string): string {
  const { pathname, search } = new URL(payCode);
  return new URL(`${pathname}${search}`, sandbox).href;
}
