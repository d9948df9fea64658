import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { type AccountRole, accountRoles } from '@/db/enums';
import { accountControllers, accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { auditLogs } from '@/db/schema/audit';
import { notices } from '@/db/schema/notices';
import { users } from '@/db/schema/users';
import { accountCookie } from '@/lib/access/account-choice';
import type { Actor } from '@/lib/access/actor';
import { createAccount } from '@/lib/accounts/create';
import { inviteMember } from '@/lib/accounts/invite';
import { joinAccount } from '@/lib/accounts/join';
import { listAccounts, listInvitations, listMembers } from '@/lib/accounts/queries';
import { removeMember } from '@/lib/accounts/remove-member';
import { renameAccount } from '@/lib/accounts/rename';
import { switchAccount } from '@/lib/accounts/switch-account';
import { updateMember } from '@/lib/accounts/update-member';
import { withdrawInvitation } from '@/lib/accounts/withdraw-invitation';
import { authenticateToken } from '@/lib/auth/authenticate-token';
import { accountHeader, findActor } from '@/lib/auth/current-actor';
import { endSession } from '@/lib/auth/revoke-access';
import { sessionCookieName } from '@/lib/auth/session-token';
import type { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { updateUser } from '@/lib/users/users';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { joinTeam, makeTeam, makeTeamOf } from '@/tests/factories/make-team';
import { makeToken } from '@/tests/factories/make-token';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';
import { inRequest, nextHeaders } from '@/tests/setup/request-scope';
import { createSessionToken } from '@/tests/setup/session-token';
import { settle } from '@/tests/setup/settle';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

/** The only owner of a new account. */
const makeOwner = async (): Promise<Actor> => (await makeTeamOf(await makeUser())).owner;

type Values = { role?: AccountRole; projectIds?: string[]; monthlyLimitCents?: number };
const makeMember = async (accountId: string, { role = 'buyer', ...values }: Values = {}) =>
  joinTeam(await makeUser(), { accountId, accountName: '' }, role, values);

const newEmail = () => `${newId()}@example.com`;
const everything = { projectIds: 'all' as const, monthlyLimitCents: null };
const invitation = (email: string, role: AccountRole = 'buyer') => ({ email, role, ...everything });

/** The link of the newest mail to an address. */
const tokenOf = async (email: string) =>
  /invitations\/([\w-]+)/.exec((await outboxOf(email)).at(-1)?.text ?? '')?.[1] ?? '';

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (thrown: AppError) => thrown.code,
  );

const membershipOf = async ({ accountId, userId }: Actor) =>
  (
    await db()
      .select()
      .from(accountMembers)
      .where(and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, userId)))
  )[0];

const idOf = ({ accountId, userId }: Actor) => ({ accountId, userId });

describe('the roles', () => {
  const manages: Record<AccountRole, readonly AccountRole[]> = {
    owner: accountRoles,
    manager: ['buyer', 'client'],
    ...{ buyer: [], finance: [], client: [] },
  };
  let byRole: Record<AccountRole, Actor>;
  let accountId = '';
  beforeAll(async () => {
    const team = await makeTeam();
    accountId = team.accountId;
    byRole = team.members;
  });
  const actorIn = (role: AccountRole) => byRole[role];

  it('manage exactly those of the table, in each direction', async () => {
    const target = await makeMember(accountId);
    const isTarget = and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, target.userId));
    const wrong: string[] = [];
    const judge = async (what: string, mayDo: boolean, work: Promise<unknown>) => {
      const code = await codeOf(work);
      if (code !== (mayDo ? 'ok' : 'forbidden')) wrong.push(`${what}: ${code}`);
    };
    for (const by of accountRoles) {
      const actor = actorIn(by);
      await judge(`${by} lists`, by === 'owner' || by === 'manager', listMembers(actor, accountId));
      for (const from of accountRoles) {
        const isManaged = manages[by].includes(from);
        const { email } = await makeUser();
        await judge(`${by} invites ${from}`, isManaged, inviteMember(actor, accountId, invitation(email, from)));
        for (const to of accountRoles) {
          await db().update(accountMembers).set({ role: from }).where(isTarget);
          const mayDo = isManaged && manages[by].includes(to);
          await judge(`${by} makes ${from} ${to}`, mayDo, updateMember(actor, idOf(target), { role: to }));
        }
        const leaver = await makeMember(accountId, { role: from });
        await judge(`${by} removes ${from}`, isManaged, removeMember(actor, idOf(leaver)));
        if (!isManaged) await judge(`${from} leaves`, true, removeMember(leaver, idOf(leaver)));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('let a manager give no more than the manager has', async () => {
    const owner = actorIn('owner');
    const [seen, unseen] = await Promise.all([makeProject(owner, { accountId }), makeProject(owner, { accountId })]);
    const manager = await makeMember(accountId, { role: 'manager', projectIds: [seen], monthlyLimitCents: 10_000 });
    const given = (projectIds: 'all' | string[], monthlyLimitCents: number | null, role: AccountRole = 'buyer') =>
      codeOf(inviteMember(manager, accountId, { email: newEmail(), role, projectIds, monthlyLimitCents }));
    expect(await given([seen], 10_000)).toBe('ok');
    // The limit of a role that does not order counts for nothing.
    expect(await given([seen], null, 'client')).toBe('ok');
    for (const [projectIds, limit] of [
      ['all', 10_000],
      [[seen, unseen], 10_000],
      [[seen], 10_001],
      [[seen], null],
    ] as const) {
      expect(await given(projectIds === 'all' ? 'all' : [...projectIds], limit)).toBe('forbidden');
    }
    const other = await makeMember(accountId, { projectIds: [seen, unseen], monthlyLimitCents: 5_000 });
    expect(await codeOf(updateMember(manager, idOf(other), { projectIds: [seen] }))).toBe('forbidden');
    expect(await codeOf(removeMember(manager, idOf(other)))).toBe('forbidden');
  });

  it('name projects of the account that exist, and no part of them for an owner', async () => {
    const owner = actorIn('owner');
    const foreign = await makeProject(await makeUser());
    const deleted = await makeProject(owner, { accountId, deletedAt: new Date() });
    for (const projectId of [foreign, deleted, newId()]) {
      const input = { email: newEmail(), role: 'buyer' as const, projectIds: [projectId], monthlyLimitCents: null };
      expect(await codeOf(inviteMember(owner, accountId, input))).toBe('unprocessable');
    }
    const member = await makeMember(accountId);
    expect(await codeOf(updateMember(owner, idOf(member), { role: 'owner', projectIds: [] }))).toBe('unprocessable');
  });

  it('keep the person of a personal account its owner', async () => {
    const person = await makeUser();
    const second = await joinTeam(await makeUser(), person, 'owner');
    const own = { accountId: person.accountId, userId: person.userId };
    for (const actor of [person, second]) {
      expect(await codeOf(updateMember(actor, own, { role: 'client' }))).toBe('conflict');
      expect(await codeOf(removeMember(actor, own))).toBe('conflict');
    }
    expect(await codeOf(renameAccount(second, person.accountId, { name: 'Mine' }))).toBe('conflict');
  });
});

describe('the last owner', () => {
  it('stays, also when two owners leave or step down at once, and a suspended owner does not count', async () => {
    for (const leave of [
      (actor: Actor) => removeMember(actor, idOf(actor)),
      (actor: Actor) => updateMember(actor, idOf(actor), { role: 'buyer' }),
    ]) {
      const first = await makeOwner();
      const second = await makeMember(first.accountId, { role: 'owner' });
      const { values, codes } = await settle<unknown>([leave(first), leave(second)]);
      expect([values.length, codes]).toEqual([1, ['conflict']]);
      const owners = (await db().select().from(accountMembers).where(eq(accountMembers.accountId, first.accountId)))
        .filter(({ role }) => role === 'owner')
        .map(({ userId }) => userId);
      expect(owners).toHaveLength(1);
      const [account] = await db().select().from(accounts).where(eq(accounts.id, first.accountId));
      const stays = owners[0] === first.userId ? first : second;
      expect(account?.email).toBe(stays.email);
      const suspended = await makeMember(first.accountId, { role: 'owner' });
      await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, suspended.userId));
      expect(await codeOf(leave(stays))).toBe('conflict');
    }
  });
});

describe('an invitation', () => {
  it('makes the addressed user a member, once, also for concurrent calls', async () => {
    const owner = await makeOwner();
    const projectId = await makeProject(owner, { accountId: owner.accountId });
    const guest = await makeUser();
    const sent = await inviteMember(owner, owner.accountId, {
      ...{ email: guest.email.toUpperCase(), role: 'buyer', projectIds: [projectId], monthlyLimitCents: 7_500 },
    });
    const [mail] = await outboxOf(guest.email.toUpperCase());
    expect(mail?.text).toContain(owner.accountName);
    expect(mail?.text).toContain(owner.email);
    const token = await tokenOf(guest.email.toUpperCase());
    expect(
      (await db().select().from(accountInvitations).where(eq(accountInvitations.id, sent.id)))[0]?.tokenHash,
    ).not.toContain(token);

    const stranger = await makeUser();
    expect(await codeOf(joinAccount(stranger, token))).toBe('forbidden');
    expect(await codeOf(joinAccount(guest, `${token}x`))).toBe('not_found');
    const { values, codes } = await settle(Array.from({ length: 3 }, () => joinAccount(guest, token)));
    expect(values).toEqual([
      { account: { id: owner.accountId, name: owner.accountName, kind: 'team', role: 'buyer' } },
    ]);
    expect(codes.every((code) => code === 'conflict' || code === 'not_found')).toBe(true);
    expect(await membershipOf({ ...guest, accountId: owner.accountId })).toMatchObject({
      ...{ role: 'buyer', projectIds: [projectId], monthlyLimitCents: 7_500 },
    });
    const controllers = await db()
      .select()
      .from(accountControllers)
      .where(eq(accountControllers.accountId, owner.accountId));
    expect(controllers.map(({ controllerId }) => controllerId)).toContain(guest.userId);
    expect((await listAccounts(guest)).map(({ id }) => id)).toEqual([guest.userId, owner.accountId]);
    expect((await outboxOf(owner.email)).at(-1)?.subject).toContain(guest.email);
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, owner.accountId))
      .orderBy(auditLogs.id);
    expect(lines.map(({ action }) => action)).toEqual(['member.invited', 'member.joined']);
    expect(lines.every(({ details }) => details.includes(owner.accountName))).toBe(true);
  });

  it('ends when it is replaced, withdrawn or old, and with the rights of who sent it', async () => {
    const owner = await makeOwner();
    const { accountId } = owner;
    const admin = await makeUser('Admin');
    const ends: Record<string, (sent: { id: string; email: string }, manager: Actor) => Promise<unknown>> = {
      replaced: ({ email }) => inviteMember(owner, accountId, invitation(email)),
      withdrawn: ({ id }) => withdrawInvitation(owner, { accountId, invitationId: id }),
      old: ({ id }) =>
        db().update(accountInvitations).set({ expiresAt: sql`now()` }).where(eq(accountInvitations.id, id)),
      'sent by a former manager': (_, manager) => updateMember(owner, idOf(manager), { role: 'buyer' }),
      'sent by who was removed': (_, manager) => removeMember(owner, idOf(manager)),
      'of more than the manager has now': (_, manager) => updateMember(owner, idOf(manager), { monthlyLimitCents: 1 }),
      'sent by who was suspended': (_, manager) => updateUser(admin, manager.userId, { status: 'Suspended' }),
    };
    let left = '';
    for (const [why, end] of Object.entries(ends)) {
      const guest = await makeUser();
      const manager = await makeMember(accountId, { role: 'manager' });
      const sent = await inviteMember(manager, accountId, invitation(guest.email));
      if (why.startsWith('of more')) {
        left = newEmail();
        await inviteMember(manager, accountId, invitation(left, 'client'));
      }
      const token = await tokenOf(guest.email);
      await end(sent, manager);
      expect([why, await codeOf(joinAccount(guest, token))]).toEqual([why, 'not_found']);
    }
    // Only the replacement, and what the manager can still give.
    const open = await listInvitations(owner, accountId);
    expect(open).toHaveLength(2);
    expect(open.map(({ email }) => email)).toContain(left);
  });

  it('is not sent to one address again and again', async () => {
    const owner = await makeOwner();
    const email = newEmail();
    const send = () => codeOf(inviteMember(owner, owner.accountId, invitation(email)));
    const sent = [];
    for (let count = 0; count <= limits.invitedAddress.pair.max; count += 1) sent.push(await send());
    expect(sent.filter((code) => code === 'ok')).toHaveLength(limits.invitedAddress.pair.max);
    expect(sent.at(-1)).toBe('rate_limited');
    expect(await codeOf(inviteMember(await makeUser(), owner.accountId, invitation(email)))).toBe('not_found');
  });

  it('of an owner is not replaced by a manager', async () => {
    const owner = await makeOwner();
    const manager = await makeMember(owner.accountId, { role: 'manager' });
    const email = newEmail();
    await inviteMember(owner, owner.accountId, invitation(email, 'finance'));
    expect(await codeOf(inviteMember(manager, owner.accountId, invitation(email)))).toBe('forbidden');
  });
});

describe('a removal', () => {
  it('ends access at the next request, tokens included, and keeps that of others', async () => {
    const owner = await makeOwner();
    const { accountId } = owner;
    for (const [end, keepsMembership] of [
      [(member: Actor) => removeMember(owner, idOf(member)), false],
      [(member: Actor) => updateMember(owner, idOf(member), { role: 'buyer' }), true],
    ] as const) {
      const member = await makeMember(accountId, { role: 'manager' });
      const [inTeam, personal, ofOwner] = await Promise.all([
        makeToken(member.userId, ['read'], { accountId }),
        makeToken(member.userId, ['read']),
        makeToken(owner.userId, ['read'], { accountId }),
      ]);
      await db()
        .insert(notices)
        .values({ userId: member.userId, accountId, kind: 'wallet.credited', subject: '$1.00' });
      const cookies = new Map([
        [sessionCookieName(), await createSessionToken(member.userId)],
        [accountCookie, accountId],
      ]);
      const asCookie = {
        headers: new Headers(),
        cookies: { get: (name: string) => ({ value: cookies.get(name) ?? '' }) },
      };
      const use = (token: { secret: string }) =>
        codeOf(authenticateToken(token.secret, { headers: new Headers(), responseHeaders: new Headers() }));
      expect((await findActor(asCookie)).actor).toMatchObject({ accountId, accountRole: 'manager' });
      expect(await use(inTeam)).toBe('ok');

      await end(member);

      const { actor } = await findActor(asCookie);
      expect(actor).toMatchObject(keepsMembership ? { accountId, accountRole: 'buyer' } : { accountId: member.userId });
      const named = { ...asCookie, headers: new Headers({ [accountHeader]: accountId }) };
      expect(await codeOf(findActor(named))).toBe(keepsMembership ? 'ok' : 'not_found');
      expect([await use(inTeam), await use(personal), await use(ofOwner)]).toEqual(['unauthenticated', 'ok', 'ok']);
      const [stored] = await db().select().from(apiTokens).where(eq(apiTokens.id, inTeam.id));
      expect(stored?.revokedAt).not.toBeNull();
      const told = await db().select().from(notices).where(eq(notices.userId, member.userId));
      expect(told).toHaveLength(keepsMembership ? 1 : 0);
    }
  });

  it('is that of all others while the person of a personal account is suspended', async () => {
    const person = await makeUser('User', { name: '' });
    const { accountId } = person;
    const helper = await joinTeam(await makeUser(), person, 'owner');
    const guest = await makeUser();
    await inviteMember(helper, accountId, invitation(guest.email));
    const link = await tokenOf(guest.email);
    const token = await makeToken(helper.userId, ['read'], { accountId });
    const session = await createSessionToken(helper.userId);
    const asks = (headers: Record<string, string>) =>
      findActor({
        headers: new Headers(headers),
        cookies: { get: (name) => ({ value: name === sessionCookieName() ? session : accountId }) },
      });
    const use = () =>
      codeOf(authenticateToken(token.secret, { headers: new Headers(), responseHeaders: new Headers() }));
    // A person without a name is named by the address.
    expect((await asks({ [accountHeader]: accountId })).actor).toMatchObject({ accountId, accountName: person.email });
    expect((await outboxOf(guest.email))[0]?.subject).toContain(person.email);
    expect(await use()).toBe('ok');

    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, person.userId));

    expect((await asks({})).actor).toMatchObject({ accountId: helper.userId, accountName: '' });
    expect(await codeOf(asks({ [accountHeader]: accountId }))).toBe('not_found');
    expect(await use()).toBe('unauthenticated');
    expect((await listAccounts(helper)).map(({ id }) => id)).toEqual([helper.userId]);
    expect(await codeOf(listMembers(helper, accountId))).toBe('not_found');
    expect(await codeOf(joinAccount(guest, link))).toBe('not_found');
  });

  it('of a right by a change that is based on a stale version is refused', async () => {
    const owner = await makeOwner();
    const member = await makeMember(owner.accountId);
    const { version } = await updateMember(owner, idOf(member), { monthlyLimitCents: 1_000 });
    expect(await codeOf(updateMember(owner, idOf(member), { role: 'client', version: version - 1 }))).toBe('conflict');
  });
});

describe('the accounts of a person', () => {
  it('show the balance to those who see it, and nothing to strangers, tokens of other accounts and viewers', async () => {
    const owner = await makeOwner();
    const { accountId } = owner;
    await fundWallet(accountId, 12_345);
    const balances = new Map<AccountRole, number | null | undefined>();
    for (const role of accountRoles) {
      const member = await makeMember(accountId, { role });
      balances.set(role, (await listAccounts(member)).find(({ id }) => id === accountId)?.balanceCents);
    }
    expect(Object.fromEntries(balances)).toEqual({
      ...{ owner: 12_345, manager: 12_345, finance: 12_345, buyer: null, client: null },
    });
    const token = { id: newId(), name: 'Token', scopes: ['read'] };
    const byToken = { ...owner, accountId: owner.userId, token };
    expect((await listAccounts(byToken)).map(({ id }) => id)).toEqual([owner.userId]);
    expect(await codeOf(listMembers(byToken, accountId))).toBe('not_found');
    const staff = { userId: newId(), email: '', name: '', role: 'Admin' };
    const viewed = {
      ...owner,
      accountId: owner.userId,
      viewing: { userId: owner.userId, staff, endsAt: new Date(), isOver: false },
    };
    expect(await listAccounts(viewed)).toMatchObject([{ id: owner.userId, balanceCents: null }]);
    expect(await codeOf(listMembers(await makeUser(), accountId))).toBe('not_found');
  });

  it('are created up to a number, also at once, and renamed by their version', async () => {
    const person = await makeUser();
    const { values, codes } = await settle(
      Array.from({ length: 21 }, (_, index) => createAccount({ ...person, ip: newId() }, { name: `Team ${index}` })),
    );
    expect(values).toHaveLength(20);
    expect(codes).toHaveLength(1);
    const [{ id, version } = { id: '', version: 0 }] = values;
    await renameAccount(person, id, { name: 'New name', version });
    expect(await codeOf(renameAccount(person, id, { name: 'Other name', version }))).toBe('conflict');
    expect((await listAccounts(person)).find((account) => account.id === id)?.name).toBe('New name');
  });

  it('are chosen with a cookie by members only, which the sign-out deletes', async () => {
    const owner = await makeOwner();
    const member = await makeMember(owner.accountId);
    const stranger = await makeUser();
    const { accountId } = owner;
    const chosen = async () => (await nextHeaders.cookies()).get(accountCookie)?.value;
    const headers = { cookie: `${sessionCookieName()}=${await createSessionToken(member.userId)}` };
    await inRequest(headers, async () => {
      expect(await codeOf(switchAccount(stranger, { accountId }))).toBe('not_found');
      expect(await chosen()).toBeUndefined();
      await switchAccount(member, { accountId });
      expect(await chosen()).toBe(accountId);
      await switchAccount(member, { accountId: member.userId });
      expect(await chosen()).toBe('');
      await switchAccount(member, { accountId });
      await endSession();
      expect(await chosen()).toBe('');
    });
  });
});
