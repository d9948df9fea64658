import { Alert } from '@/components/ui/alert';
import type { BillingProfile } from '@/lib/tax/billing-contract';
import { CheckAgain } from './check-again';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Renders what VIES answered about the VAT id, in words; nothing without an answer. */
export function VatIdState({ profile }: { profile: BillingProfile }) {
  const { vatId, vatCheck } = profile;
  if (!vatCheck) return null;
  const { state, checkedAt, consultation } = vatCheck;
  const at = <time dateTime={checkedAt}>{day.format(new Date(checkedAt))}</time>;
  if (state === 'valid') {
    return (
      <Alert tone="success" title={`VAT id ${vatId} is valid`}>
        VIES confirmed it on {at}.{consultation ? ` Consultation number ${consultation}.` : ''}
      </Alert>
    );
  }
  if (state === 'invalid') {
    return (
      <Alert tone="error" title={`VAT id ${vatId} is not registered in VIES`} action={<CheckAgain profile={profile} />}>
        Checked on {at}. Correct it, or ask your tax office to register it for trade within the European Union. Until
        then you order as a person without a VAT id.
      </Alert>
    );
  }
  return (
    <Alert tone="warning" title={`VAT id ${vatId} could not be checked yet`} action={<CheckAgain profile={profile} />}>
      VIES did not answer on {at}. It is asked again automatically.
    </Alert>
  );
}
