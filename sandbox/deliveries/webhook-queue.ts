import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StateStore } from '@/sandbox/state';
import { attemptDelivery } from './attempt';
import type { Delivery, ProviderEvent, Signature } from './records';

/** Delays after the first, second… failed attempt in ms; after the last one the delivery is given up. */
const retryDelaysMs = [200, 1_000, 3_000, 10_000, 30_000, 120_000, 600_000];
const maxEvents = 500;

/** The URL of a provider's webhook and its signature headers; the signature has the time of each attempt. */
export type Destination = { url: string; headers(event: ProviderEvent, signature: Signature): Record<string, string> };

/** How a new event is delivered. */
export type DeliveryPlan = {
  hold: boolean;
  lose: boolean;
  delayMs: number;
  /** Additional deliveries of the same event. */
  duplicates: number;
  signature: Signature;
};

/**
 * Delivers the events of all providers: signs, sends, retries and logs them. Pending deliveries are stored in the
 * state, so that a restarted gateway continues them.
 */
export class WebhookQueue {
  private readonly stop = new AbortController();
  private readonly inProgress = new Map<string, Promise<void>>();
  /** The requests that wait for their response. */
  private readonly sending = new Set<Promise<unknown>>();

  constructor(
    private readonly store: StateStore,
    private readonly destinations: Record<ProviderEvent['provider'], Destination>,
  ) {}

  /** Resumes pending deliveries of an earlier run. */
  resume(): void {
    for (const delivery of this.log()) if (delivery.state === 'waiting') this.follow(delivery);
  }

  /**
   * Stores an event and starts its deliveries.
   * @returns `firstResponses` resolves when each delivery has its first response (immediately when held or lost)
   */
  announce(event: ProviderEvent, plan: DeliveryPlan): { firstResponses: Promise<void> } {
    const { events, deliveries } = this.store.state.deliveries;
    events.push(event);
    const created: Delivery[] = [];
    for (let index = 0; index <= plan.duplicates; index += 1) {
      created.push(newDelivery(event.id, index === 0 ? 'event' : 'duplicate', plan));
    }
    deliveries.push(...created);
    this.evictOld();
    return { firstResponses: this.firstResponses(created) };
  }

  /** Sends all undelivered events of a payment now, one after the other. */
  async deliver(
    provider: ProviderEvent['provider'],
    subjectId: string,
    order: 'as_made' | 'reversed',
  ): Promise<Delivery[]> {
    const due = this.undelivered(provider, subjectId);
    if (order === 'reversed') due.reverse();
    for (const delivery of due) await this.sendNow(delivery);
    return due;
  }

  /** Lists the undelivered events of a payment, oldest first. */
  undelivered(provider: ProviderEvent['provider'], subjectId: string): Delivery[] {
    return this.logAbout(provider, subjectId).filter((one) => one.state !== 'delivered');
  }

  /** Sends events again, with the same ids and bytes, regardless of their state. */
  async redeliver(events: readonly ProviderEvent[], signature: Signature): Promise<Delivery[]> {
    const plan: DeliveryPlan = { hold: false, lose: false, delayMs: 0, duplicates: 0, signature };
    const created = events.map((event) => newDelivery(event.id, 'redelivery', plan));
    this.store.state.deliveries.deliveries.push(...created);
    for (const delivery of created) await this.sendNow(delivery);
    return created;
  }

  /** Lists all deliveries, oldest first. */
  log(): Delivery[] {
    return this.store.state.deliveries.deliveries;
  }

  /** Lists the deliveries of one payment, oldest first. */
  logAbout(provider: ProviderEvent['provider'], subjectId: string): Delivery[] {
    const about = new Set(
      this.events()
        .filter((event) => event.provider === provider && event.subjectId === subjectId)
        .map((event) => event.id),
    );
    return this.log().filter((delivery) => about.has(delivery.eventId));
  }

  /** Lists all events, oldest first. */
  events(): ProviderEvent[] {
    return this.store.state.deliveries.events;
  }

  /** Returns a delivery's event. @throws Error when the event was evicted; eviction removes its deliveries as well */
  eventOf(delivery: Delivery): ProviderEvent {
    const event = this.store.state.deliveries.events.find((one) => one.id === delivery.eventId);
    if (!event) throw new Error(`No event ${delivery.eventId}`);
    return event;
  }

  /** Deletes all events and deliveries. Resolves when no request is being answered, which would arrive later. */
  async clear(): Promise<void> {
    this.store.state.deliveries.events.length = 0;
    this.store.state.deliveries.deliveries.length = 0;
    await Promise.all(this.sending);
  }

  /** Stops waiting and sending; unfinished deliveries stay `waiting` in the state. */
  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.inProgress.values());
  }

  private async firstResponses(created: readonly Delivery[]): Promise<void> {
    const waiting = created.filter((one) => one.state === 'waiting');
    await Promise.all(waiting.map((one) => this.follow(one)));
  }

  private async sendNow(delivery: Delivery): Promise<void> {
    delivery.state = 'waiting';
    delivery.nextAttemptAt = Date.now();
    // A delivery in its backoff is sent immediately; its timer then finds it delivered and ends.
    await this.tryOnce(delivery);
    if (delivery.state === 'waiting') this.follow(delivery);
    await this.store.save();
  }

  /** Retries until delivered or given up. @returns resolves after the first attempt */
  private follow(delivery: Delivery): Promise<void> {
    if (this.inProgress.has(delivery.id)) return Promise.resolve();
    let first: () => void = () => undefined;
    const firstAttempt = new Promise<void>((resolve) => {
      first = resolve;
    });
    const whole = this.untilDone(delivery, first).finally(() => {
      this.inProgress.delete(delivery.id);
      first();
    });
    this.inProgress.set(delivery.id, whole);
    return firstAttempt;
  }

  private async untilDone(delivery: Delivery, afterFirst: () => void): Promise<void> {
    while (delivery.state === 'waiting' && this.isKept(delivery)) {
      const waitMs = Math.max(0, (delivery.nextAttemptAt ?? 0) - Date.now());
      if (!(await this.pause(waitMs))) return;
      // It may have been sent manually in the meantime.
      if (delivery.state !== 'waiting' || (delivery.nextAttemptAt ?? 0) > Date.now()) continue;
      await this.tryOnce(delivery);
      await this.store.save();
      afterFirst();
    }
  }

  private async tryOnce(delivery: Delivery): Promise<void> {
    // All deliveries may have been deleted in the meantime.
    if (!this.isKept(delivery)) return;
    const event = this.eventOf(delivery);
    const { url, headers } = this.destinations[event.provider];
    const sent = attemptDelivery(url, headers(event, delivery.signature), event.body, this.stop.signal);
    this.sending.add(sent);
    const attempt = await sent.finally(() => this.sending.delete(sent));
    // An attempt aborted by closing does not count; the next run repeats it.
    if (this.stop.signal.aborted && attempt.status === null) return;
    delivery.attempts.push(attempt);
    const claimed = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    if (claimed) {
      delivery.state = 'delivered';
      delivery.nextAttemptAt = null;
    } else if (delivery.state === 'waiting') {
      const delayMs = retryDelaysMs[delivery.attempts.length - 1];
      delivery.state = delayMs === undefined ? 'given_up' : 'waiting';
      delivery.nextAttemptAt = delayMs === undefined ? null : Date.now() + delayMs;
    }
  }

  /** @returns false when the gateway closes */
  private async pause(ms: number): Promise<boolean> {
    try {
      await sleep(ms, undefined, { signal: this.stop.signal });
      return true;
    } catch (error) {
      if (this.stop.signal.aborted) return false;
      throw error;
    }
  }

  private isKept(delivery: Delivery): boolean {
    return this.log().includes(delivery);
  }

  private evictOld(): void {
    const state = this.store.state.deliveries;
    if (state.events.length <= maxEvents) return;
    const gone = new Set(state.events.splice(0, state.events.length - maxEvents).map((event) => event.id));
    const remaining = state.deliveries.filter((delivery) => !gone.has(delivery.eventId));
    state.deliveries.splice(0, state.deliveries.length, ...remaining);
  }
}

function newDelivery(eventId: string, reason: Delivery['reason'], plan: DeliveryPlan): Delivery {
  const now = Date.now();
  const state = plan.lose ? 'lost' : plan.hold ? 'held' : 'waiting';
  return {
    id: randomUUID(),
    eventId,
    reason,
    signature: plan.signature,
    state,
    createdAt: now,
    nextAttemptAt: state === 'waiting' ? now + plan.delayMs : null,
    attempts: [],
  };
}
