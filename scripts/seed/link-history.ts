import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { type Judgement, judgePage, type WantedLink } from '@/lib/links/judge-page';
import { createSandboxArticle } from '@/lib/links/sandbox-publisher';
import { recordCheck } from '@/lib/orders/link-checks/record';
import type { DeliveryCheck } from '@/lib/orders/placements/check-delivery';
import { getRequestedLink, type LockedPlacement } from '@/lib/orders/placements/lock';
import { respondWithPage } from '@/sandbox/publisher/changed-page';
import type { Timeline } from './timeline';
import type { PageChange } from './walks';

type Watch = typeof linkWatches.$inferSelect;
type CheckDelivery = (locked: LockedPlacement, url: string) => DeliveryCheck;

/** The job checks a link some seconds after it is due. */
const delayMs = 4_000;
/** The longest time in which the app finishes a check that it began. */
const foreignCheckMs = 20_000;

/**
 * Plays the link checks of the demo's history at the times that the application plans, and records them through its own
 * function. The pages are judged as the sandbox's publisher would serve them, without requests.
 */
export class LinkHistory {
  readonly #pages = new Map<number, PageChange | null>();
  /** The next check of each order's link. */
  readonly #due = new Map<number, Date>();

  constructor(readonly timeline: Timeline) {}

  /** Changes the page of an order, for the checks that follow. */
  changePage(orderId: number, change: PageChange | null): void {
    this.#pages.set(orderId, change);
  }

  /** Plays a step of an order, and the first check of a link that it makes live. @param work gets the check of deliveries */
  async playStep(at: Date, orderId: number, work: (check: CheckDelivery) => Promise<void>): Promise<void> {
    const playAll = async () => {
      const began = Date.now();
      await work((locked, url) => this.#checkDelivery(locked, url));
      const first = await this.#takeFirstCheck(orderId);
      if (first) await this.#record(first);
      await this.#planNext(orderId, at, began);
    };
    await this.timeline.play(at, playAll, orderId);
  }

  /** Plays all checks that are due until a time, in their order. */
  async checkUntil(until: Date): Promise<void> {
    for (;;) {
      const [next] = [...this.#due].sort(([, one], [, other]) => one.getTime() - other.getTime());
      if (!next || next[1] > until) return;
      const [orderId, at] = next;
      // Before the time passes: the app must not find the check due.
      const [watch] = await db()
        .update(linkWatches)
        .set({ nextCheckAt: null })
        .where(eq(linkWatches.orderId, orderId))
        .returning();
      const check = async () => {
        const began = Date.now();
        if (watch) await this.#record(watch);
        await this.#planNext(orderId, at, began);
      };
      await this.timeline.play(at, check, orderId);
    }
  }

  #checkDelivery(locked: LockedPlacement, url: string): DeliveryCheck {
    const requested = getRequestedLink(locked, url);
    const judgement = judge(requested, url, this.#pages.get(locked.order.id) ?? null);
    return { url, requested, isNofollowSite: false, judgement };
  }

  async #record(watch: Watch): Promise<void> {
    const { siteUrl: siteDomain, pageUrl, targetUrl, rel, anchor } = watch;
    const requested = { siteDomain, targetUrl, rel, anchor };
    const judgement = judge(requested, pageUrl, this.#pages.get(watch.orderId) ?? null);
    await db().transaction((tx) => recordCheck(tx, { watch, judgement, actorId: null }));
  }

  /**
   * Takes a check that is due at once from the app, which may run already. A check that the app began is the first.
   * @returns null if no check is due or the app made it
   */
  async #takeFirstCheck(orderId: number): Promise<Watch | null> {
    const isDue = and(
      eq(linkWatches.orderId, orderId),
      isNull(linkWatches.endedAt),
      lte(linkWatches.nextCheckAt, sql`now()`),
    );
    const [taken] = await db().update(linkWatches).set({ nextCheckAt: null }).where(isDue).returning();
    if (taken) return taken;
    const endsAt = Date.now() + foreignCheckMs;
    while ((await this.#isBegun(orderId)) && Date.now() < endsAt) await wait(50);
    return null;
  }

  async #isBegun(orderId: number): Promise<boolean> {
    const [watch] = await db().select().from(linkWatches).where(eq(linkWatches.orderId, orderId));
    return watch !== undefined && watch.endedAt === null && watch.verdict === null;
  }

  /** @param began when the step at the demo's time `at` began */
  async #planNext(orderId: number, at: Date, began: number): Promise<void> {
    const [watch] = await db().select().from(linkWatches).where(eq(linkWatches.orderId, orderId));
    if (watch?.nextCheckAt)
      this.#due.set(orderId, new Date(at.getTime() + watch.nextCheckAt.getTime() - began + delayMs));
    else this.#due.delete(orderId);
  }
}

function judge(requested: WantedLink, pageUrl: string, change: PageChange | null): Judgement {
  const { targetUrl, anchor, rel } = requested;
  const html = createSandboxArticle({ pageUrl, targetUrl, anchor, rel });
  const page = { url: pageUrl, html, status: 200, headers: {}, redirect: null, delayMs: 0, change, publishedAt: '' };
  const { status, headers, body } = respondWithPage(page);
  const fetched = {
    ok: true as const,
    status,
    url: pageUrl,
    redirects: [],
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body),
  };
  return judgePage(requested, fetched, { robots: 'allowed' });
}
