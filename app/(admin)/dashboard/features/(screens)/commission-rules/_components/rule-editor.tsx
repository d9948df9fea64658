'use client';

import { ActionEditor } from '@/components/form/action-editor';
import { fieldText } from '@/components/form/entity-dialog';
import { getFormText } from '@/components/form/fields';
import { includeCurrent } from '@/components/sites/site-fields';
import { ApiError } from '@/lib/browser/api-client';
import { currencies, walletCurrency } from '@/lib/money';
import {
  createCommissionRuleAction,
  deleteCommissionRuleAction,
  updateCommissionRuleAction,
} from '@/lib/sites/actions';
import type { CommissionRuleView } from '@/lib/sites/pricing/commission-rules';

export type RuleChoices = { niches: readonly string[]; sellers: readonly { value: string; label: string }[] };

/** Edits or deletes a commission rule. Null: adds one. */
export function RuleEditor({ rule, niches, sellers }: RuleChoices & { rule: CommissionRuleView | null }) {
  return (
    <ActionEditor
      record={rule}
      noun="rule"
      subject="rule for"
      consequence="Prices that were set stay. New prices are set by the next rule that applies."
      labels={{ sellerId: 'Seller', niche: 'Niche', currency: 'Currency', margin: 'Margin', minimum: 'At least' }}
      shownAs={(row, field) => (field === 'sellerId' ? (row.seller ?? '') : fieldText(row, field))}
      valuesOf={(data) => {
        const currency = currencies.find((known) => known === getFormText(data, 'currency'));
        const margin = getFormText(data, 'margin').trim();
        if (margin === '') throw new ApiError(400, 'Enter a margin.', { margin: 'Enter a margin.' });
        return {
          ...{ sellerId: getFormText(data, 'sellerId'), niche: getFormText(data, 'niche'), currency: currency ?? null },
          ...{ margin, minimum: getFormText(data, 'minimum') },
        };
      }}
      create={createCommissionRuleAction}
      update={updateCommissionRuleAction}
      remove={deleteCommissionRuleAction}
      description="For the sites that match. Leave all three open for the rule of all sites."
      fields={(row) => [
        {
          columns: 'sm:grid-cols-3',
          fields: [
            {
              name: 'sellerId',
              label: 'Seller',
              placeholder: 'Any seller',
              options: withSeller(sellers, row),
            },
            {
              name: 'niche',
              label: 'Niche',
              placeholder: 'Any niche',
              options: row?.niche ? includeCurrent(niches, row.niche) : niches,
            },
            { name: 'currency', label: 'Currency', placeholder: 'Any currency', options: currencies },
          ],
        },
        {
          columns: 'sm:grid-cols-2',
          fields: [
            {
              name: 'margin',
              label: 'Margin',
              required: true,
              type: 'number',
              min: 0,
              max: 1_000,
              step: '0.01',
              trailing: '%',
              hint: 'Of the seller’s price: 0 to 1,000, with up to two decimals.',
            },
            {
              name: 'minimum',
              label: 'At least',
              type: 'number',
              min: 0,
              step: '0.01',
              currency: walletCurrency,
              currencyField: 'currency',
              hint: 'The smallest margin, in the chosen currency. In USD for any currency.',
            },
          ],
        },
      ]}
    />
  );
}

/** The sellers with sites, and that of the rule. */
const withSeller = (sellers: RuleChoices['sellers'], row: CommissionRuleView | null) =>
  !row?.sellerId || sellers.some(({ value }) => value === row.sellerId)
    ? sellers
    : [{ value: row.sellerId, label: row.seller ?? row.sellerId }, ...sellers];
