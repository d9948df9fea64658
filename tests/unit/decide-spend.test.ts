import { describe, expect, it } from 'vitest';
import type { AccountPolicy } from '@/db/schema/accounts';
import { decideSpend, describeReason, type SpendFacts, type SpendItem } from '@/lib/orders/spending/decide-spend';

const none = { limitCents: null, spentCents: 0 };
const site: SpendItem = { siteId: 7, dr: 50, traffic: 1_000, niche: 'Garden', follow: true, rel: 'any' };
const bundle: SpendItem = { siteId: null, dr: null, traffic: null, niche: null, follow: true, rel: 'any' };
const facts = (values: Partial<SpendFacts> = {}): SpendFacts => ({
  ...{ totalCents: 100, balanceCents: 100, member: none, project: none, policy: {}, items: [site] },
  ...values,
});
const codesOf = (values: Partial<SpendFacts>) => {
  const decision = decideSpend(facts(values));
  return decision.decision === 'allowed' ? [] : decision.reasons.map(({ code }) => code);
};

describe('a limit', () => {
  it('allows what reaches it and holds one cent more, spent and ordered together', () => {
    for (const of of ['member', 'project'] as const) {
      expect(decideSpend(facts({ [of]: { limitCents: 150, spentCents: 50 } })).decision).toBe('allowed');
      expect(decideSpend(facts({ [of]: { limitCents: 150, spentCents: 51 } })).decision).toBe('needs_approval');
      expect(decideSpend(facts({ [of]: { limitCents: 0, spentCents: 0 } })).decision).toBe('needs_approval');
    }
    expect(decideSpend(facts({ policy: { approvalAboveCents: 100 } })).decision).toBe('allowed');
    expect(decideSpend(facts({ policy: { approvalAboveCents: 99 } })).decision).toBe('needs_approval');
  });

  it('names all reasons: the member’s month, the project’s month, then the amount', () => {
    const limited = { limitCents: 10, spentCents: 5 };
    const decision = decideSpend(facts({ member: limited, project: limited, policy: { approvalAboveCents: 50 } }));
    expect(decision).toEqual({
      decision: 'needs_approval',
      reasons: [
        { code: 'member_limit', limitCents: 10, spentCents: 5 },
        { code: 'project_budget', limitCents: 10, spentCents: 5 },
        { code: 'approval_above', limitCents: 50 },
      ],
    });
    if (decision.decision === 'needs_approval')
      expect(decision.reasons.map(describeReason)).toEqual([
        'The monthly limit of the member is $0.10, of which $0.05 is spent.',
        'The monthly budget of the project is $0.10, of which $0.05 is spent.',
        'Orders above $0.50 need an approval.',
      ]);
  });

  it('comes before the balance, and an approval leaves the balance', () => {
    const above = { balanceCents: 99, policy: { approvalAboveCents: 0 } };
    expect(codesOf(above)).toEqual(['approval_above']);
    expect(codesOf({ ...above, isApproved: true })).toEqual(['balance']);
    expect(decideSpend(facts({ balanceCents: 99 }))).toMatchObject({
      decision: 'refused',
      reasons: [{ missingCents: 1 }],
    });
  });
});

describe('the policy', () => {
  const refusals: [string, AccountPolicy, Partial<SpendItem>, string | null][] = [
    ['a Domain Rating at the minimum', { minDr: 50 }, {}, null],
    ['a lower Domain Rating', { minDr: 50 }, { dr: 49.9 }, 'minDr'],
    ['an unknown Domain Rating', { minDr: 1 }, { dr: null }, 'minDr'],
    ['traffic at the minimum', { minTraffic: 1_000 }, {}, null],
    ['less traffic', { minTraffic: 1_001 }, {}, 'minTraffic'],
    ['unknown traffic', { minTraffic: 1 }, { traffic: null }, 'minTraffic'],
    ['another niche', { forbiddenNiches: ['Casino'] }, {}, null],
    ['a forbidden niche in another spelling', { forbiddenNiches: ['cásino '] }, { niche: 'Casino' }, 'forbiddenNiches'],
    ['the demanded rel', { rel: 'sponsored' }, { rel: 'sponsored' }, null],
    ['another rel', { rel: 'sponsored' }, { rel: 'any' }, 'rel'],
    ['Dofollow on a site with NoFollow links', { rel: 'dofollow' }, { rel: 'dofollow', follow: false }, 'rel'],
    ['no demand', { rel: 'any', forbiddenNiches: [] }, { dr: null, traffic: null, niche: null }, null],
    ['a package where figures are demanded', { minDr: 1 }, bundle, 'minDr'],
    ['a package where niches are forbidden', { forbiddenNiches: ['Casino'] }, bundle, 'forbiddenNiches'],
    ['a package with the demanded rel', { rel: 'ugc' }, { ...bundle, rel: 'ugc' }, null],
  ];
  it.each(refusals)('decides about %s', (_, policy, item, field) => {
    const decision = decideSpend(facts({ policy, items: [{ ...site, ...item }] }));
    if (field === null) expect(decision).toEqual({ decision: 'allowed' });
    else expect(decision).toMatchObject({ decision: 'refused', reasons: [{ code: 'policy', field }] });
  });

  it('refuses before every limit, also what is approved, and names each site', () => {
    const values = {
      policy: { minDr: 60, minTraffic: 2_000, approvalAboveCents: 0 },
      items: [site, { ...site, siteId: 8 }],
    };
    for (const isApproved of [false, true]) {
      const decision = decideSpend(facts({ ...values, isApproved }));
      expect(decision).toMatchObject({
        decision: 'refused',
        reasons: [
          { siteId: 7, field: 'minDr' },
          { siteId: 7, field: 'minTraffic' },
          { siteId: 8, field: 'minDr' },
          { siteId: 8, field: 'minTraffic' },
        ],
      });
    }
  });
});
