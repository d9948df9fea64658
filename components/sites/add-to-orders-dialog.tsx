'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { SelectField } from '@/components/form/select-field';
import { CreateProjectDialog } from '@/components/projects/create-project-dialog';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { type Basket, BasketList } from './basket-list';
import { OrderFailureAlert } from './order-failure-alert';
import { useAddToOrders } from './use-add-to-orders';
import type { Selection } from './use-selection';

export type ProjectChoice = { id: string; domain: string };

type AddToOrdersDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  selection: Selection;
  /** USD cents. */
  balanceCents: number;
  projects: readonly ProjectChoice[];
  niches: readonly string[];
  postTypes: readonly string[];
};

/** The selection, the project it is for, and what it does to the wallet. The server reads every price again. */
export function AddToOrdersDialog(props: AddToOrdersDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Add to orders"
      description="Each site becomes an order of its own, paid from your wallet."
      size="lg"
    >
      {/* Mounted with each opening: another opening is another order. */}
      <OrderForm {...props} />
    </Dialog>
  );
}

function OrderForm(props: AddToOrdersDialogProps) {
  const { onOpenChange, selection, balanceCents, niches, postTypes } = props;
  const [created, setCreated] = useState<readonly ProjectChoice[]>([]);
  const [creating, setCreating] = useState(false);
  const order = useAddToOrders({ selection, onDone: () => onOpenChange(false) });
  const projects = [...created, ...props.projects.filter(({ id }) => created.every((one) => one.id !== id))];
  const [projectId, setProjectId] = useState(projects.length === 1 ? (projects[0]?.id ?? '') : '');
  const send = () => order.send({ projectId, hasProjects: projects.length > 0 });
  const basket: Basket = { sites: selection.sites, gone: order.gone, balanceCents };
  return (
    <>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {order.failure ? <OrderFailureAlert failure={order.failure} onRetry={send} /> : null}
        {order.notice ? <Alert tone="warning">{order.notice}</Alert> : null}
        <div className="flex items-end gap-2">
          <SelectField
            name="projectId"
            label="Project"
            required
            className="min-w-0 flex-1"
            options={projects.map(({ id, domain }) => ({ value: id, label: domain }))}
            placeholder={projects.length > 0 ? 'Choose a project' : 'No project yet'}
            value={projectId}
            onChange={(event) => {
              setProjectId(event.target.value);
              order.forget();
            }}
          />
          <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setCreating(true)}>
            New project
          </Button>
        </div>
        <BasketList
          {...basket}
          onRemove={(id) => {
            selection.write(selection.sites.filter((site) => site.id !== id));
            order.forget();
          }}
        />
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={order.pending}>Cancel</Button>
        </DialogClose>
        <Button variant="primary" pending={order.pending} onClick={send}>
          Add to orders
        </Button>
      </DialogFooter>
      <CreateProjectDialog
        open={creating}
        onOpenChange={setCreating}
        niches={niches}
        postTypes={postTypes}
        failure={() => 'Create project failed'}
        onCreated={(project) => {
          setCreated([project, ...created]);
          setProjectId(project.id);
          order.forget();
        }}
      />
    </>
  );
}
