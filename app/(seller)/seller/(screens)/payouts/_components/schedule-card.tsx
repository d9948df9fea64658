'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Select } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import type { PayoutSchedule } from '@/db/schema/payouts';
import { ApiError, callAction, redirectToSignIn } from '@/lib/browser/api-client';
import { setPayoutScheduleAction } from '@/lib/payouts/actions';

const schedules: Record<PayoutSchedule, string> = {
  manual: 'Only when I request one',
  weekly: 'Every Monday',
  monthly: 'On the 1st of each month',
};

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

type ScheduleCardProps = { schedule: PayoutSchedule; nextRequestAt: string | null };

/** Renders the choice of automatic requests, saved at once. */
export function ScheduleCard({ schedule, nextRequestAt }: ScheduleCardProps) {
  const router = useRouter();
  const [chosen, setChosen] = useState(schedule);
  const [pending, setPending] = useState(false);
  const [isRefreshing, refresh] = useTransition();

  const save = async (next: PayoutSchedule) => {
    setChosen(next);
    setPending(true);
    try {
      await callAction(() => setPayoutScheduleAction({ schedule: next }));
      toast.success('Schedule saved.');
      refresh(() => router.refresh());
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setChosen(schedule);
      if (cause.status === 401 && cause.code === null) redirectToSignIn();
      else toast.error(cause.message || 'The schedule was not saved. Try again.');
    } finally {
      setPending(false);
    }
  };

  return (
    <Card aria-label="Schedule">
      <CardHeader
        title="Schedule"
        description="Requests your available balance on these days, if it reaches the minimum."
      />
      <CardBody>
        <Field
          label="Request payouts"
          hint={
            nextRequestAt && !isRefreshing ? `Next request: ${day.format(new Date(nextRequestAt))} (UTC).` : undefined
          }
        >
          {(control) => (
            <Select
              {...control}
              value={chosen}
              disabled={pending}
              onChange={({ target }) => {
                const next = isSchedule(target.value) ? target.value : 'manual';
                void save(next);
              }}
              className="sm:max-w-xs"
            >
              {Object.entries(schedules).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </CardBody>
    </Card>
  );
}

const isSchedule = (value: string): value is PayoutSchedule => Object.hasOwn(schedules, value);
