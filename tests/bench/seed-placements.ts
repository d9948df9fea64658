import type postgres from 'postgres';

/** A brief for every order, and placements with their events, disputes and a few messages. Reads the table `plan` of seed-scale.ts. */
export async function seedPlacements(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into order_briefs (order_id, target_url, anchor, created_at, updated_at)
    select n, target_url, 'spade', at, at from plan order by n`;
  await sql`
    insert into placements (order_id, seller_id, buyer_id, state, seller_cents, margin_cents, seller_returned_cents,
      margin_returned_cents, turnaround_days, answer_due_at, delivery_due_at, delivered_at, delivered_url, approve_due_at,
      approved_at, ended_at, next_action_at, created_at, updated_at)
    select n, seller_id, user_id, state, seller_cents, cents - seller_cents,
      case when state = 'declined' then seller_cents else 0 end,
      case when state = 'declined' then cents - seller_cents else 0 end, 5, at + interval '3 days',
      -- A third of the deliveries to come is late, and the others are due in the next weeks.
      case when state in ('accepted', 'in_revision') then now() + interval '1 minute' * (n * 7919 % 43200 - 14400)
        when state in ('delivered', 'disputed', 'approved', 'closed') then at + interval '8 days' end,
      case when state in ('delivered', 'in_revision', 'disputed', 'approved', 'closed') then at + interval '2 days' end,
      case when state in ('delivered', 'in_revision', 'disputed', 'approved', 'closed') then url || '/post-' || n else '' end,
      case when state = 'delivered' then at + interval '9 days' end,
      case when state in ('approved', 'closed') then at + interval '4 days' end,
      case when state in ('closed', 'declined') then at + interval '5 days' end,
      -- The job would process the whole history at once.
      case when state in ('offered', 'accepted', 'delivered') then now() + interval '30 days' end, at, at
    from plan where state is not null order by n`;
  await sql`
    insert into placement_events (order_id, action, from_state, to_state, actor_id, role, at)
    select n, step.action, step.before, step.after, case when step.role = 'buyer' then user_id else seller_id end,
      step.role, plan.at + step.wait
    from plan cross join lateral (values
      ('ordered', null, 'offered', 'buyer', interval '0'),
      ('declined', 'offered', 'declined', 'seller', interval '1 day'),
      ('accepted', 'offered', 'accepted', 'seller', interval '1 day'),
      ('delivered', 'accepted', 'delivered', 'seller', interval '2 days'),
      ('revision_requested', 'delivered', 'in_revision', 'buyer', interval '3 days'),
      ('disputed', 'delivered', 'disputed', 'buyer', interval '3 days'),
      ('approved', 'delivered', 'approved', 'buyer', interval '4 days'),
      ('closed', 'approved', 'closed', 'staff', interval '5 days')
    ) as step(action, before, after, role, wait)
    where step.after = plan.state or step.after = 'offered'
      or (step.after in ('accepted', 'delivered') and plan.state in ('delivered', 'in_revision', 'disputed', 'approved', 'closed'))
      or (step.after = 'approved' and plan.state = 'closed')
    order by n, step.wait`;
  await sql`
    insert into disputes (id, order_id, opened_by, role, reason, text, state, from_state, amount_cents, outcome, decided_at,
      created_at, updated_at)
    select pg_temp.id_at(at + interval '3 days', n), n, user_id, 'buyer',
      (array['not_as_briefed', 'link_missing', 'poor_quality', 'other'])[1 + n / 7 % 4], 'The link is missing.',
      case when state = 'disputed' then 'open' else 'withdrawn' end, 'delivered', cents,
      case when state <> 'disputed' then 'withdrawn' end, case when state <> 'disputed' then at + interval '4 days' end,
      at + interval '3 days', at + interval '3 days'
    from plan where state = 'disputed' or (state = 'approved' and n % 16 = 0) order by n`;
  // One room in a hundred has five messages, and the first has 500.
  await sql`
    insert into order_messages (order_id, author_id, role, text, at)
    select n, case when part % 2 = 0 then user_id else seller_id end, case when part % 2 = 0 then 'buyer' else 'seller' end,
      'Message ' || part || ' about the article.', at + interval '1 hour' * part
    from (select *, row_number() over (order by n) as nth from plan where state is not null) as rooms
    cross join lateral generate_series(1, case when nth = 1 then 500 when nth % 100 = 0 then 5 else 0 end) as part
    order by n, part`;
}

/** The shares of approved placements, as the table `shares` for the insertion of all transfers in the order of time. */
export async function seedEarnings(sql: postgres.Sql): Promise<void> {
  await sql`create temp table earnings as
    select n, at + interval '4 days' as at, seller_cents as amount, pending.id as account,
      row_number() over w as version, sum(seller_cents) over w as balance
    from plan join ledger.accounts pending on pending.kind = 'seller_pending' and pending.owner = seller_id
    where state in ('approved', 'closed') window w as (partition by seller_id order by at, n)`;
  await sql`create temp table shares as
    select pg_temp.id_at(at, 8 * n + 4) as id, 'earn:' || n as key, 'earning' as kind, reserved.id as from_account,
      account as to_account, amount, earnings.version, earnings.balance, n, at
    from earnings, ledger.accounts reserved where reserved.kind = 'reserved'
    union all
    select pg_temp.id_at(plan.at + interval '4 days', 8 * n + 5), 'margin:' || n, 'margin', reserved.id, revenue.id,
      cents - seller_cents, null, null, n, plan.at + interval '4 days'
    from plan, ledger.accounts reserved, ledger.accounts revenue
    where state in ('approved', 'closed') and cents > seller_cents and reserved.kind = 'reserved'
      and revenue.kind = 'revenue'`;
  await sql`
    update ledger.accounts set balance_cents = last.balance, version = last.version
    from (select distinct on (account) account, balance, version from earnings order by account, version desc) as last
    where accounts.id = last.account`;
}
