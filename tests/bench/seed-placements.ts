import type postgres from 'postgres';

/** A brief for every order, and placements with their events, disputes and a few messages. Reads the table `plan` of seed-scale.ts. */
export async function seedPlacements(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into order_briefs (order_id, target_url, anchor, created_at, updated_at)
    select n, target_url, 'spade', at, at from plan order by n`;
  await sql`
    insert into placements (order_id, seller_id, buyer_id, state, seller_cents, margin_cents, seller_returned_cents,
      margin_returned_cents, turnaround_days, answer_due_at, answer, answer_role, answered_at, delivery_due_at, delivered_at, delivered_url, approve_due_at,
      approved_at, guarantee_starts_at, ripened_cents, ripen_count, ended_at, next_action_at, created_at, updated_at)
    select n, seller_id, account_id, state, seller_cents, cents - seller_cents,
      case when state = 'declined' then seller_cents else 0 end,
      case when state = 'declined' then cents - seller_cents else 0 end, 5, at + interval '3 days',
      case state when 'offered' then null when 'declined' then state else 'accepted' end,
      case when state <> 'offered' then 'seller' end, case when state <> 'offered' then at + interval '1 day' end,
      -- A third of the deliveries to come is late, and the others are due in the next weeks.
      case when state in ('accepted', 'in_revision') then now() + interval '1 minute' * (n * 7919 % 43200 - 14400)
        when state in ('delivered', 'disputed', 'approved', 'closed') then at + interval '8 days' end,
      case when state in ('delivered', 'in_revision', 'disputed', 'approved', 'closed') then at + interval '2 days' end,
      case when state in ('delivered', 'in_revision', 'disputed', 'approved', 'closed') then url || '/post-' || n else '' end,
      case when state = 'delivered' then at + interval '9 days' end,
      case when state in ('approved', 'closed') then at + interval '4 days' end,
      case when state in ('approved', 'closed') then at + interval '4 days' end,
      case state when 'approved' then seller_cents * 40 / 100 when 'closed' then seller_cents else 0 end,
      case when state in ('approved', 'closed') and seller_cents * 40 / 100 > 0 then 1 else 0 end
        + case when state = 'closed' then 1 else 0 end,
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

/**
 * The shares of approved placements, and the parts of them that became payable, as the table `shares` for the insertion of
 * all transfers in the order of time: 40 % at the approval, and the rest at the end of the guarantee.
 */
export async function seedEarnings(sql: postgres.Sql): Promise<void> {
  await sql`create temp table earnings as
    select plan.n, move.step, plan.at + move.wait as at, move.kind, move.key || plan.n || move.part as key, move.amount,
      pending.id as pending, payable.id as payable, sum(move.sign * move.amount) over w as balance,
      row_number() over w as version
    from plan
    join ledger.accounts pending on pending.kind = 'seller_pending' and pending.owner = seller_id
    join ledger.accounts payable on payable.kind = 'seller_payable' and payable.owner = seller_id
    cross join lateral (values
      (4, interval '4 days', 'earning', 'earn:', '', 1, seller_cents),
      (6, interval '4 days', 'ripening', 'ripen:', ':1', -1, seller_cents * 40 / 100),
      (7, interval '5 days', 'ripening', 'ripen:', case when seller_cents * 40 / 100 > 0 then ':2' else ':1' end, -1,
        case when state = 'closed' then seller_cents - seller_cents * 40 / 100 else 0 end)
    ) as move(step, wait, kind, key, part, sign, amount)
    where state in ('approved', 'closed') and move.amount > 0
    window w as (partition by seller_id order by plan.at + move.wait, plan.n, move.step)`;
  // What became payable, and what was paid out of it (seed-payouts.ts).
  await sql`create temp table payables as
    select n, step, row_number() over w as version, sum(amount) over w as balance, payable
    from (
      select n, step, at, amount, payable from earnings where kind = 'ripening'
      union all
      select n, 8, at, -amount, payable from paid_out
    ) as moves
    window w as (partition by payable order by at, n, step)`;
  await sql`create temp table payout_moves as
    select pg_temp.id_at(at, 8 * n + 3) as id, 'payout:' || paid_out.id as key, 'seller_payout' as kind,
      paid_out.payable as from_account, transit.id as to_account, amount, payables.version as from_version,
      payables.balance as from_balance,
      seller_id, 'Payout requested' as note, paid_out.id as payout_id, at
    from paid_out join payables using (n, payable), ledger.accounts transit
    where payables.step = 8 and transit.kind = 'payout_transit' and transit.owner = 'bank'
    union all
    select pg_temp.id_at(at + interval '2 days', 8 * n + 4), 'payout:' || paid_out.id || ':paid', 'seller_payout_paid',
      transit.id, bank.id, amount, null, null, seller_id, 'Payout paid', paid_out.id, at + interval '2 days'
    from paid_out, ledger.accounts transit, ledger.accounts bank
    where state = 'paid' and transit.kind = 'payout_transit' and transit.owner = 'bank' and bank.kind = 'bank'
      and bank.owner = 'payouts'`;
  await sql`create temp table shares as
    select pg_temp.id_at(at, 8 * n + step) as id, key, earnings.kind, reserved.id as from_account, pending as to_account,
      amount,
      null::bigint as from_version, null::numeric as from_balance, earnings.version as to_version, earnings.balance as to_balance, n, at
    from earnings, ledger.accounts reserved where reserved.kind = 'reserved' and earnings.kind = 'earning'
    union all
    select pg_temp.id_at(at, 8 * n + step), key, kind, pending, payable, amount, earnings.version, earnings.balance,
      payables.version, payables.balance, n, at
    from earnings join payables using (n, step, payable)
    union all
    select pg_temp.id_at(plan.at + interval '4 days', 8 * n + 5), 'margin:' || n, 'margin', reserved.id, revenue.id,
      cents - seller_cents, null, null, null, null, n, plan.at + interval '4 days'
    from plan, ledger.accounts reserved, ledger.accounts revenue
    where state in ('approved', 'closed') and cents > seller_cents and reserved.kind = 'reserved'
      and revenue.kind = 'revenue'`;
  await sql`
    update ledger.accounts set balance_cents = last.balance, version = last.version
    from (
      (select distinct on (pending) pending as account, balance, version from earnings order by pending, version desc)
      union all
      (select distinct on (payable) payable, balance, version from payables order by payable, version desc)
    ) as last
    where accounts.id = last.account`;
}

/**
 * Watched links of deliveries and of live links that staff published, with one or two checks each and a passport for each
 * link that was found. Reads the table `plan`.
 */
export async function seedLinks(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into link_watches (order_id, buyer_id, project_id, seller_id, site_url, page_url, host, target_url, anchor,
      verdict, checked_at, not_ok_since, broken_since, broken_confirmed_at, repair_due_at, unknown_since, started_at,
      next_check_at, ended_at, created_at, updated_at)
    select n, account_id, project_id, case when state is not null then seller_id end, url, url || '/post-' || n,
      substr(url, 9), target_url, 'spade', verdict, now() - interval '1 day',
      case when verdict in ('changed', 'broken') then now() - interval '3 days' end,
      case when verdict = 'broken' then now() - interval '3 days' end,
      case when verdict = 'broken' and n % 4 < 2 then now() - interval '2 days' end,
      case when verdict = 'broken' and n % 4 < 2 and state = 'approved' then now() + interval '5 days' end,
      case when verdict = 'unknown' then now() - interval '1 day' * (n % 20) end, at + interval '2 days',
      -- The job would check the whole history at once.
      case when not is_over then now() + interval '30 days' end, case when is_over then at + interval '94 days' end, at, at
    from (
      select *, coalesce(state, status) in ('closed', 'Completed') as is_over,
        case n / 7 % 20 when 0 then 'changed' when 1 then 'broken' when 2 then 'unknown' else 'ok' end as verdict
      from plan
      where state in ('delivered', 'in_revision', 'disputed', 'approved', 'closed')
        or (state is null and status in ('Live', 'Completed'))
    ) as linked order by n`;
  // The first link was checked 500 times.
  await sql`
    insert into link_checks (order_id, cause, page_url, target_url, verdict, status, final_url, found, indexable, reasons, at)
    select order_id, case when part = 1 then 'delivery' else 'schedule' end, page_url, target_url, verdict,
      case when verdict = 'unknown' then 403 else 200 end, page_url, verdict in ('ok', 'changed'), true,
      case verdict when 'changed' then '{rel_changed}' when 'broken' then '{link_missing}' else '{}' end::text[],
      started_at + interval '1 hour' * part
    from (select *, row_number() over (order by order_id) as nth from link_watches) as watches
    cross join lateral generate_series(1, case when nth = 1 then 500 when nth % 5 < 3 then 2 else 1 end) as part
    order by order_id, part`;
  await sql`
    insert into link_proofs (id, order_id, check_id, statement, signature, key_id, issued_at)
    select pg_temp.id_at(at, id), order_id, id, '{}', 'seed', 'seed', at from link_checks
    where verdict in ('ok', 'changed') order by id`;
  await sql`
    insert into link_digests (account_id, due_at)
    select buyer_id, now() + interval '30 days' from link_watches where ended_at is null group by buyer_id`;
}
