import { afterEach, expect, it, vi } from 'vitest';
import { createCartEditor, wouldLoseEdits } from '@/components/carts/cart-editor';
import type { CartRow } from '@/components/carts/cart-rows';
import type { Cart } from '@/lib/orders/carts/contract';

afterEach(() => vi.unstubAllGlobals());

const item = (siteId: number, brief: Cart['items'][number]['brief'] = {}): Cart['items'][number] => ({
  siteId,
  name: `Site ${siteId}`,
  url: `https://${siteId}.example.com`,
  follow: true,
  language: 'English',
  words: 600,
  brief,
  articleFileName: null,
  state: 'ok',
  pause: null,
  priceCents: 1_000,
  shownPriceCents: 1_000,
  options: [],
  problems: [],
  warnings: [],
  linked: null,
  isDuplicate: false,
});

/** A server with one cart, which other tabs change too. */
function serve(id: string, ...siteIds: number[]) {
  const cart: Cart = {
    id,
    projectId: null,
    name: 'My cart',
    version: 1,
    netCents: 0,
    taxCents: 0,
    totalCents: 0,
    items: siteIds.map((one) => item(one)),
  };
  const server = { cart, requests: 0, isDown: false, offSale: 0 };
  const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  vi.stubGlobal('fetch', async (_path: string, { method, body }: { method: string; body?: string }) => {
    server.requests += 1;
    if (server.isDown) throw new TypeError('Failed to fetch');
    if (method === 'GET') return answer(200, server.cart);
    const { version, items }: Pick<Cart, 'version' | 'items'> = JSON.parse(body ?? '');
    if (version !== server.cart.version) return answer(409, { error: 'The cart has changed.' });
    const refused = items.findIndex(
      ({ siteId }) => siteId === server.offSale && !server.cart.items.some((one) => one.siteId === siteId),
    );
    if (refused >= 0)
      return answer(400, { error: 'Not on sale.', fields: { [`items.${refused}.siteId`]: 'Not on sale.' } });
    server.cart = { ...server.cart, version: version + 1, items: items.map((one) => item(one.siteId, one.brief)) };
    return answer(200, server.cart);
  });
  return server;
}

const withAnchor = (rows: readonly CartRow[], siteId: number, anchor: string) =>
  rows.map((row) => (row.siteId === siteId ? { ...row, brief: { ...row.brief, anchor } } : row));

it('two tabs change one cart, and no row or cell is lost', async () => {
  const server = serve('two tabs', 1, 2);
  const [one, other] = [createCartEditor(server.cart), createCartEditor(server.cart)];
  one.setRows(withAnchor(one.get().history.rows, 1, 'one'));
  expect(await one.save()).toBe(true);
  server.cart = { ...server.cart, version: 3, items: [...server.cart.items, item(3)] };
  other.setRows(withAnchor(other.get().history.rows, 2, 'other'));
  expect(await other.save()).toBe(true);
  expect(server.cart.items.map(({ siteId, brief }) => [siteId, brief.anchor ?? ''])).toEqual([
    [1, 'one'],
    [2, 'other'],
    [3, ''],
  ]);
  expect(other.get()).toMatchObject({ state: 'saved', notice: { added: [3], removed: [], disputed: [] } });
  // Undo takes back the own edit alone.
  other.undo();
  await other.save();
  expect(server.cart.items.map(({ siteId, brief }) => [siteId, brief.anchor ?? ''])).toEqual([
    [1, 'one'],
    [2, ''],
    [3, ''],
  ]);
});

it('an edit without an answer is kept, shown as unsaved, and saved later', async () => {
  const server = serve('down', 1);
  const editor = createCartEditor(server.cart);
  expect(await editor.save()).toBe(true);
  expect(server.requests).toBe(0);
  server.isDown = true;
  editor.setRows(withAnchor(editor.get().history.rows, 1, 'kept'));
  expect(editor.get().state).toBe('unsaved');
  expect(await editor.save()).toBe(false);
  expect(editor.get()).toMatchObject({ state: 'failed', error: 'No connection to the server.' });
  expect(wouldLoseEdits(editor.get())).toBe(true);
  server.isDown = false;
  expect(await editor.save()).toBe(true);
  expect(wouldLoseEdits(editor.get())).toBe(false);
  expect(server.cart.items[0]?.brief.anchor).toBe('kept');
});

it('undoing a removal puts back all sites but those that left the sale', async () => {
  const server = serve('off sale', 1, 2, 3);
  const editor = createCartEditor(server.cart);
  editor.setRows([]);
  expect(await editor.save()).toBe(true);
  server.offSale = 2;
  editor.undo();
  expect(await editor.save()).toBe(true);
  expect(server.cart.items.map(({ siteId }) => siteId)).toEqual([1, 3]);
  expect(editor.get()).toMatchObject({ state: 'saved', error: null });
});
