import { type SQL, sql } from 'drizzle-orm';

/** Where a proof begins that covers only what is new: the position and the time of the proof before it. */
export type ProofStart = { position: number; startedAt: Date };

/** The rows that a proof covers: CTEs for its statements, and conditions that are true for all rows in a whole proof. */
export type Scope = {
  isWhole: boolean;
  /**
   * CTEs: the covered transfers (`scope`), and with them all other transfers of the same orders, top-ups and statement
   * lines (`order_transfers`, `topup_transfers`, `line_transfers`), and the transfers of payouts (`payout_transfers`).
   * `kind_totals` is the balance of each account kind and currency; in a partial proof, that of the roll-up and the
   * transfers behind it.
   */
  parts: SQL;
  /** Selects the accounts that the covered transfers touch. */
  ofAccount: (account: SQL) => SQL;
  /**
   * Selects orders, top-ups and statement lines that covered transfers touch, or that changed. The placement of an order
   * counts as the order.
   */
  ofOrder: (orderId: SQL) => SQL;
  ofTopup: (topupId: SQL) => SQL;
  ofLine: (lineId: SQL) => SQL;
  ofPayout: (payoutId: SQL) => SQL;
  /** Selects lines of bank statements. */
  ofBankLine: (lineId: SQL) => SQL;
  /** Selects self-billed statements that were issued, or whose seller and month covered transfers touch. */
  ofStatement: (statementId: SQL) => SQL;
};

const isPayoutTransfer = sql`(kind in ('seller_payout', 'seller_payout_paid', 'seller_payout_fee', 'seller_payout_return')
  or kind = 'provider_fee' and key like 'payout:%')`;

const always = () => sql`true`;

/** Covers every row. */
export const wholeScope: Scope = {
  isWhole: true,
  parts: sql`
    scope as not materialized (select * from ledger.transfers),
    order_transfers as not materialized (select * from ledger.transfers),
    topup_transfers as not materialized (select * from ledger.transfers),
    line_transfers as not materialized (select * from ledger.transfers),
    payout_transfers as not materialized (select * from ledger.transfers where ${isPayoutTransfer}),
    kind_totals as (
      select a.kind, a.currency, sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) as balance
      from ledger.accounts a join scope t on a.id in (t.from_account, t.to_account)
      group by a.kind, a.currency
    )`,
  ofAccount: always,
  ofOrder: always,
  ofTopup: always,
  ofLine: always,
  ofPayout: always,
  ofBankLine: always,
  ofStatement: always,
};

/** Longer than any transaction, and than clocks differ: a row is written some time before it is visible. */
const margin = sql`interval '1 hour'`;
/** A statement may be read weeks after a payment, and its checks have a grace of days. */
const statementMargin = sql`interval '35 days'`;

/**
 * Covers the transfers behind a position, all transfers of the same orders, top-ups and statement lines, and the
 * orders, top-ups and statement lines that changed since.
 */
export function scopeSince({ position, startedAt }: ProofStart): Scope {
  const since = sql`${startedAt.toISOString()}::timestamptz - ${margin}`;
  // An array is looked up in an index, however many ids the planner expects.
  const isAmong = (value: SQL, name: string) => sql`${value} = any(array(select id from ${sql.raw(name)}))`;
  const isNew = isAmong(sql`id`, 'scope');
  const ofOrder = (id: SQL) => isAmong(id, 'scope_orders');
  const ofTopup = (id: SQL) => isAmong(id, 'scope_topups');
  const ofLine = (id: SQL) => isAmong(id, 'scope_lines');
  const ofPayout = (id: SQL) => isAmong(id, 'scope_payouts');
  return {
    isWhole: false,
    parts: sql`
      scope as materialized (select * from ledger.transfers where position > ${position}),
      scope_all as (
        select order_id, meta from scope
        union all select o.order_id, o.meta from scope s join ledger.transfers o on o.id = s.reverses_id
      ),
      scope_accounts as (
        select from_account as id from scope union select to_account from scope
        union select a.id from audit_logs l
        join ledger.accounts a on a.kind = 'wallet' and a.owner = l.entity_id
        where l.action = 'wallet.repaired' and l.timestamp > ${since}
      ),
      scope_orders as (
        select order_id as id from scope_all where order_id is not null
        union select id from orders where updated_at > ${since}
        union select order_id from placements where updated_at > ${since}
        union select order_id from order_changes where updated_at > ${since}
      ),
      scope_topups as (
        select meta->>'topupId' as id from scope_all where meta->>'topupId' is not null
        union select id from topups where updated_at > ${since}
        union select id from topups
        where updated_at > ${since} - ${statementMargin} and exists (select from settlement_positions)
        union select topup_id from payment_reversals where updated_at > ${since}
        union select topup_id from source_refunds where updated_at > ${since}
        union select topup_id from settlement_lines where read_at > ${since} and topup_id is not null
      ),
      scope_lines as (
        select meta->>'settlementLine' as id from scope where meta->>'settlementLine' is not null
        union select id from settlement_lines where read_at > ${since}
        union select id from settlement_lines where ${ofTopup(sql`topup_id`)}
      ),
      scope_payouts as (
        select split_part(key, ':', 2) as id from scope where ${isPayoutTransfer}
        union select id from payouts where updated_at > ${since}
      ),
      scope_bank_lines as (
        select meta->>'bankLine' as id from scope where meta->>'bankLine' is not null
        union select id from bank_lines where updated_at > ${since}
      ),
      scope_statements as (
        select id from seller_statements where issued_at > ${since}
        union select s.id from scope t
        join ledger.accounts a on a.id = t.from_account and a.kind = 'seller_pending' and t.kind = 'ripening'
        join seller_statements s on s.seller_id = a.owner
          and s.month = to_char(t.effective_at at time zone 'UTC', 'YYYY-MM')
      ),
      payout_transfers as materialized (
        select * from ledger.transfers
        where key = any(array(
          select 'payout:' || id || part from scope_payouts
          cross join unnest(array['', ':paid', ':fee', ':returned', ':fee-returned', ':provider-fee']) as part))
        union select * from scope where ${isPayoutTransfer}
      ),
      order_transfers as materialized (
        select * from ledger.transfers where ${ofOrder(sql`order_id`)} or ${isNew}
      ),
      topup_transfers as materialized (
        select * from ledger.transfers where ${ofTopup(sql`(meta->>'topupId')`)} or ${isNew}
      ),
      line_transfers as materialized (
        select * from ledger.transfers
        where ${ofLine(sql`(meta->>'settlementLine')`)} or ${ofTopup(sql`(meta->>'topupId')`)} or ${isNew}
      ),
      kind_totals as (
        select kind, currency, sum(cents) as balance from (
          select from_kind as kind, currency, -amount_cents as cents from flow_rollups
          union all select to_kind, currency, amount_cents from flow_rollups
          union all
          select a.kind, a.currency, case when t.to_account = a.id then t.amount_cents else -t.amount_cents end
          from scope t join ledger.accounts a on a.id in (t.from_account, t.to_account)
          where t.position > (select position from ledger_rollup)
        ) as cents group by kind, currency
      )`,
    ofAccount: (id) => isAmong(id, 'scope_accounts'),
    ofOrder,
    ofTopup,
    ofLine,
    ofPayout,
    ofBankLine: (id) => isAmong(id, 'scope_bank_lines'),
    ofStatement: (id) => isAmong(id, 'scope_statements'),
  };
}

/** An invariant of the ledger. */
type Check = {
  /** The invariant in words, for the admin who reads the report. */
  name: string;
  /** Query with one text column that identifies each row violating the invariant; empty while it holds. */
  broken: SQL;
};

/** Checks of one subject, and the CTEs that they share; null without any. The names of CTEs are unique in a proof. */
export type CheckGroup = { parts: SQL | null; checks: readonly Check[] };
