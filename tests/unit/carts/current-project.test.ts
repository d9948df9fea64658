import { expect, it } from 'vitest';
import { findCurrentProject } from '@/lib/orders/carts/current-project';

const [a, b] = [
  { id: 'a', isLast: false },
  { id: 'b', isLast: true },
];

const [all, chosen] = [{ projectIds: null }, { projectIds: ['a', 'b', 'c'] }];

it('the current project is that of the URL, of the cart changed last, the only one, or that of the last order', () => {
  const rows: [Parameters<typeof findCurrentProject<typeof a>>, string | null][] = [
    [[[a, b], [], 'a', all], 'a'],
    [[[a, b], [{ projectId: 'b' }], 'a', all], 'a'],
    [[[a, b], [{ projectId: 'b' }], 'none', all], null],
    [[[a, b], [{ projectId: 'a' }, { projectId: 'b' }], '', all], 'a'],
    [[[a, b], [{ projectId: 'a' }], 'of-another-user', all], 'a'],
    // The cart without a project, and one of a project that was deleted meanwhile.
    [[[a, b], [{ projectId: null }], '', all], null],
    [[[a, b], [{ projectId: 'deleted' }], '', all], null],
    [[[a], [], '', all], 'a'],
    [[[a, b], [], '', all], 'b'],
    [[[a, { id: 'c', isLast: false }], [], '', all], null],
    [[[], [], '', all], null],
    // A member who sees chosen projects has no cart without one.
    [[[a, b], [{ projectId: 'b' }], 'none', chosen], 'a'],
    [[[a, { id: 'c', isLast: false }], [], '', chosen], 'a'],
    [[[], [], 'none', chosen], null],
  ];
  for (const [args, id] of rows) expect({ args, id: findCurrentProject(...args)?.id ?? null }).toEqual({ args, id });
});
