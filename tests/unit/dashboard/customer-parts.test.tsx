import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { FirstSteps } from '@/app/(user)/user/_components/first-steps';
import { QuickActions } from '@/app/(user)/user/_components/quick-actions';
import { RecentActivity } from '@/app/(user)/user/_components/recent-activity';
import { SummaryTiles } from '@/app/(user)/user/_components/summary-tiles';
import type { BuyerEvent } from '@/lib/dashboard/buyer';

/** Link requires a router context; rendering alone never uses it. */
const goNowhere = () => undefined;
const router: AppRouterInstance = {
  back: goNowhere,
  forward: goNowhere,
  refresh: goNowhere,
  push: goNowhere,
  replace: goNowhere,
  prefetch: goNowhere,
  bfcacheId: '',
};
const markupOf = (part: ReactNode) => renderToStaticMarkup(<AppRouterContext value={router}>{part}</AppRouterContext>);
const open = { marketplace: true, packages: true };
const later = async <T,>(value: T): Promise<T> => value;
const text = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('a dashboard section that failed to load', () => {
  it('shows an empty figure and keeps the other figures', async () => {
    const shown = text(
      markupOf(
        await SummaryTiles({
          projects: later(null),
          orders: later(null),
          balanceCents: later(12_345),
          savedFilters: later(null),
        }),
      ),
    );
    expect(shown).toMatch(/Projects – .*Orders – – awaiting delivery .*Wallet \$123\.45 .*Tools –/);
  });

  it('does not suggest steps that may already be done', async () => {
    const props = {
      projects: later({ total: 0 }),
      orders: later({ all: { total: 0 } }),
      transactions: later([]),
      open,
    };
    expect(await FirstSteps({ ...props, projects: later(null) })).toBeNull();
    expect(await FirstSteps({ ...props, orders: later(null) })).toBeNull();
    expect(await FirstSteps(props)).not.toBeNull();
  });
});

describe('a feature that an admin disabled', () => {
  const ready = {
    projects: later({ total: 1 }),
    orders: later({ all: { total: 0 } }),
    transactions: later<BuyerEvent[]>([
      {
        id: 'one',
        at: new Date(),
        amountCents: 100,
        kind: 'transaction',
        type: 'credit',
        note: '',
        method: '',
        pending: null,
      },
    ]),
  };
  const hrefs = (markup: string) => [...markup.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

  it('has no quick action', () => {
    const shown = (parts: typeof open) => hrefs(markupOf(<QuickActions open={parts} />));
    expect(shown(open)).toEqual(expect.arrayContaining(['/user/marketplace', '/user/orders?new=package']));
    expect(shown({ ...open, marketplace: false })).not.toContain('/user/marketplace');
    expect(shown({ ...open, packages: false })).not.toContain('/user/orders?new=package');
    expect(shown({ marketplace: false, packages: false })).toHaveLength(3);
  });

  it("is not suggested as a new buyer's first order", async () => {
    const next = async (parts: typeof open) => hrefs(markupOf(await FirstSteps({ ...ready, open: parts })));
    expect(await next(open)).toEqual(['/user/marketplace']);
    expect(await next({ ...open, marketplace: false })).toEqual(['/user/orders?new=package']);
  });
});

describe('recent activity', () => {
  const event = (kind: 'order' | 'transaction', minute: number): BuyerEvent => {
    const common = { id: `${kind} ${minute}`, at: new Date(Date.UTC(2026, 0, 1, 0, minute)), amountCents: 100 };
    return kind === 'order'
      ? { ...common, kind, number: minute, what: `https://site-${minute}.example.com`, status: 'Pending' }
      : { ...common, kind, type: 'debit', note: `Note ${minute}`, method: 'Wallet', pending: null };
  };

  it('shows a pending top-up without the color of money, with the ways to continue and to cancel it', async () => {
    const paid: BuyerEvent = {
      ...{ id: 'paid', at: new Date(), amountCents: 5_000, kind: 'transaction', type: 'credit' },
      ...{ note: 'Top-up', method: 'Stripe', pending: null },
    };
    const markupFor = async (pending: Extract<BuyerEvent, { kind: 'transaction' }>['pending']) =>
      markupOf(await RecentActivity({ orders: later([]), transactions: later([{ ...paid, pending }]) }));
    expect(await markupFor(null)).toContain('text-green-ink');
    const waiting = await markupFor({ id: 'one', continueHref: 'https://pay.example.com/one' });
    expect(waiting).not.toContain('text-green-ink');
    expect(waiting).toContain('href="https://pay.example.com/one"');
    expect(text(waiting)).toMatch(/Pending .*Continue Cancel$/);
    expect(text(await markupFor({ id: 'one', continueHref: null }))).not.toContain('Continue');
  });

  it('merges 5 orders and 5 transactions and shows the newest 6, newest first', async () => {
    const orders = [9, 7, 5, 3, 1].map((minute) => event('order', minute));
    const transactions = [8, 6, 4, 2, 0].map((minute) => event('transaction', minute));
    const markup = markupOf(await RecentActivity({ orders: later(orders), transactions: later(transactions) }));
    expect(markup.match(/site-\d|Note \d/g)).toEqual(['site-9', 'Note 8', 'site-7', 'Note 6', 'site-5', 'Note 4']);
    expect(markup).toContain('/user/orders?order=9');
  });

  it('shows one list when the other failed, and a message when both are empty', async () => {
    const one = await RecentActivity({ orders: later([]), transactions: later([event('transaction', 1)]) });
    expect(text(markupOf(one))).toContain('Note 1');
    const none = await RecentActivity({ orders: later([]), transactions: later([]) });
    expect(text(markupOf(none))).toContain('No activity yet');
  });
});
