'use client';

import type { ReactNode, RefObject } from 'react';
import {
  type ProjectChoice,
  ProjectField,
  type ProjectOption,
  projectFieldName,
} from '@/components/projects/project-field';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import type { ShownTax } from '@/lib/tax/buyer-tax';
import { BriefSection } from './brief-fields';
import { type OrderFailure, OrderFailureAlert } from './order-failure';
import { payLabel } from './order-total';
import { type Funds, OutlookNote } from './outlook';
import { TaxProblem } from './tax-problem';
import type { OrderBrief } from './use-brief-draft';
import { useOutlook } from './use-outlook';

/** The buyer's data that an order requires. */
export type OrderFacts = Funds & {
  userId: string;
  projects: readonly ProjectOption[];
  /** Whether the buyer sees all projects of the account, and may create one. */
  mayCreateProjects: boolean;
  niches: readonly string[];
  postTypes: readonly string[];
  /** The tax on the orders; null while tax is off. */
  tax: ShownTax | null;
};

type OrderFormProps = {
  facts: Pick<OrderFacts, keyof Funds | 'mayCreateProjects' | 'niches' | 'postTypes' | 'tax'>;
  order: { pending: boolean; failure: OrderFailure | null; forget: () => void };
  project: ProjectChoice;
  /** The error of the project, where it is not the order's. */
  projectError?: string | undefined;
  briefs: OrderBrief;
  /** As returned by useFocusInvalid. */
  body: RefObject<HTMLDivElement | null>;
  send: () => Promise<void>;
  /** Inside a `<form>`, the button submits it. */
  isSubmit?: boolean;
  /** USD cents with tax; 0 while nothing is chosen. */
  totalCents: number;
  /** What is paid, e.g. "4 sites". */
  items?: string | undefined;
  /** The ordered site; null for a package. */
  siteId: number | null;
  above: ReactNode;
  /** What the buyer should know before paying; always in view above the buttons. */
  warning?: string | null;
  /** A field left of the project. */
  beside?: ReactNode;
  below?: ReactNode;
  /** Shown at the left of the buttons. */
  summary?: ReactNode;
  /** The control left of the button that pays, where it is not Cancel. */
  cancel?: ReactNode;
};

/** Renders body and footer of a dialog that orders: what is ordered, its project and its brief. */
export function OrderForm(props: OrderFormProps) {
  const { facts, order, project, briefs, send, isSubmit, totalCents, items } = props;
  const { balanceCents, mayTopUp, isLimited } = facts;
  const outlook = useOutlook({
    isLimited,
    projectId: project.complaint ? '' : project.projectId,
    totalCents,
    items: [{ siteId: props.siteId, rel: briefs.common.rel }],
  });
  const errors = order.failure?.fields ?? {};
  const projectField = (
    <ProjectField
      choice={project}
      niches={facts.niches}
      postTypes={facts.postTypes}
      mayCreate={facts.mayCreateProjects}
      error={props.projectError ?? errors[projectFieldName]}
      onChange={order.forget}
    />
  );
  return (
    <>
      <DialogBody ref={props.body} className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {order.failure ? <OrderFailureAlert failure={order.failure} onRetry={send} /> : null}
        {props.above}
        {props.beside ? (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-5 sm:grid-cols-[7rem_minmax(0,1fr)]">
            {props.beside}
            {projectField}
          </div>
        ) : (
          projectField
        )}
        <BriefSection briefs={briefs} errors={errors} projectId={project.projectId} onChange={order.forget} />
        {props.below}
      </DialogBody>
      {props.warning ? (
        <Alert tone="warning" className="rounded-none border-x-0 border-b-0 px-5">
          {props.warning}
        </Alert>
      ) : null}
      <TaxProblem tax={facts.tax} className="rounded-none border-x-0 border-b-0 px-5" />
      <OutlookNote outlook={outlook} balanceCents={balanceCents} className="rounded-none border-x-0 border-b-0 px-5" />
      <DialogFooter>
        {props.summary}
        {props.cancel ?? (
          <DialogClose>
            <Button disabled={order.pending}>Cancel</Button>
          </DialogClose>
        )}
        {outlook?.decision === 'refused' ? null : (
          <Button variant="primary" pending={order.pending} {...(isSubmit ? { type: 'submit' } : { onClick: send })}>
            {payLabel({ totalCents, balanceCents, mayTopUp, items, outlook })}
          </Button>
        )}
      </DialogFooter>
    </>
  );
}
