import Link from 'next/link';
import { Timeline } from '@/components/dashboard/timeline';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, noValue } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { type SearchParams, withParams } from '@/components/table/url';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { userLabel } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { requirePage } from '@/lib/auth/page-guard';
import { walletCurrency } from '@/lib/money';
import { listSiteOwners } from '@/lib/sites/managed-queries';
import { type CommissionRuleView, listCommissionRules, listRuleChanges } from '@/lib/sites/pricing/commission-rules';
import { formatMargin } from '@/lib/sites/pricing/price-by-rule';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { type RuleChoices, RuleEditor } from './_components/rule-editor';

const pathname = '/dashboard/features/commission-rules';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function CommissionRulesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageSites');
  const params = await searchParams;
  const [rules, changes, owners, { niches }] = await Promise.all([
    listCommissionRules(),
    listRuleChanges(),
    listSiteOwners(),
    getTaxonomy(),
  ]);
  const choices = { niches, sellers: owners.map((owner) => ({ value: owner.id, label: userLabel(owner) })) };
  return (
    <>
      <RecordList
        {...texts}
        actions={<RuleEditor rule={null} {...choices} />}
        caption="Commission rules"
        columns={ruleColumns(choices)}
        rows={rules}
        rowKey={({ id }) => id}
        pathname={pathname}
        searchParams={params}
        empty={{
          icon: <Icon name="percent" />,
          title: 'No rules yet',
          children:
            'Add a rule for all sites, so that approved sites go on sale with your margin. Without a rule, staff set each price.',
        }}
      />
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-2">
        <Explanation />
        <Card aria-label="Changes">
          <CardHeader title="Changes" />
          {changes.length === 0 ? (
            <EmptyState icon={<Icon name="rotate-ccw-clock" />} title="No changes yet">
              Each change of a rule is listed here and in the audit log.
            </EmptyState>
          ) : (
            <Timeline
              items={changes.map(({ id, at, by, details }) => ({
                id,
                at,
                detail: by,
                icon: <Icon name="rotate-ccw-clock" />,
                title: details,
              }))}
            />
          )}
        </Card>
      </div>
    </>
  );
}

/** Explains how a price is made, and which rule prevails. */
function Explanation() {
  return (
    <Card aria-label="How a price is set">
      <CardHeader title="How a price is set" />
      <CardBody className="grid gap-3 text-muted text-sm">
        <p>
          Public price = seller price plus the margin, rounded half up to the cent. Where the margin is below the
          minimum, the minimum is added instead.
        </p>
        <p>
          The most specific rule applies: a rule for the seller before one for the niche, before one for the currency,
          before the one for all sites. The list is in this order.
        </p>
        <p>
          A rule sets the price when a site is approved without a public price, or after the seller changed the price. A
          price that you enter yourself stays until then.
        </p>
        <p>
          A new rule changes no price by itself. To apply it, select sites in Guest Posts and choose Apply rules: you
          see the new prices first. Existing orders never change.
        </p>
      </CardBody>
    </Card>
  );
}

/** Renders what a rule applies to, as a link to the list of the sites. */
const RuleName = ({ rule: { name, sellerId, niche } }: { rule: CommissionRuleView }) => (
  <Link
    prefetch={false}
    href={withParams('/dashboard/features/guest-posts', {}, { userId: sellerId, niche })}
    className="wrap-anywhere rounded-sm font-medium text-ink hover:underline"
  >
    {name}
  </Link>
);

function ruleColumns(choices: RuleChoices): Column<CommissionRuleView>[] {
  return [
    {
      header: 'Applies to',
      phone: 'title',
      cell: (rule) => <RuleName rule={rule} />,
      className: 'w-1/2 min-w-48',
    },
    {
      header: 'Margin',
      phone: 'labeled',
      align: 'right',
      cell: ({ marginBasisPoints }) => formatMargin(marginBasisPoints),
    },
    {
      header: 'At least',
      phone: 'labeled',
      align: 'right',
      cell: (rule) => (rule.minimumCents === 0 ? noValue : <Minimum rule={rule} />),
    },
    actionsColumn((rule) => <RuleEditor rule={rule} {...choices} />, { phone: 'end' }),
  ];
}

/** Shows the smallest margin, in the rule's currency or USD. */
const Minimum = ({ rule: { minimumCents, currency } }: { rule: CommissionRuleView }) => (
  <Money amountMinor={minimumCents} currency={currency ?? walletCurrency} />
);
