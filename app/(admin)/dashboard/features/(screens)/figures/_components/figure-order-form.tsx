'use client';

import { useState } from 'react';
import { SettingsCard } from '@/components/form/card-form';
import { IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { callAction } from '@/lib/browser/api-client';
import { saveFigureOrderAction } from '@/lib/sites/actions';
import type { FigureClass } from '@/lib/sites/domain-figures/figure-classes';

const classes: Record<FigureClass, { label: string; hint: string }> = {
  measured: { label: 'Measured by a service', hint: 'Ahrefs, Majestic, Common Crawl and Chrome’s popularity.' },
  staff: { label: 'Typed by staff', hint: 'In Guest Posts or by an import. For every listing of the domain.' },
  seller: { label: 'Typed by the seller', hint: 'For the seller’s own listing only.' },
};

/** Orders the sources of figures, the best one first. */
export function FigureOrderForm({ order: stored, version }: { order: FigureClass[]; version: number }) {
  const [order, setOrder] = useState(stored);
  const move = (at: number, by: 1 | -1) => {
    const next = order.filter((_, index) => index !== at);
    next.splice(at + by, 0, ...order.slice(at, at + 1));
    setOrder(next);
  };
  return (
    <SettingsCard
      title="Order of the sources"
      description="The first source that has a figure is shown. Of several figures of one source, the newest counts."
      className="max-w-3xl"
      submitLabel="Save order"
      version={version}
      submit={(_data, at) => callAction(() => saveFigureOrderAction({ order, version: at }))}
      failure="The order couldn’t be saved. Please try again."
      note="A measured figure older than 180 days counts as one of staff, so a newer figure of staff replaces it. After a change, all listings are updated within minutes."
    >
      {(errors) => (
        <>
          <ol className="grid gap-2">
            {order.map((name, at) => (
              <li key={name} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2">
                <span className="w-4 text-muted text-sm tabular-nums">{at + 1}</span>
                <span className="grid min-w-0 flex-1">
                  <span className="font-medium text-ink text-sm">{classes[name].label}</span>
                  <span className="text-muted text-xs">{classes[name].hint}</span>
                </span>
                <IconButton label={`Move “${classes[name].label}” up`} disabled={at === 0} onClick={() => move(at, -1)}>
                  <Icon name="arrow-up" />
                </IconButton>
                <IconButton
                  label={`Move “${classes[name].label}” down`}
                  disabled={at === order.length - 1}
                  onClick={() => move(at, 1)}
                >
                  <Icon name="arrow-down" />
                </IconButton>
              </li>
            ))}
          </ol>
          {errors.order ? <FieldError>{errors.order}</FieldError> : null}
        </>
      )}
    </SettingsCard>
  );
}
