import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { briefArticles, orderBriefs } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { removeOldRecords } from '@/lib/jobs/remove-old-records';
import { attachArticles, openArticle, releaseArticle, uploadArticle } from '@/lib/orders/briefs/articles';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { removeOrphans } from '@/lib/orders/deliverables/store-file';
import { newArticleKey } from '@/lib/platform/storage/storage-key';
import { fileOf } from '@/tests/factories/file-of';
import { makeOrder } from '@/tests/factories/make-order';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

const words = (text: string) => Readable.from([Buffer.from(text)]);
const store = join(process.env.DATA_DIR ?? '', 'content');
const filesOf = ({ userId }: Actor) => {
  try {
    return readdirSync(join(store, 'articles', userId));
  } catch {
    return [];
  }
};
const articlesOf = ({ userId }: Actor) => db().select().from(briefArticles).where(eq(briefArticles.accountId, userId));
const attach = (orderId: number, actor: Actor, articleId: string) =>
  db().transaction(async (tx) => {
    await attachArticles(tx, actor, new Map([[articleId, 'articleId']]));
    await tx.update(orderBriefs).set({ articleId }).where(eq(orderBriefs.orderId, orderId));
  });
const passDays = (id: string, days: number) =>
  db()
    .update(briefArticles)
    .set({ createdAt: sql`now() - make_interval(days => ${days})` })
    .where(eq(briefArticles.id, id));

describe('uploading an article', () => {
  it.each([
    ['draft.docx', 'docx'],
    ['draft.odt', 'odt'],
    ['draft.pdf', 'pdf'],
    ['draft.html', 'html'],
    ['draft.md', 'text'],
    ['draft.txt', 'text'],
  ] as const)('accepts %s', async (name, kind) => {
    const buyer = await makeUser();
    expect(await uploadArticle(buyer, fileOf(kind), name)).toMatchObject({ fileName: name });
    expect(filesOf(buyer)).toHaveLength(1);
  });

  it.each([
    ['picture.png', 'png', 'A file of type image/png cannot be uploaded.'],
    ['old.doc', 'doc', 'A file of type application/x-cfb cannot be uploaded.'],
    ['figures.csv', 'text', 'This type of file cannot be uploaded.'],
    ['fake.docx', 'text', 'The name ends in .docx, but the content is not of that type.'],
    ['fake.pdf', 'docx', 'The name ends in .pdf, but the file is of type'],
    ['fake.txt', 'exe', '.txt files must be plain text in UTF-8, but this file is not.'],
    ['archive.zip', 'zip', 'A file of type application/zip cannot be uploaded.'],
  ] as const)('refuses %s and stores nothing', async (name, kind, message) => {
    const buyer = await makeUser();
    await expect(uploadArticle(buyer, fileOf(kind), name)).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringContaining(message),
    });
    expect(filesOf(buyer)).toEqual([]);
    expect(await articlesOf(buyer)).toEqual([]);
  });

  it('keeps at most 100 unused articles of a buyer, also with concurrent uploads', async () => {
    const buyer = await makeUser();
    const facts = { fileName: 'a.txt', mediaType: 'text/plain', sizeBytes: 1, sha256: '' };
    await db()
      .insert(briefArticles)
      .values(
        Array.from({ length: 98 }, () => ({
          id: newId(),
          accountId: buyer.userId,
          storageKey: newArticleKey(buyer.userId),
          ...facts,
        })),
      );
    const { values, codes } = await settle(
      Array.from({ length: 5 }, (_, n) => uploadArticle(buyer, words(`Text ${n}`), `${n}.txt`)),
    );
    expect(values).toHaveLength(2);
    expect(codes).toEqual(['conflict', 'conflict', 'conflict']);
    expect(filesOf(buyer)).toHaveLength(2);
    const { id, buyer: other } = await makeOrder(1_000);
    await attach(id, other, (await uploadArticle(other, words('An article'), 'own.txt')).id);
  });

  it('limits the uploads in an hour', async () => {
    const buyer = await makeUser();
    await uploadArticle(buyer, words('First'), 'first.txt');
    await db()
      .update(rateLimits)
      .set({ count: 100 })
      .where(eq(rateLimits.key, `article:account:${buyer.userId}`));
    await expect(uploadArticle(buyer, words('Next'), 'next.txt')).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('the article of a brief', () => {
  it('can be attached by its owner only', async () => {
    const { id: orderId, buyer } = await makeOrder(1_000);
    const stranger = await makeUser();
    const { id } = await uploadArticle(stranger, words('Not yours'), 'secret.txt');
    await expect(attach(orderId, buyer, id)).rejects.toMatchObject({
      code: 'not_found',
      details: { fields: { articleId: 'This article does not exist or was removed. Upload it again.' } },
    });
  });

  it('is opened by its order, and not found for an order without one', async () => {
    const { id: orderId, buyer } = await makeOrder(1_000);
    await attach(orderId, buyer, (await uploadArticle(buyer, words('An article'), 'own.txt')).id);
    const { stream, ...facts } = await openArticle(orderId);
    stream.destroy();
    expect(facts).toEqual({ fileName: 'own.txt', mediaType: 'text/plain; charset=utf-8', sizeBytes: 10 });
    await expect(openArticle((await makeOrder(1_000)).id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is removed 7 days after the upload while no brief and no cart names it, and then its file', async () => {
    const { id: orderId, buyer } = await makeOrder(1_000);
    const upload = async (name: string) => (await uploadArticle(buyer, words(name), name)).id;
    const [used, carted, young, old, released] = [
      await upload('used.txt'),
      await upload('carted.txt'),
      await upload('young.txt'),
      await upload('old.txt'),
      await upload('released.txt'),
    ];
    await attach(orderId, buyer, used);
    const { id: cartId, version } = await openCart(buyer, null);
    const siteId = await makeSite((await makeUser('Seller')).userId, 1_000);
    await saveCartItems(buyer, cartId, { items: [{ siteId, brief: { articleId: carted } }], version });
    await attach((await makeOrder(1_000)).id, buyer, released);
    await db().transaction(async (tx) => {
      await tx.update(orderBriefs).set({ articleId: null }).where(eq(orderBriefs.articleId, released));
      await releaseArticle(tx, released);
      await releaseArticle(tx, used);
    });
    for (const id of [used, carted, old, released]) await passDays(id, 8);
    await passDays(young, 6);
    await db().update(users).set({ createdAt: sql`now() - interval '1 year'` }).where(eq(users.id, buyer.userId));
    for (const name of filesOf(buyer)) {
      const then = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
      utimesSync(join(store, 'articles', buyer.userId, name), then, then);
    }
    await removeOrphans();
    expect(filesOf(buyer)).toHaveLength(5);
    expect(await removeOldRecords()).toMatchObject({ articles: 2 });
    expect((await articlesOf(buyer)).map(({ id }) => id).sort()).toEqual([used, carted, young].sort());
    await removeOrphans();
    expect(filesOf(buyer)).toHaveLength(3);
  });

  it('is not removed while an order is about to name it', async () => {
    const { id: orderId, buyer } = await makeOrder(1_000);
    const { id } = await uploadArticle(buyer, words('An article'), 'own.txt');
    await passDays(id, 8);
    let removing: Promise<unknown> | undefined;
    await db().transaction(async (tx) => {
      await attachArticles(tx, buyer, new Map([[id, 'articleId']]));
      removing = removeOldRecords();
      const waits = () =>
        db().execute(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
      await expect.poll(async () => (await waits()).length).toBeGreaterThan(0);
      await tx.update(orderBriefs).set({ articleId: id }).where(eq(orderBriefs.orderId, orderId));
    });
    expect(await removing).toMatchObject({ articles: 0 });
    expect(await articlesOf(buyer)).toHaveLength(1);
  });
});
