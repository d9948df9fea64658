import { describe, expect, it } from 'vitest';
import { selectAffectedTests } from '@/scripts/testing/affected-tests';

const sources = new Map([
  ['lib/money.ts', ''],
  ['lib/orders/price.ts', "import { cents } from '@/lib/money';"],
  ['lib/orders/create.ts', "import { price } from './price';"],
  ['app/api/orders/[id]/route.ts', "import { createOrder } from '@/lib/orders/create';"],
  ['app/(user)/user/orders/page.tsx', "const form = () => import('./form');"],
  ['app/(user)/user/orders/form.tsx', ''],
  ['components/ui/button.tsx', ''],
  ['app/api/orders-export/route.ts', "import '@/components/ui/button';"],
  ['tests/setup/own-database.ts', "import { run } from './run-on-pool';"],
  ['tests/setup/run-on-pool.ts', ''],
  ['tests/api/routes.ts', "import './access.snapshot.json';"],
  ['tests/api/access.snapshot.json', ''],
  ['tests/api/order-steps.ts', "post('/api/orders');"],
  ['tests/unit/money.test.ts', "import { cents } from '@/lib/money';"],
  ['tests/unit/docs.test.ts', "import { readFileSync } from 'node:fs';"],
  ['tests/architecture.test.ts', "import { readFileSync } from 'node:fs';"],
  ['tests/domain/orders.test.ts', "import { createOrder } from '@/lib/orders/create';"],
  ['tests/domain/users.test.ts', ''],
  ['tests/domain/prices.full.test.ts', "import { price } from '@/lib/orders/price';"],
  ['tests/api/orders.test.ts', "import './order-steps';"],
  ['tests/api/wallet.test.ts', "get('/api/wallet');"],
  ['tests/api/access-matrix.test.ts', "import { routes } from './routes';"],
  ['tests/faults/killed.test.ts', ''],
  ['tests/e2e/orders.spec.ts', "page.goto('/user/orders?page=2');"],
  ['tests/e2e/wallet.spec.ts', "page.goto('/user/wallet');"],
]);
const everything = { unit: 'all', domain: 'all', api: 'all', faults: 'all', e2e: 'all' };
const repositoryTests = ['tests/unit/docs.test.ts', 'tests/architecture.test.ts'];

describe('a change affects', () => {
  it('nothing without changed files', () => {
    expect(selectAffectedTests([], sources)).toEqual({ unit: [], domain: [], api: [], faults: [], e2e: [] });
  });

  it('the tests that import it, and those that name a path which needs it', () => {
    expect(selectAffectedTests(['lib/orders/price.ts'], sources)).toEqual({
      unit: repositoryTests,
      domain: ['tests/domain/orders.test.ts'],
      api: ['tests/api/orders.test.ts', 'tests/api/access-matrix.test.ts'],
      faults: ['tests/faults/killed.test.ts'],
      e2e: [],
    });
  });

  it('a file of the full tier only in a full run', () => {
    const file = 'tests/domain/prices.full.test.ts';
    expect(selectAffectedTests([file], sources).domain).toEqual([]);
    expect(selectAffectedTests([file], sources, true).domain).toEqual([file]);
  });

  it('the browser tests of its page, also when the page loads it later', () => {
    const { api, faults, e2e } = selectAffectedTests(['app/(user)/user/orders/form.tsx'], sources);
    expect([api, faults, e2e]).toEqual([['tests/api/access-matrix.test.ts'], [], ['tests/e2e/orders.spec.ts']]);
  });

  it('no test of a path that only starts with the same letters', () => {
    expect(selectAffectedTests(['components/ui/button.tsx'], sources).api).toEqual(['tests/api/access-matrix.test.ts']);
  });

  it('the tests that import a changed test helper', () => {
    const { unit, domain, api } = selectAffectedTests(['tests/api/order-steps.ts'], sources);
    expect([unit, domain, api]).toEqual([repositoryTests, [], ['tests/api/orders.test.ts']]);
  });

  it('a whole suite when its setup changed', () => {
    expect(selectAffectedTests(['tests/setup/run-on-pool.ts'], sources)).toMatchObject({ domain: 'all', api: [] });
  });

  it('only the tests that read the repository when it is documentation', () => {
    const { unit, ...others } = selectAffectedTests(['docs/internals/architecture.md', 'README.md'], sources);
    expect(unit).toEqual(repositoryTests);
    expect(others).toEqual({ domain: [], api: [], faults: [], e2e: [] });
  });

  it('the tests that start an installation when its start changed', () => {
    const expected = { domain: [], api: 'all', faults: 'all', e2e: 'all' };
    expect(selectAffectedTests(['sandbox/stripe.ts'], sources)).toMatchObject(expected);
  });

  it.each(['package-lock.json', 'next.config.ts', 'db/migrations/0001_ledger.sql', 'app/globals.css'])(
    'everything when it is %s',
    (file) => {
      expect(selectAffectedTests([file], sources)).toEqual(everything);
    },
  );
});
