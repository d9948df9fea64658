import type { Metadata } from 'next';
import { oneParam, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { paymentProviders } from '@/db/schema/topups';
import { requirePage } from '@/lib/auth/page-guard';
import { env } from '@/lib/env';
import {
  findEventPosition,
  getLastNotificationAt,
  getProviderSettings,
  resolveMode,
} from '@/lib/payments/config/admin-config';
import { getSandboxUrl, unreadableSecretsText } from '@/lib/payments/config/config';
import { findPaymentIssues } from '@/lib/payments/config/find-payment-issues';
import { getOfferState } from '@/lib/payments/config/offered-providers';
import { countDisputes } from '@/lib/payments/reversals/disputes';
import { listTestCredits } from '@/lib/payments/reversals/reverse-test-credits';
import { listCurrentRates } from '@/lib/settings/rates/exchange-rates';
import { formatRate, pricedCurrencies } from '@/lib/settings/rates/schemas';
import { modeForms } from './_components/config-values';
import { paymentTabs } from './_components/payment-tabs';
import { PrivateKey } from './_components/private-key';
import { modeNames, providerScreens } from './_components/provider-fields';
import { ProviderForm } from './_components/provider-form';
import { RatesCard } from './_components/rates-card';
import { TroublesCard } from './_components/troubles-card';
import { WebhookCard } from './_components/webhook-card';

export const metadata: Metadata = { title: 'Payments' };

export default async function PaymentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayments');
  const params = await searchParams;
  const provider = paymentProviders.find((name) => name === oneParam(params, 'tab')) ?? 'stripe';
  const settings = await getProviderSettings(provider);
  const offer = await getOfferState(settings);
  const forms = modeForms(settings);
  const asked = oneParam(params, 'mode');
  const shown =
    forms.find(({ mode }) => mode === asked) ?? forms.find(({ mode }) => mode === resolveMode(settings)) ?? forms[0];
  if (!shown) throw new Error(`${provider} has no mode.`);
  const { activeMode } = settings;
  const isTest = activeMode !== null && activeMode !== 'live';
  const [lastReceivedAt, eventPosition, troubles, inForce, testCredits, openDisputes] = await Promise.all([
    getLastNotificationAt(provider, shown.mode),
    findEventPosition(provider, shown.mode),
    findPaymentIssues(provider, shown.mode),
    listCurrentRates(),
    shown.mode === 'live' && activeMode !== 'live' ? listTestCredits(provider) : [],
    countDisputes('open'),
  ]);
  const rates = pricedCurrencies.map((currency) => {
    const found = inForce.find((rate) => rate.currency === currency);
    return { currency, rate: found ? formatRate(found.usdMicrosPerUnit) : null, since: found?.since ?? null };
  });
  const { tab } = providerScreens[provider];

  return (
    <>
      <PageHeader
        title="Payments"
        description="How buyers pay: keys, modes and notifications of each provider."
        actions={
          offer === 'offered' && activeMode ? (
            <Badge tone="green" dot>
              {isTest && env().APP_ENV === 'production'
                ? `${tab} is offered to staff in ${modeNames[activeMode]} mode`
                : `${tab} is offered in ${modeNames[activeMode]} mode`}
            </Badge>
          ) : (
            <Badge tone="grey" dot>
              {tab} is not offered to buyers
            </Badge>
          )
        }
      />
      <Tabs label="Payments" tabs={paymentTabs(provider, openDisputes)} />
      {offer === 'unreadable' ? (
        <Alert tone="error" className="mt-6">
          {unreadableSecretsText}
        </Alert>
      ) : null}
      {isTest && env().APP_ENV === 'production' ? (
        <Alert tone="warning" className="mt-6">
          {tab} is in {modeNames[activeMode]} mode: no real money moves, so only staff with the permission
          ManagePayments can add funds with it. Going live removes what test payments credited.
        </Alert>
      ) : null}
      {getSandboxUrl(provider, shown.mode) ? (
        <Alert tone="info" className="mt-6">
          The sandbox gateway answers in {tab}’s place in {modeNames[shown.mode]} mode: no real money moves.
        </Alert>
      ) : null}
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ProviderForm
          key={`${provider} ${shown.mode}`}
          provider={provider}
          activeMode={activeMode}
          modes={forms.map(({ mode }) => mode)}
          stored={shown}
          testCredits={testCredits}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {provider === 'wechat' ? (
            <PrivateKey key={shown.mode} mode={shown.mode} isStored={shown.hasPrivateKey} />
          ) : null}
          <WebhookCard
            provider={provider}
            address={`${env().APP_URL}/api/payments/${provider}/webhook`}
            lastReceivedAt={lastReceivedAt}
            eventPosition={eventPosition}
          />
          <TroublesCard troubles={troubles} />
          <RatesCard rates={rates} />
        </div>
      </div>
    </>
  );
}
