'use client';

import Link from 'next/link';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { emptyBrief } from '@/components/orders/brief-draft';
import { useFocusInvalid } from '@/components/orders/brief-fields';
import { OrderFailureAlert } from '@/components/orders/order-failure';
import type { OrderFacts } from '@/components/orders/order-form';
import { TaxProblem } from '@/components/orders/tax-problem';
import { ProjectField, projectFieldName, useProjectChoice } from '@/components/projects/project-field';
import { Alert } from '@/components/ui/alert';
import { Button, IconButton } from '@/components/ui/button';
import { countOf } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { Cart } from '@/lib/orders/carts/contract';
import { briefColumns } from './brief-columns';
import { BriefGrid } from './brief-grid';
import { BriefDialog, CartMenu, DuplicatesDialog } from './cart-dialogs';
import { EmptyCart, MergedAlert, OrderedNote, SaveState } from './cart-notices';
import { CartOptions } from './cart-options';
import { isUnavailable, listAllNotes } from './cell-notes';
import type { Cell } from './grid-keys';
import { ImportCart } from './import-cart';
import { OrderBar } from './order-bar';
import { SiteCards } from './site-cards';
import { useCartEditor } from './use-cart-editor';
import { useCartOrder } from './use-cart-order';

type CartScreenProps = OrderFacts & {
  cart: Cart;
  /** The project of the URL, for the cart without one. */
  projectId: string;
  /** Whether staff views the cart, which shows neither controls nor the wallet. */
  isReadOnly: boolean;
};

/** Renders a cart: its sites with their briefs, and its order. */
export function CartScreen({ cart: given, projectId, isReadOnly, ...facts }: CartScreenProps) {
  const [editor, snapshot] = useCartEditor(given);
  const { cart, history, items } = snapshot;
  const { rows } = history;
  const project = useProjectChoice(facts.projects, cart.projectId ?? projectId);
  const [pasted, setPasted] = useState<{ text: string; isPartial: boolean } | null>(null);
  const [dialog, setDialog] = useState<OpenedBrief>({ siteId: null, part: 'brief', isOpen: false });
  const focusCell = useRef<(cell: Cell) => void>(null);
  const nameOf = (siteId: number) => items.get(siteId)?.name ?? `Site #${siteId}`;

  const goToProblem = () => {
    const now = editor.get();
    const notes = listAllNotes(now);
    for (const [index, { siteId }] of now.history.rows.entries()) {
      const column = briefColumns.findIndex(({ key }) => notes.get(siteId)?.get(key)?.tone === 'problem');
      if (column >= 0) return focusCell.current?.({ row: index + 1, column: column + 1 });
    }
  };
  const { order, sent, total, outlook, duplicates } = useCartOrder({
    userId: facts.userId,
    editor,
    snapshot,
    project,
    tax: facts.tax,
    isLimited: facts.isLimited && !isReadOnly,
    onProblem: goToProblem,
  });
  const choices = useFocusInvalid(order.failure);

  const change = (next: typeof rows) => {
    order.forget();
    setPasted(null);
    editor.setRows(next);
  };
  const unavailable = rows.filter(({ siteId }) => isUnavailable(items.get(siteId)));
  const problems = [...listAllNotes(snapshot).values()].flatMap((notes) =>
    [...notes.values()].filter(({ tone }) => tone === 'problem'),
  ).length;
  const openBrief = (part: OpenedBrief['part']) => (siteId: number | null) => setDialog({ siteId, part, isOpen: true });
  const owner = facts.projects.find(({ id }) => id === cart.projectId);

  return (
    <>
      {sent && rows.length === 0 ? <OrderedNote sent={sent} /> : null}
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="wrap-anywhere min-w-0 text-base text-ink">{cart.name}</h2>
        {owner ? (
          <Link
            prefetch={false}
            href={`/user/projects/${owner.id}`}
            className="rounded-sm text-accent-ink text-sm hover:underline"
          >
            Project {owner.domain}
          </Link>
        ) : null}
        {isReadOnly ? null : (
          <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-2">
            <ImportCart cartId={cart.id} onAdded={() => void editor.reload().then(editor.dismissNotice)} />
            <SaveState state={snapshot.state} onSave={() => void editor.save()} />
            <CartMenu name={cart.name} editor={editor} isEmpty={rows.length === 0} />
          </div>
        )}
      </div>
      <div className="grid gap-3 empty:hidden">
        {order.failure && order.failure.kind !== 'duplicate' ? (
          <OrderFailureAlert failure={order.failure} onRetry={order.retry} />
        ) : null}
        {snapshot.error ? <Alert tone="error">The cart could not be saved: {snapshot.error}</Alert> : null}
        {snapshot.notice ? (
          <MergedAlert
            notice={snapshot.notice}
            nameOf={nameOf}
            onPutBack={() => {
              editor.setRows([...rows, ...(snapshot.notice?.removed ?? [])]);
              editor.dismissNotice();
            }}
            onDismiss={editor.dismissNotice}
          />
        ) : null}
        {unavailable.length > 0 ? (
          <Alert
            tone="warning"
            action={
              isReadOnly ? null : (
                <Button size="sm" onClick={() => change(rows.filter((row) => !unavailable.includes(row)))}>
                  Remove {unavailable.length === 1 ? 'it' : 'them'}
                </Button>
              )
            }
          >
            {unavailable.length === 1
              ? `${nameOf(unavailable[0]?.siteId ?? 0)} cannot be ordered now.`
              : `${unavailable.length} sites cannot be ordered now.`}
          </Alert>
        ) : null}
        {pasted ? <Alert tone={pasted.isPartial ? 'warning' : 'success'}>{pasted.text}</Alert> : null}
      </div>
      {rows.length === 0 ? (
        <EmptyCart>
          {history.past.length > 0 && !isReadOnly ? <Button onClick={editor.undo}>Undo</Button> : null}
        </EmptyCart>
      ) : (
        <>
          {isReadOnly ? null : (
            <div ref={choices} className="mt-3 mb-3 flex flex-wrap items-end gap-2">
              {cart.projectId === null ? (
                <div className="mr-2 w-full max-w-md">
                  <ProjectField
                    choice={project}
                    niches={facts.niches}
                    postTypes={facts.postTypes}
                    mayCreate={facts.mayCreateProjects}
                    error={order.failure?.fields?.[projectFieldName]}
                    onChange={order.forget}
                  />
                </div>
              ) : null}
              <ProposeAnchors
                projectId={project.projectId}
                empty={rows.filter(({ brief }) => brief.anchor === '').length}
                onProposed={(anchors) => {
                  const left = [...anchors];
                  change(
                    rows.map((row) =>
                      row.brief.anchor === '' ? { ...row, brief: { ...row.brief, anchor: left.shift() ?? '' } } : row,
                    ),
                  );
                }}
              />
              <IconButton label="Undo" variant="secondary" disabled={history.past.length === 0} onClick={editor.undo}>
                <Icon name="undo-2" />
              </IconButton>
              <IconButton label="Redo" variant="secondary" disabled={history.future.length === 0} onClick={editor.redo}>
                <Icon name="redo-2" />
              </IconButton>
              {problems > 0 ? (
                <Button size="sm" className="max-md:hidden" onClick={goToProblem}>
                  {countOf(problems, 'cell')} to correct
                </Button>
              ) : null}
            </div>
          )}
          <div className="max-md:hidden">
            <BriefGrid
              {...{ snapshot, isReadOnly, focusCell }}
              refusals={outlook?.sites}
              projectTargetUrl={project.project?.targetUrl ?? ''}
              onChange={change}
              onUndo={editor.undo}
              onRedo={editor.redo}
              onArticle={openBrief('article')}
              onPasted={setPasted}
            />
            <p id="brief-grid-keys" className="mt-2 text-muted text-xs">
              {isReadOnly
                ? 'The arrow keys move between the cells.'
                : 'Enter edits a cell and moves down, Tab moves on, Escape cancels. Ctrl+D fills down, Delete clears, Ctrl+Z undoes. Copy and paste work with spreadsheets, also with column names and a column of domains.'}
            </p>
          </div>
          <div className="md:hidden">
            <SiteCards
              {...{ snapshot, isReadOnly }}
              refusals={outlook?.sites}
              onChange={change}
              onBrief={openBrief('brief')}
            />
          </div>
          <CartOptions {...{ snapshot, isReadOnly }} onChange={change} />
          {isReadOnly ? null : <TaxProblem tax={facts.tax} className="mt-4" />}
          {isReadOnly ? null : (
            <OrderBar
              count={rows.length - unavailable.length}
              balanceCents={facts.balanceCents}
              mayTopUp={facts.mayTopUp}
              {...{ total, outlook }}
              pending={order.pending}
              onOrder={() => void order.place()}
            />
          )}
        </>
      )}
      <BriefDialog
        part={dialog.part}
        name={dialog.siteId === null ? 'all sites' : nameOf(dialog.siteId)}
        texts={rows.find(({ siteId }) => siteId === dialog.siteId)?.brief ?? emptyBrief}
        errors={errorsOf(snapshot, dialog.siteId)}
        open={dialog.isOpen}
        onOpenChange={(isOpen) => setDialog((before) => ({ ...before, isOpen }))}
        onSave={(edit) =>
          change(
            rows.map((row) =>
              dialog.siteId === null || row.siteId === dialog.siteId
                ? { ...row, brief: { ...row.brief, ...edit } }
                : row,
            ),
          )
        }
      />
      <DuplicatesDialog
        open={duplicates.length > 0}
        sites={duplicates.map(([siteId, reason]) => ({ name: nameOf(Number(siteId)), reason }))}
        onCancel={order.forget}
        onConfirm={() => void order.place(true)}
      />
    </>
  );
}

/** The brief that a dialog shows: of a site, or of all. It stays while the dialog closes. */
type OpenedBrief = { siteId: number | null; part: 'brief' | 'article'; isOpen: boolean };

function errorsOf({ cart }: { cart: Cart }, siteId: number | null): Record<string, string> {
  const problems = cart.items.find((item) => item.siteId === siteId)?.problems ?? [];
  return Object.fromEntries(problems.map(({ field, message }) => [field, message]));
}

type ProposeAnchorsProps = {
  projectId: string;
  /** The number of sites without an anchor text. */
  empty: number;
  onProposed: (anchors: readonly string[]) => void;
};

/** Fills the empty anchor texts from the anchor plan of the project. */
function ProposeAnchors({ projectId, empty, onProposed }: ProposeAnchorsProps) {
  const [pending, setPending] = useState(false);
  const propose = async () => {
    setPending(true);
    try {
      const path = `/api/user/projects/${projectId}/anchor-plan/next?count=${empty}`;
      const { anchors } = await apiFetch<{ anchors: { text: string }[] }>(path).catch(redirectIfSignedOut);
      const texts = anchors.map(({ text }) => text);
      if (texts.some((text) => text !== '')) onProposed(texts);
      else toast.info('The anchor plan of this project has no texts to propose. Add them on the page of the project.');
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'The anchor texts could not be proposed. Try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      size="sm"
      pending={pending}
      disabled={projectId === '' || empty === 0}
      onClick={() => void propose()}
      data-tooltip={empty === 0 ? 'Every site has an anchor text' : 'Fills the empty anchor texts by the anchor plan'}
    >
      Propose anchors
    </Button>
  );
}
