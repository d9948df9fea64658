import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LostLinks, NextDue, RecentActivity } from '@/app/(user)/user/_components/activity';
import { DrSpreadCard, SpendingCard } from '@/app/(user)/user/_components/charts';
import { FirstSteps, QuickActions } from '@/app/(user)/user/_components/first-steps';
import { MonthTiles, SummaryTiles, ToolsTile } from '@/app/(user)/user/_components/tiles';
import { ProjectField } from '@/components/projects/project-field';
import { userScreens } from '@/components/shell/user-nav';
import { accountRoles } from '@/db/enums';
import { type AccountRight, hasAccountRight } from '@/lib/access/account-roles';
import type { BuyerEvent } from '@/lib/dashboard/buyer';
import type { SpendingMonth } from '@/lib/wallet/spending';
import { routed, textOf as text } from '@/tests/setup/render-part';

const markupOf = (part: ReactNode) => renderToStaticMarkup(routed(part));
const open = { marketplace: true, packages: true };
const none = { total: 0, isCapped: false };
const has = () => true;
const noop = () => undefined;

describe('a dashboard section that failed to load', () => {
  it('shows an empty figure and keeps the other figures', () => {
    const shown = text(markupOf(<SummaryTiles projects={null} orders={null} balanceCents={12_345} has={has} />));
    expect(shown).toMatch(/Projects – .*Orders – – awaiting delivery .*Wallet \$123\.45 available to spend$/);
    expect(text(markupOf(<MonthTiles spending={null} links={null} has={has} />))).toMatch(
      /^Spent this month – on orders Live this month – new links$/,
    );
  });

  it('does not suggest steps that may already be done', () => {
    const props = {
      projects: { total: 0 },
      orders: { all: { total: 0 } },
      transactions: [],
      open,
    };
    expect(FirstSteps({ ...props, projects: null })).toBeNull();
    expect(FirstSteps({ ...props, orders: null })).toBeNull();
    expect(FirstSteps(props)).not.toBeNull();
  });
});

describe('the figures of the month', () => {
  const links = { live: { total: 3, isCapped: false }, lost: none, missing: { total: 1, isCapped: false } };

  it('are what was spent after refunds, and the links that went live and were lost', () => {
    const spending = { month: '2026-03', paidCents: 12_000, returnedCents: 2_000 };
    expect(text(markupOf(<MonthTiles spending={spending} links={links} has={has} />))).toMatch(
      /^Spent this month \$100\.00 after \$20\.00 in refunds Live this month 3 new links Lost this month 0 1 missing now$/,
    );
  });
});

describe('the dashboard of a member without the wallet', () => {
  const may = (right: AccountRight) => hasAccountRight('buyer', right);

  it('has neither the balance nor a link to the wallet', () => {
    const orders = { all: none, awaiting: none };
    const parts = [
      <SummaryTiles key="s" projects={none} orders={orders} balanceCents={null} has={may} />,
      <MonthTiles key="m" spending={null} links={null} has={may} />,
      <QuickActions key="q" open={open} has={may} seesAll />,
    ];
    const markup = markupOf(parts);
    expect(markup).not.toMatch(/wallet|spent/i);
    expect(markup).toContain('/user/orders?new=package');
  });
});

describe('the dashboard of a member', () => {
  const tools = [
    { label: 'Client reports', href: '/user/projects', right: 'account:orders' },
    { label: 'Webhooks', href: '/user/webhooks', right: 'account:programs' },
    { label: 'API guide', href: '/developers' },
  ] as const;

  it.each(accountRoles)('leads the role %s only to screens that it opens', (role) => {
    const may = (right: AccountRight) => hasAccountRight(role, right);
    const parts = [
      <SummaryTiles key="s" projects={none} orders={null} balanceCents={1} has={may} />,
      <MonthTiles key="m" spending={null} links={null} has={may} />,
      <ToolsTile key="t" tools={tools} has={may} />,
      <RecentActivity key="r" orders={[]} transactions={[]} has={may} />,
      <QuickActions key="q" open={open} has={may} seesAll={false} />,
    ];
    const hrefs = [...markupOf(parts).matchAll(/<a [^>]*href="([^"?]+)/g)].map(([, href]) => href);
    const closed = userScreens.filter(({ right }) => right && !may(right)).map(({ href }) => href);
    expect(hrefs).toContain('/developers');
    expect(hrefs.filter((href) => closed.includes(href ?? ''))).toEqual([]);
  });

  it('does not offer a new project to a member of certain projects', () => {
    expect(markupOf(<QuickActions open={open} has={has} seesAll={false} />)).not.toContain('projects?new');
    const choice = { projects: [], projectId: '', project: undefined, choose: noop, add: noop, complaint: null };
    const field = (mayCreate: boolean) =>
      markupOf(<ProjectField choice={choice} niches={[]} postTypes={[]} mayCreate={mayCreate} />);
    expect(field(true)).toContain('New project');
    expect(field(false)).not.toContain('New project');
  });
});

describe('the charts of a buyer', () => {
  const months: SpendingMonth[] = [
    { month: '2026-02', paidCents: 5_000, returnedCents: 0 },
    { month: '2026-03', paidCents: 12_000, returnedCents: 0 },
  ];
  const cells = (markup: string) =>
    [...markup.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => text(cell));

  it('have the spending of each month in a table, newest first', () => {
    const markup = markupOf(<SpendingCard months={months} />);
    expect(cells(markup)).toEqual(['Month', 'Spent', 'Mar 26', '$120.00', 'Feb 26', '$50.00']);
    expect(markup).toContain('aria-label="Spending by month. In twelve months: Spent $170.00."');
  });

  it('show refunds on their own, and what is left in the table', () => {
    const markup = markupOf(<SpendingCard months={[{ month: '2026-03', paidCents: 12_000, returnedCents: 2_500 }]} />);
    expect(cells(markup)).toEqual(['Month', 'Paid', 'Refunded', 'Spent', 'Mar 26', '$120.00', '$25.00', '$95.00']);
    expect(markup).toContain('Mar 26: Paid $120.00, Refunded $25.00');
  });

  it('have the number of placements of each DR, and are left out without any', () => {
    const counts = [0, 0, 0, 0, 2, 0, 0, 0, 0, 1];
    const markup = markupOf(<DrSpreadCard spread={{ counts, unknown: 3, isCapped: true }} />);
    expect(cells(markup)).toEqual(expect.arrayContaining(['40–49', '2', '90–100', '1', 'Unknown', '3']));
    expect(markup).toContain('sites in the newest 1,000 orders');
    expect(markup).toContain('aria-valuetext="DR 90–100: Placements 1"');
    expect(markup).not.toContain('$');
    const none = { counts: counts.map(() => 0), unknown: 3, isCapped: false };
    expect(markupOf(<DrSpreadCard spread={none} />)).toBe('');
  });
});

describe('the orders of a buyer that are due next', () => {
  const delivery = {
    ...{ id: 7, website: 'https://blog.example.com', state: 'accepted' as const, isLate: true },
    ...{ answerDueAt: '2026-03-01T00:00:00.000Z', deliveryDueAt: '2026-03-04T00:00:00.000Z' },
  };

  it('name the day, overdue ones in red, and link to their page', () => {
    const markup = markupOf(<NextDue deliveries={[delivery]} />);
    expect(text(markup)).toBe('Next due Waiting #7 blog.example.com Overdue since Mar 4');
    expect(markup).toContain('text-red-ink');
    expect(markup).toContain('href="/user/orders/7"');
    expect(markupOf(<NextDue deliveries={[]} />)).toBe('');
  });

  it('are followed by the links that were lost', () => {
    const lost = { id: 8, name: 'https://shop.example.com', lostAt: new Date(), missingSince: null };
    const missing = { ...lost, id: 9, lostAt: null, missingSince: new Date() };
    expect(text(markupOf(<LostLinks links={[lost, missing]} />))).toMatch(
      /^Lost and missing links To repair #8 shop\.example\.com Lost .+ #9 shop\.example\.com Missing since .+$/,
    );
  });
});

describe('a feature that an admin disabled', () => {
  const ready = {
    projects: { total: 1 },
    orders: { all: { total: 0 } },
    transactions: [
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
    ] satisfies BuyerEvent[],
  };
  const hrefs = (markup: string) => [...markup.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href);

  it('has no quick action', () => {
    const shown = (parts: typeof open) => hrefs(markupOf(<QuickActions open={parts} has={has} seesAll />));
    expect(shown(open)).toEqual(expect.arrayContaining(['/user/marketplace', '/user/orders?new=package']));
    expect(shown({ ...open, marketplace: false })).not.toContain('/user/marketplace');
    expect(shown({ ...open, packages: false })).not.toContain('/user/orders?new=package');
    expect(shown({ marketplace: false, packages: false })).toHaveLength(3);
  });

  it("is not suggested as a new buyer's first order", () => {
    const next = (parts: typeof open) => hrefs(markupOf(FirstSteps({ ...ready, open: parts })));
    expect(next(open)).toEqual(['/user/marketplace']);
    expect(next({ ...open, marketplace: false })).toEqual(['/user/orders?new=package']);
  });
});

describe('recent activity', () => {
  const event = (kind: 'order' | 'transaction', minute: number): BuyerEvent => {
    const common = { id: `${kind} ${minute}`, at: new Date(Date.UTC(2026, 0, 1, 0, minute)), amountCents: 100 };
    return kind === 'order'
      ? { ...common, kind, number: minute, what: `https://site-${minute}.example.com`, status: 'Pending' }
      : { ...common, kind, type: 'debit', note: `Note ${minute}`, method: 'Wallet', pending: null };
  };

  it('shows a pending top-up without the color of money, with the ways to continue and to cancel it', () => {
    const paid: BuyerEvent = {
      ...{ id: 'paid', at: new Date(), amountCents: 5_000, kind: 'transaction', type: 'credit' },
      ...{ note: 'Top-up', method: 'Stripe', pending: null },
    };
    const markupFor = (pending: Extract<BuyerEvent, { kind: 'transaction' }>['pending']) =>
      markupOf(RecentActivity({ orders: [], transactions: [{ ...paid, pending }], has }));
    expect(markupFor(null)).toContain('text-green-ink');
    const waiting = markupFor({ id: 'one', continueHref: 'https://pay.example.com/one' });
    expect(waiting).not.toContain('text-green-ink');
    expect(waiting).toContain('href="https://pay.example.com/one"');
    expect(text(waiting)).toMatch(/Pending .*Continue Cancel$/);
    expect(text(markupFor({ id: 'one', continueHref: null }))).not.toContain('Continue');
  });

  it('merges 5 orders and 5 transactions and shows the newest 6, newest first', () => {
    const orders = [9, 7, 5, 3, 1].map((minute) => event('order', minute));
    const transactions = [8, 6, 4, 2, 0].map((minute) => event('transaction', minute));
    const markup = markupOf(RecentActivity({ orders, transactions, has }));
    expect(markup.match(/site-\d|Note \d/g)).toEqual(['site-9', 'Note 8', 'site-7', 'Note 6', 'site-5', 'Note 4']);
    expect(markup).toContain('/user/orders?order=9');
  });

  it('shows one list when the other failed, and a message when both are empty', () => {
    const one = RecentActivity({ orders: [], transactions: [event('transaction', 1)], has });
    expect(text(markupOf(one))).toContain('Note 1');
    const empty = RecentActivity({ orders: [], transactions: [], has });
    expect(text(markupOf(empty))).toContain('No activity yet');
  });
});
