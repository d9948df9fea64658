import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/access/actor';
import { formatRejectedRows, importCart } from '@/lib/orders/carts/import-file';
import { getCart, openCart } from '@/lib/orders/carts/queries';
import { cartColumnChoices } from '@/lib/orders/carts/read-file';
import { createOrder } from '@/lib/orders/order/create';
import { addBlockedDomains } from '@/lib/projects/block-list';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

let buyer: Actor;
let sellerId: string;
let cartId: string;
let projectId: string;
let count = 0;
const newDomain = () => `import-${++count}.org`;
beforeEach(async () => {
  buyer = await makeUser();
  sellerId = (await makeUser('Seller')).userId;
  projectId = await makeProject(buyer);
  cartId = (await openCart(buyer, projectId)).id;
});

const makeListing = async (domain: string, priceCents = 5_000) =>
  makeSite(sellerId, priceCents, { url: `https://${domain}`, urlKey: domain, name: domain });

const input = (text: string | Buffer, choices = '') => ({
  file: Readable.from([Buffer.from(text)]),
  choices: cartColumnChoices.parse(choices),
});
const load = (text: string | Buffer, isDryRun = false) => importCart(buyer, cartId, input(text), isDryRun);

describe('a file as a cart', () => {
  it('adds each site on sale with its brief, by domain, address or id', async () => {
    const [one, two, three] = [newDomain(), newDomain(), newDomain()];
    const ids = [await makeListing(one), await makeListing(two), await makeListing(three)];
    const text = [
      'Site;Target URL;Anchor;Rel;Article;Words;Publish from;Note;Max price',
      `${one};shop.example.com/a;best spades;Do-Follow;publisher;1,200;15 Jan 2027;"line one`,
      `line two";$9,000`,
      `https://www.${two}/about;;;;buyer;;;;`,
      `#${ids[2]};;"a ""quoted"" anchor";nofollow;;;;;`,
    ].join('\r\n');
    const dry = await load(text, true);
    expect(dry).toMatchObject({ added: 0, rows: [1, 2, 3].map((row) => ({ row, state: 'match' })) });
    expect((await getCart(buyer, cartId)).items).toEqual([]);
    expect(await load(text)).toMatchObject({ added: 3 });
    const { items } = await getCart(buyer, cartId);
    expect(items.map(({ siteId, brief, problems }) => ({ siteId, brief, problems }))).toEqual([
      {
        siteId: ids[0],
        brief: {
          targetUrl: 'shop.example.com/a',
          anchor: 'best spades',
          rel: 'dofollow',
          words: 1_200,
          notBefore: '2027-01-15',
          writer: 'seller',
          notes: 'line one\nline two',
        },
        problems: [],
      },
      { siteId: ids[1], brief: { writer: 'buyer' }, problems: [] },
      { siteId: ids[2], brief: { anchor: 'a "quoted" anchor', rel: 'nofollow' }, problems: [] },
    ]);
    // Again: every site keeps its place, and none is added twice.
    expect(await load(text)).toMatchObject({ added: 0, rows: [1, 2, 3].map((row) => ({ row, state: 'match' })) });
    expect((await getCart(buyer, cartId)).items).toHaveLength(3);
  });

  it('leaves out rows with their state and reason, and returns them as a file that can be imported', async () => {
    const [shared, dear, mine] = [newDomain(), newDomain(), newDomain()];
    const [closed, linked, broken] = [newDomain(), newDomain(), newDomain()];
    const several = [await makeListing(`a.${shared}`), await makeListing(`b.${shared}`)];
    const [dearId, linkedId, brokenId] = [
      await makeListing(dear, 30_000),
      await makeListing(linked),
      await makeListing(broken),
    ];
    await makeSite(sellerId, 5_000, { url: `https://${closed}`, urlKey: closed, status: 'Pending' });
    await makeListing(mine);
    await addBlockedDomains(buyer, null, [mine]);
    await fundWallet(buyer.userId, 100_000);
    await createOrder(buyer, { kind: 'custom', projectId, siteIds: [linkedId] });
    const text = [
      'domain,words,max price',
      `${shared},,`,
      `a.${shared},,`,
      `${dear},,299.99`,
      `${mine},,`,
      `${closed},,`,
      `nothing-here.org,,`,
      `${linked},,`,
      `${broken},many,`,
      `${broken},,12 EUR`,
      `no domain,,`,
      ',100,',
      `${dear},,300`,
      `#${dearId},,`,
    ].join('\n');
    const { rows } = await load(text);
    expect(rows.map(({ row, state, siteId }) => [row, state, siteId])).toEqual([
      [1, 'several', undefined],
      [2, 'match', several[0]],
      [3, 'above_max_price', dearId],
      [4, 'blocked', expect.any(Number)],
      [5, 'not_on_sale', undefined],
      [6, 'not_on_sale', undefined],
      [7, 'already_linked', linkedId],
      [8, 'invalid', brokenId],
      [9, 'invalid', brokenId],
      [10, 'invalid', undefined],
      [11, 'invalid', undefined],
      [12, 'match', dearId],
      [13, 'invalid', dearId],
    ]);
    for (const { state, message } of rows) if (state !== 'match') expect(message).toMatch(/\w.*[.]$/);
    expect((await getCart(buyer, cartId)).items.map(({ siteId }) => siteId)).toEqual([several[0], dearId]);
    const rejected = await formatRejectedRows(buyer, cartId, input(text));
    const again = await importCart(buyer, cartId, input(rejected), true);
    // The site of the last row is in the cart now, and this file names it once.
    expect(again.rows.map(({ state }) => state)).toEqual([
      ...rows.flatMap(({ row, state }) => (state === 'match' || row === 13 ? [] : [state])),
      'match',
    ]);
  });

  it.each([
    ['UTF-16 with tabs', (text: string) => Buffer.from(`\uFEFF${text.replaceAll(',', '\t')}`, 'utf16le')],
    ['Windows-1252 with semicolons', (text: string) => Buffer.from(text.replaceAll(',', ';'), 'latin1')],
    ['UTF-8 with a mark and |', (text: string) => Buffer.from(`\uFEFF${text.replaceAll(',', '|')}`)],
  ])('reads %s', async (_, encode) => {
    const domain = newDomain();
    await makeListing(domain);
    expect(await load(encode(`site,anchor\r\n${domain},Gärten für alle\r\n`))).toMatchObject({ added: 1 });
    expect((await getCart(buyer, cartId)).items).toMatchObject([{ brief: { anchor: 'Gärten für alle' } }]);
  });

  it('maps a column as the user chooses, and asks for the one of the sites', async () => {
    const domain = newDomain();
    await makeListing(domain);
    const text = `Where,Words to link\n${domain},spades\n`;
    expect(await load(text, true)).toMatchObject({
      rows: [{ row: 1, state: 'invalid' }],
      columns: [
        { index: 0, header: 'Where', field: null },
        { index: 1, header: 'Words to link', field: null },
      ],
    });
    expect(await importCart(buyer, cartId, input(text, '0:site,1:anchor'), false)).toMatchObject({ added: 1 });
    await expect(importCart(buyer, cartId, input(text, '7:site'), false)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it.each([
    ['', 'empty'],
    ['site,anchor\n', 'no rows'],
    ['site\n"example.com', 'never closed'],
    ['PK\u0003\u0004rest', 'ZIP'],
  ])('refuses %j', async (text, message) => {
    await expect(load(text)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });

  it('belongs to its buyer, and loses no site when two files are imported at once', async () => {
    await expect(importCart(await makeUser(), cartId, input('site\na.com'), true)).rejects.toMatchObject({
      code: 'not_found',
    });
    const [one, two] = [newDomain(), newDomain()];
    await makeListing(one);
    await makeListing(two);
    const answers = await Promise.all([load(`site\n${one}`), load(`site\n${two}`)]);
    expect(answers.map(({ added }) => added)).toEqual([1, 1]);
    expect((await getCart(buyer, cartId)).items).toHaveLength(2);
  });
});
