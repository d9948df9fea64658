import { sql } from 'drizzle-orm';
import type { CheckGroup, Scope } from './scope';

/** The key of the transfer that took a line's credit back; what the wallet did not hold has it with `:owed`. */
const takenKey = sql`'bank:' || l.id || ':taken:' || l.credits`;

/** Builds the CTEs: the covered lines of bank statements, their credits, and what else moved for them. */
const bankParts = (scope: Scope) => sql`
  bank_lines_covered as (select * from public.bank_lines l where ${scope.ofBankLine(sql`l.id`)}),
  bank_credits as (
    select l.id as line_id, t.id, t.kind, t.amount_cents, t.currency, f.kind as from_kind, g.kind as to_kind, g.owner,
      part.name, part.n, exists (select from ledger.transfers undone where undone.reverses_id = t.id)
        or part.name = 'credit' and part.n = l.credits and exists (
          select from ledger.transfers taken where taken.key in (${takenKey}, ${takenKey} || ':owed')) as is_undone
    from bank_lines_covered l
    cross join lateral generate_series(1, l.credits) as number(n)
    cross join lateral (values ('credit', number.n), ('bought', number.n), ('sold', number.n)) as part(name, n)
    join ledger.transfers t on t.key = 'bank:' || l.id || ':' || part.name || ':' || part.n
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
  )`;

/** Checks of bank transfers against the lines of bank statements. */
export const bankChecks = (scope: Scope): CheckGroup => ({
  parts: bankParts(scope),
  checks: [
    {
      name: 'Every credit of a bank statement arrived once with its amount',
      broken: sql`
      select l.id from bank_lines_covered l left join ledger.transfers t on t.key = 'bank:' || l.id
      left join ledger.accounts f on f.id = t.from_account
      where case when l.is_reversal then t.id is not null
        else (t.kind, f.kind, t.amount_cents, t.currency)
          is distinct from ('suspense', 'bank', l.amount_minor, l.currency) end`,
    },
    {
      name: 'Every matched bank transfer was credited once, to its buyer',
      broken: sql`
      select l.id from bank_lines_covered l
      left join bank_credits c on c.line_id = l.id and c.name = 'credit' and not c.is_undone
      group by l.id, l.state, l.credited_cents, l.account_id
      having count(c.id) <> case when l.state = 'matched' then 1 else 0 end
        or bool_or(c.n <> l.credits or c.kind <> 'topup' or c.amount_cents <> l.credited_cents
          or c.to_kind <> 'wallet' or c.owner <> l.account_id)`,
    },
    {
      name: 'Credits of transfers that the bank took back left the wallet, or are owed',
      broken: sql`
      select l.id from bank_lines_covered l
      join ledger.transfers t on t.key in (${takenKey}, ${takenKey} || ':owed')
      join ledger.accounts f on f.id = t.from_account
      left join ledger.transfers c on c.key = 'bank:' || l.id || ':credit:' || l.credits
      group by l.id, l.state, l.account_id, c.id, c.amount_cents
      having l.state <> 'returned' or sum(t.amount_cents) is distinct from c.amount_cents
        or exists (select from ledger.transfers undone where undone.reverses_id = c.id)
        or bool_or(t.kind <> 'bank_reversal' or t.currency <> 'USD' or f.owner <> l.account_id
          or f.kind <> case when t.key = ${takenKey} then 'wallet' else 'receivable' end)`,
    },
    {
      name: 'Bank transfers in another currency were exchanged for exactly their credit',
      broken: sql`
      select l.id from bank_lines_covered l
      left join bank_credits c on c.line_id = l.id and c.name <> 'credit' and not c.is_undone
      group by l.id, l.state, l.currency, l.credited_cents, l.amount_minor
      having count(c.id) <> case when l.state = 'matched' and l.currency <> 'USD' then 2 else 0 end
        or bool_or(c.kind <> 'exchange'
          or c.amount_cents <> case c.name when 'bought' then l.credited_cents else l.amount_minor end
          or c.currency <> case c.name when 'bought' then 'USD' else l.currency end)`,
    },
    {
      name: 'Bank transfers that were sent back left suspense, and no others',
      broken: sql`
      select l.id from bank_lines_covered l left join ledger.transfers t on t.key = 'bank:' || l.id || ':returned'
      where (t.id is not null) <> (l.state = 'returned' and not l.is_reversal)`,
    },
    {
      name: 'Every bank transfer in the books is a line of a bank statement',
      broken: sql`
      select t.id from scope t
      where (starts_with(t.key, 'bank:') or t.meta ? 'bankLine' or t.kind = 'bank_reversal') and not exists (
        select from public.bank_lines l where l.id = t.meta->>'bankLine' and l.credits >= case
          when t.key like 'bank:%:credit:%' then split_part(t.key, ':', 4)::int else 0 end
          and (t.kind <> 'bank_reversal' or t.key in (${takenKey}, ${takenKey} || ':owed')))`,
    },
    {
      name: 'A request of a bank transfer is paid if one of its transfers is credited',
      broken: sql`
      select r.id from public.bank_transfer_requests r
      where r.id in (select request_id from bank_lines_covered) and (r.state = 'paid') <> exists (
        select from public.bank_lines l where l.request_id = r.id and l.state = 'matched')`,
    },
  ],
});
