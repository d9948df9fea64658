'use client';

import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { Alert } from '@/components/ui/alert';
import { FactList } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import { callAction } from '@/lib/browser/api-client';
import { saveRatingBudgetAction } from '@/lib/sites/actions';
import type { RatingStatus } from '@/lib/sites/domain-figures/ahrefs/rating-use';

type RatingsCardProps = {
  status: RatingStatus;
  requestsPerDay: number;
  /** The largest budget. */
  max: number;
  version: number;
};

/** Shows what Ahrefs measured for the catalog, and edits the daily budget. */
export function RatingsCard({ status, requestsPerDay, max, version }: RatingsCardProps) {
  const { domains, requestsToday, lastRunAt, lastError } = status;
  return (
    <SettingsCard
      title="Domain Rating by Ahrefs"
      description="Measured for the domains of the catalog every 30 days, those on sale first. Uses the newest Ahrefs key and no API units."
      className="mt-4 max-w-3xl"
      isUnmarked
      submitLabel="Save budget"
      version={version}
      submit={(data, stored) =>
        callAction(() =>
          saveRatingBudgetAction({
            requestsPerDay: Number(getFormText(data, 'requestsPerDay') || NaN),
            version: stored,
          }),
        )
      }
      failure="The budget couldn’t be saved. Please try again."
      fields={[
        {
          name: 'requestsPerDay',
          label: 'Requests a day',
          type: 'number',
          required: true,
          min: 0,
          max,
          step: 1,
          defaultValue: requestsPerDay,
          hint: '0 turns the measurement off. Days are in UTC.',
          className: 'max-w-60',
        },
      ]}
    >
      {() => (
        <>
          <RatingAlert {...status} requestsPerDay={requestsPerDay} />
          <FactList
            facts={[
              ['Measured', `${countOf(domains.rated, domains.total)} domains${unknownText(domains.unknown)}`],
              ['Today', `${countOf(requestsToday, requestsPerDay)} requests`],
              ['Last run', lastRunAt ? <TimeAgo key="run" at={lastRunAt} /> : 'None yet'],
              [
                'Last error',
                lastError ? (
                  <span key="error">
                    {lastError.message} · <TimeAgo at={lastError.at} className="text-muted" />
                  </span>
                ) : (
                  'None'
                ),
              ],
            ]}
          />
        </>
      )}
    </SettingsCard>
  );
}

const countOf = (part: number, whole: number) => `${part.toLocaleString('en-US')} of ${whole.toLocaleString('en-US')}`;
const unknownText = (unknown: number) => (unknown > 0 ? `, ${unknown.toLocaleString('en-US')} unknown to Ahrefs` : '');

/** Says why nothing is measured, and what to do. */
function RatingAlert(props: RatingStatus & { requestsPerDay: number }) {
  const { hasKey, isRefused, pausedUntil, requestsPerDay } = props;
  if (!hasKey)
    return <Alert>Add an Ahrefs key to measure the domains. Create one in the account settings of Ahrefs.</Alert>;
  if (isRefused) {
    return (
      <Alert tone="error" title="Ahrefs refuses the key">
        Nothing is measured until you replace the key. If you changed something at Ahrefs instead, test Ahrefs in App
        Integrations.
      </Alert>
    );
  }
  if (requestsPerDay === 0) return <Alert tone="warning">The budget is 0: nothing is measured.</Alert>;
  if (!pausedUntil) return null;
  return (
    <Alert tone="warning">
      Paused after an error. The next request follows <TimeAgo at={pausedUntil} />.
    </Alert>
  );
}
