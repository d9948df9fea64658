'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { addTax } from '@/components/orders/add-tax';
import { BriefSection, uploadingMessage, useFocusInvalid } from '@/components/orders/brief-fields';
import { OptionsSection, sumChosen } from '@/components/orders/options-section';
import { OrderFailureAlert } from '@/components/orders/order-failure';
import type { OrderFacts } from '@/components/orders/order-form';
import type { SentOrder } from '@/components/orders/send-order';
import { TaxProblem } from '@/components/orders/tax-problem';
import { useBriefDraft } from '@/components/orders/use-brief-draft';
import { useOutlook } from '@/components/orders/use-outlook';
import { useSendOrder } from '@/components/orders/use-send-order';
import { ProjectField, projectFieldName, useProjectChoice } from '@/components/projects/project-field';
import { siteHost } from '@/components/sites/site-text';
import { withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Money } from '@/components/ui/money';
import { formatRelConflict, hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import type { OfferedOption } from '@/lib/orders/options/contract';
import type { Linked } from '@/lib/sites/responses';
import { DuplicatesDialog } from './cart-dialogs';
import { cartMessages, cartPagePath } from './cart-messages';
import { OrderedNote } from './cart-notices';
import { OrderBar } from './order-bar';
import { SiteMarks } from './site-marks';

type SiteCheckoutProps = OrderFacts & {
  /** `priceCents` in USD cents. */
  site: { id: number; name: string; url: string; follow: boolean; priceCents: number; words: number };
  /** What the site offers besides the placement. */
  options: readonly OfferedOption[];
  /** The project of the URL; '' for none. */
  projectId: string;
  /** Whether the site links to that project. */
  linked: Linked;
};

/** Renders the checkout of one site, which no cart holds: cancelled, it leaves nothing. */
export function SiteCheckout({ site, options, projectId, linked, ...facts }: SiteCheckoutProps) {
  const router = useRouter();
  const project = useProjectChoice(facts.projects, projectId);
  const briefs = useBriefDraft({
    userId: facts.userId,
    way: 'site',
    subject: String(site.id),
    project: project.project,
  });
  const [sent, setSent] = useState<SentOrder | null>(null);
  const order = useSendOrder({
    userId: facts.userId,
    messages: cartMessages,
    onStale: () => router.refresh(),
    onDone: (done) => {
      briefs.clear();
      setSent(done);
      order.finish();
      router.refresh();
    },
  });
  const body = useFocusInvalid(order.failure);
  const offer = { options, words: site.words };
  const total = addTax([site.priceCents + sumChosen(briefs.common, offer)], facts.tax);
  const outlook = useOutlook({
    isLimited: facts.isLimited,
    projectId: project.complaint ? '' : project.projectId,
    totalCents: total.totalCents,
    items: [{ siteId: site.id, rel: briefs.common.rel }],
  });
  const hrefOf = (id: string) => withParams(cartPagePath, {}, { site: site.id, project: id });

  const place = async (allowDuplicates = false) => {
    if (briefs.isUploading) return order.refuse(uploadingMessage);
    if (project.complaint) return order.refuse(project.complaint, projectFieldName);
    await order.send(
      {
        kind: 'custom',
        projectId: project.projectId,
        siteIds: [site.id],
        shownTotalCents: total.totalCents,
        rejectDuplicates: !allowDuplicates,
        ...briefs.request(),
      },
      hrefOf(project.projectId),
    );
  };

  if (sent) return <OrderedNote sent={sent} />;
  const errors = order.failure?.kind === 'duplicate' ? {} : (order.failure?.fields ?? {});
  const conflict = hasRelConflict(briefs.common.rel, site) ? formatRelConflict([site.name]) : null;
  return (
    <div ref={body} className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      {order.failure && order.failure.kind !== 'duplicate' ? (
        <OrderFailureAlert failure={order.failure} onRetry={() => place()} />
      ) : null}
      <section aria-label="Site" className="rounded-lg border border-line bg-surface px-4 py-3">
        <div className="flex items-start gap-3">
          <div className="mr-auto min-w-0">
            <h2 className="wrap-anywhere text-base text-ink">{site.name}</h2>
            <p className="truncate text-muted text-sm">{siteHost(site.url)}</p>
          </div>
          <Money amountMinor={site.priceCents} className="font-medium text-ink" />
        </div>
        <p className="mt-1 flex flex-wrap gap-1 empty:hidden">
          <SiteMarks
            state="ok"
            pause={null}
            priceCents={site.priceCents}
            shownPriceCents={site.priceCents}
            linked={linked}
            isDuplicate={false}
            refusals={outlook?.sites[site.id]}
          />
        </p>
      </section>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line bg-surface px-4 py-4">
        <ProjectField
          choice={{
            ...project,
            choose: (id) => {
              project.choose(id);
              // The links of the site are those of the project.
              router.replace(hrefOf(id), { scroll: false });
            },
          }}
          niches={facts.niches}
          postTypes={facts.postTypes}
          mayCreate={facts.mayCreateProjects}
          error={errors[projectFieldName]}
          onChange={order.forget}
        />
        <BriefSection briefs={briefs} errors={errors} projectId={project.projectId} onChange={order.forget} />
        <OptionsSection briefs={briefs} site={offer} error={errors['brief.options']} onChange={order.forget} />
      </div>
      {conflict ? <Alert tone="warning">{conflict}</Alert> : null}
      <TaxProblem tax={facts.tax} />
      <OrderBar
        count={1}
        total={total}
        balanceCents={facts.balanceCents}
        mayTopUp={facts.mayTopUp}
        outlook={outlook}
        pending={order.pending}
        onOrder={() => void place()}
        cancel={
          <Button
            disabled={order.pending}
            onClick={() => {
              briefs.clear();
              // Back to the list as it was, where the checkout was opened from it.
              if (window.history.length > 1) router.back();
              else router.push('/user/marketplace');
            }}
          >
            Cancel
          </Button>
        }
      />
      <DuplicatesDialog
        open={order.failure?.kind === 'duplicate'}
        sites={[{ name: site.name, reason: order.failure?.text ?? '' }]}
        onCancel={order.forget}
        onConfirm={() => void place(true)}
      />
    </div>
  );
}
