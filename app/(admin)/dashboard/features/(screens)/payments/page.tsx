import { AnswerBadge, AnswerText } from '@/app/(admin)/dashboard/features/_components/service-state';
import { screenTexts } from '@/components/shell/screen-texts';
import { oneParam, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import { type PaymentProviderName, paymentProviders } from '@/db/schema/topups';
import { getEcbService } from '@/lib/approvals/take-ecb-rates';
import { requirePage } from '@/lib/auth/page-guard';
import { env } from '@/lib/env';
import {
  type EventPosition,
  findEventPosition,
  getLastNotificationAt,
  getPaymentService,
  getProviderSettings,
  resolveMode,
} from '@/lib/payments/config/admin-config';
import { getSandboxUrl, unreadableSecretsText } from '@/lib/payments/config/config';
import { getOfferState } from '@/lib/payments/providers/open-provider';
import { countDisputes } from '@/lib/payments/reversals/disputes';
import { listTestCredits } from '@/lib/payments/reversals/reverse-test-credits';
import { findPaymentIssues, type PaymentIssues } from '@/lib/payments/top-ups/payment-issues';
import { jumpPercent, listRateIssues, readEcbRates } from '@/lib/settings/ecb-rates';
import { formatRate, listCurrentRates, pricedCurrencies } from '@/lib/settings/exchange-rates';
import { readAnswers, type ServiceAnswer } from '@/lib/settings/service-answers';
import { paymentTabs } from './_components/payment-tabs';
import { modeForms, modeNames, providerScreens } from './_components/provider-fields';
import { PrivateKey, ProviderForm } from './_components/provider-form';
import { RatesCard } from './_components/rates-card';

const texts = screenTexts('/dashboard/features/payments');

export const metadata = { title: texts.title };

export default async function PaymentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayments');
  const params = await searchParams;
  const provider = paymentProviders.find((name) => name === oneParam(params, 'tab')) ?? 'stripe';
  const settings = await getProviderSettings(provider);
  const offer = await getOfferState(settings);
  const forms = modeForms(settings);
  const modeParam = oneParam(params, 'mode');
  const shown =
    forms.find(({ mode }) => mode === modeParam) ??
    forms.find(({ mode }) => mode === resolveMode(settings)) ??
    forms[0];
  if (!shown) throw new Error(`${provider} has no mode.`);
  const { activeMode } = settings;
  const isTest = activeMode !== null && activeMode !== 'live';
  const [lastReceivedAt, eventPosition, issues, inForce, testCredits, openDisputes, answerOf, rateIssues, ecb] =
    await Promise.all([
      getLastNotificationAt(provider, shown.mode),
      findEventPosition(provider, shown.mode),
      findPaymentIssues(provider, shown.mode),
      listCurrentRates(),
      shown.mode === 'live' && activeMode !== 'live' ? listTestCredits(provider) : [],
      countDisputes('open'),
      readAnswers(),
      listRateIssues(),
      readEcbRates(),
    ]);
  const rates = pricedCurrencies.map((currency) => {
    const found = inForce.find((rate) => rate.currency === currency);
    const held = rateIssues.held.find((one) => one.currency === currency);
    return {
      currency,
      rate: found ? formatRate(found.usdMicrosPerUnit) : null,
      since: found?.since ?? null,
      source: found?.sourceDay ? `ECB, ${found.sourceDay}` : 'Entered by staff',
      isStale: rateIssues.stale.includes(currency),
      held: held
        ? `Not taken: 1 ${currency} = ${formatRate(held.rate)} USD (ECB, ${held.day}). It differs by more than ${jumpPercent}% from the rate in force. Check it and set the rate that applies.`
        : null,
    };
  });
  const { tab } = providerScreens[provider];
  const service = getPaymentService(settings, shown.mode);

  return (
    <>
      <PageHeader
        {...texts}
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
          ManagePayments can add funds with it. Going live removes credit from test payments.
        </Alert>
      ) : null}
      {getSandboxUrl(provider, shown.mode) ? (
        <Alert tone="info" className="mt-6">
          The sandbox gateway replaces {tab} in {modeNames[shown.mode]} mode: no real money moves.
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
          {service.credentials ? <ConnectionCard answer={answerOf(service)} /> : null}
          {provider === 'wechat' ? (
            <PrivateKey key={shown.mode} mode={shown.mode} isStored={shown.hasPrivateKey} />
          ) : null}
          <WebhookCard
            provider={provider}
            address={`${env().APP_URL}/api/payments/${provider}/webhook`}
            lastReceivedAt={lastReceivedAt}
            eventPosition={eventPosition}
          />
          <IssuesCard issues={issues} />
          <RatesCard
            rates={rates}
            ecb={{
              isOn: ecb.isOn,
              version: ecb.version,
              day: ecb.file?.day ?? null,
              answer: answerOf(getEcbService()),
            }}
          />
        </div>
      </div>
    </>
  );
}

/** Displays what the provider last answered to the saved credentials of the mode. */
function ConnectionCard({ answer }: { answer: ServiceAnswer | null }) {
  return (
    <Card>
      <CardHeader title="Connection" actions={<AnswerBadge answer={answer} />} />
      <CardBody className="text-muted text-sm">
        <AnswerText answer={answer} />
      </CardBody>
    </Card>
  );
}

/**
 * Lists webhook events and top-ups that could not be processed, with the reasons. Renders nothing if there are none.
 */
function IssuesCard({ issues: { notifications, topups } }: { issues: PaymentIssues }) {
  if (notifications.count + topups.count === 0) return null;
  return (
    <Card>
      <CardHeader
        title="Not processed yet"
        description="Open top-ups are checked again automatically, and notifications are processed when they’re resent. Review anything that stays here."
      />
      <CardBody className="grid gap-4 text-sm">
        {notifications.count > 0 ? (
          <IssueList
            title={`Notifications: ${notifications.count}`}
            lines={notifications.newest.map(({ id, type, at, why }) => ({ id, name: type, at, why }))}
          />
        ) : null}
        {topups.count > 0 ? (
          <IssueList
            title={`Open top-ups: ${topups.count}`}
            lines={topups.newest.map(({ id, at, why }) => ({ id, name: id, at, why }))}
          />
        ) : null}
      </CardBody>
    </Card>
  );
}

type Line = { id: string; name: string; at: Date; why: string | null };

function IssueList({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <section aria-label={title}>
      <h3 className="font-medium text-ink">{title}</h3>
      <ul className="mt-2 grid gap-2">
        {lines.map(({ id, name, at, why }) => (
          <li key={id}>
            <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs">
              <span className="wrap-anywhere font-mono">{name}</span>
              <TimeAgo at={at} className="text-muted" />
            </span>
            <span className="wrap-anywhere block text-red-ink text-xs">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type WebhookCardProps = {
  provider: PaymentProviderName;
  address: string;
  lastReceivedAt: Date | null;
  eventPosition: EventPosition;
};

/** Displays the webhook URL, the events to enable, and when the last event was received. */
function WebhookCard({ provider, address, lastReceivedAt, eventPosition }: WebhookCardProps) {
  const { tab, events, eventList } = providerScreens[provider];
  return (
    <Card>
      <CardHeader
        title="Webhook"
        description={
          events.length > 0
            ? `Register this URL with ${tab}.`
            : `${tab} receives this URL with every payment, so you don’t need to register it.`
        }
      />
      <CardBody className="grid gap-3 text-sm">
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 select-all wrap-anywhere rounded-md border border-line bg-sunken px-2.5 py-1.5 text-xs">
            {address}
          </code>
          <CopyButton text={address} label="Copy webhook URL" />
        </div>
        <p className="text-muted">
          {lastReceivedAt ? (
            <>
              Last notification <TimeAgo at={lastReceivedAt} />
            </>
          ) : (
            'No notification received in this mode yet.'
          )}
        </p>
        <p className="text-muted">
          {eventPosition?.checkedAt ? (
            <>
              Missed notifications: {eventList} checked <TimeAgo at={eventPosition.checkedAt} />
            </>
          ) : (
            `Missed notifications: ${eventList} not checked in this mode yet.`
          )}
        </p>
        {eventPosition?.error ? (
          <p className="wrap-anywhere text-red-ink text-xs">
            The last check failed{' '}
            {eventPosition.failedAt ? (
              <>
                {' '}
                <TimeAgo at={eventPosition.failedAt} />{' '}
              </>
            ) : null}{' '}
            : {eventPosition.error}
          </p>
        ) : null}
        {events.length > 0 ? (
          <details>
            <summary className="w-fit cursor-pointer rounded-sm text-accent-ink">Events to send</summary>
            <ul className="mt-2 grid gap-1 font-mono text-xs">
              {events.map((event) => (
                <li key={event} className="wrap-anywhere">
                  {event}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </CardBody>
    </Card>
  );
}
