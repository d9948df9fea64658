import { expect, it } from 'vitest';
import { findCurrentProject } from '@/lib/orders/carts/current-project';

const [a, b] = [
  { id: 'a', isLast: false },
  { id: 'b', isLast: true },
];

it('the current project is that of the URL, of the cart changed last, the only one, or that of the last order', () => {
  const rows: [Parameters<typeof findCurrentProject<typeof a>>, string | null][] = [
    [[[a, b], [], 'a'], 'a'],
    [[[a, b], [{ projectId: 'b' }], 'a'], 'a'],
    [[[a, b], [{ projectId: 'b' }], 'none'], null],
    [[[a, b], [{ projectId: 'a' }, { projectId: 'b' }], ''], 'a'],
    [[[a, b], [{ projectId: 'a' }], 'of-another-user'], 'a'],
    // The cart without a project, and one of a project that was deleted meanwhile.
    [[[a, b], [{ projectId: null }], ''], null],
    [[[a, b], [{ projectId: 'deleted' }], ''], null],
    [[[a], [], ''], 'a'],
    [[[a, b], [], ''], 'b'],
    [[[a, { id: 'c', isLast: false }], [], ''], null],
    [[[], [], ''], null],
  ];
  for (const [args, id] of rows) expect({ args, id: findCurrentProject(...args)?.id ?? null }).toEqual({ args, id });
});
