'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { FormError } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Money } from '@/components/ui/money';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { formatMoney } from '@/lib/money';
import { applyPricesAction, previewPricesAction } from '@/lib/sites/actions';
import type { PricePreview } from '@/lib/sites/pricing/apply-rules';
import type { NoPrice } from '@/lib/sites/pricing/price-by-rule';

type Priced = Extract<PricePreview, { rule: string }>;

const problems: Record<NoPrice, string> = {
  'no-rule': 'no rule applies',
  'no-seller-price': 'without a seller price',
  'no-rate': 'without an exchange rate for the currency',
  'out-of-range': 'with a price outside 0.01 to 1,000,000',
};

const countSites = (sites: number) => (sites === 1 ? '1 site' : `${sites.toLocaleString('en-US')} sites`);

const isChange = (site: PricePreview): site is Priced => 'rule' in site && site.newPriceCents !== site.priceCents;

type ApplyRulesDialogProps = {
  ids: readonly number[];
  /** Called after all prices were set. */
  onDone: () => void;
};

/** Previews the prices that the commission rules give to the selected sites, and sets them. */
export function ApplyRulesDialog({ ids, onDone }: ApplyRulesDialogProps) {
  const [preview, setPreview] = useState<readonly PricePreview[] | null>(null);
  const [error, setError] = useState<string>();
  const load = async () => {
    setPreview(null);
    setError(undefined);
    try {
      setPreview(await callAction(() => previewPricesAction({ ids: [...ids] })));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'The server didn’t respond. Please try again.');
    }
  };
  return (
    <FormDialog
      trigger={<Button size="sm">Apply rules</Button>}
      title={`Price ${countSites(ids.length)} by the commission rules`}
      description="Existing orders don’t change."
      size="xl"
      onOpenChange={(open) => {
        if (open) void load();
      }}
      submitLabel="Set prices"
      submit={async () => {
        const sites = (preview ?? []).filter(isChange).map(({ id, version, newPriceCents }) => ({
          ...{ id, version, priceCents: newPriceCents },
        }));
        if (sites.length === 0) throw new ApiError(400, 'No site gets another price.');
        const { changed, conflicts } = await callAction(() => applyPricesAction({ sites }));
        toast.success(`${countSites(changed)} priced.`, {
          description:
            conflicts > 0
              ? `${countSites(conflicts)} changed since the preview and kept the price. Apply the rules again to see why.`
              : undefined,
        });
        if (conflicts === 0) onDone();
      }}
      fallback={() => 'The prices couldn’t be set. Please try again.'}
    >
      {() =>
        preview ? (
          <Preview sites={preview} />
        ) : error ? (
          <FormError error={error} />
        ) : (
          <p className="text-muted text-sm">Loading the prices…</p>
        )
      }
    </FormDialog>
  );
}

function Preview({ sites }: { sites: readonly PricePreview[] }) {
  const changes = sites.filter(isChange);
  const same = sites.filter((site) => 'rule' in site).length - changes.length;
  const rest = [
    same > 0 ? `${countSites(same)} with this price already` : '',
    ...Object.entries(problems).map(([problem, text]) => {
      const without = sites.filter((site) => 'problem' in site && site.problem === problem).length;
      return without > 0 ? `${countSites(without)}: ${text}` : '';
    }),
  ].filter(Boolean);
  return (
    <>
      {changes.length > 0 ? (
        <section
          aria-label="New prices"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
          tabIndex={0}
          className="max-h-[60dvh] overflow-auto rounded-md border border-line"
        >
          <table className="w-full text-left text-sm">
            <caption className="sr-only">New prices</caption>
            <thead className="sticky top-0 bg-sunken text-muted text-xs">
              <tr>
                <th scope="col" className="px-3 py-1.5 font-medium">
                  Site
                </th>
                <th scope="col" className="px-3 py-1.5 text-right font-medium max-sm:hidden">
                  Seller
                </th>
                <th scope="col" className="px-3 py-1.5 text-right font-medium">
                  Now
                </th>
                <th scope="col" className="px-3 py-1.5 text-right font-medium">
                  New
                </th>
                <th scope="col" className="px-3 py-1.5 text-right font-medium max-sm:hidden">
                  Difference
                </th>
                <th scope="col" className="px-3 py-1.5 font-medium max-sm:hidden">
                  Rule
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {changes.map((site) => (
                <PriceRow key={site.id} site={site} />
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <p className="text-ink text-sm">No site gets another price.</p>
      )}
      {rest.length > 0 ? <p className="text-muted text-sm">Not changed: {rest.join('; ')}.</p> : null}
    </>
  );
}

function PriceRow({ site }: { site: Priced }) {
  const { name, currency, sellerPriceCents, priceCents, newPriceCents, rule } = site;
  const difference = newPriceCents - (priceCents ?? 0);
  const change = priceCents === null ? '–' : `${difference > 0 ? '+' : ''}${formatMoney(difference, currency)}`;
  const money = (cents: number | null) => (cents === null ? '–' : <Money amountMinor={cents} currency={currency} />);
  return (
    <tr>
      <th scope="row" className="max-w-0 px-3 py-1.5 align-top font-medium text-ink max-sm:w-full sm:max-w-48">
        <span className="block truncate">{name}</span>
        <span className="block font-normal text-muted text-xs sm:hidden">{rule}</span>
      </th>
      <td className="whitespace-nowrap px-3 py-1.5 text-right text-muted max-sm:hidden">{money(sellerPriceCents)}</td>
      <td className="whitespace-nowrap px-3 py-1.5 text-right align-top text-muted">{money(priceCents)}</td>
      <td className="whitespace-nowrap px-3 py-1.5 text-right align-top font-medium text-ink">
        {money(newPriceCents)}
        <span className="block font-normal text-muted text-xs sm:hidden">{change}</span>
      </td>
      <td className="whitespace-nowrap px-3 py-1.5 text-right align-top text-muted max-sm:hidden">{change}</td>
      <td className="min-w-32 px-3 py-1.5 align-top text-muted max-sm:hidden">{rule}</td>
    </tr>
  );
}
