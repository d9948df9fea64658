import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StateStore } from '../state';
import { attemptDelivery } from './attempt';
import type { Delivery, ProviderEvent, Signature } from './records';

/** Waits after the first, second… failed attempt, in ms; after the last one the delivery is given up. */
const retryDelaysMs = [200, 1_000, 3_000, 10_000, 30_000, 120_000, 600_000];
const keptEvents = 500;

/** Where a provider's notifications go and how it signs them; the time is taken at each attempt. */
export type Destination = { url: string; headers(event: ProviderEvent, signature: Signature): Record<string, string> };

/** How a new event is sent. */
export type Plan = {
  hold: boolean;
  lose: boolean;
  delayMs: number;
  /** Further deliveries of the same event beside the first. */
  duplicates: number;
  signature: Signature;
};

/**
 * Delivers the events of all providers: signs, sends, retries, and keeps the log.
 * Everything it still owes is in the state, so that a restarted gateway goes on where the killed one stopped.
 */
export class PostOffice {
  private readonly stop = new AbortController();
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly store: StateStore,
    private readonly destinations: Record<ProviderEvent['provider'], Destination>,
  ) {}

  /** Takes up what an earlier run left unfinished. */
  resume(): void {
    for (const delivery of this.log()) if (delivery.state === 'waiting') this.follow(delivery);
  }

  /**
   * Stores an event and starts its deliveries.
   * @returns `firstAnswers` resolves when each delivery has had its first answer (at once when held or lost)
   */
  announce(event: ProviderEvent, plan: Plan): { firstAnswers: Promise<void> } {
    const { events, deliveries } = this.store.state.deliveries;
    events.push(event);
    const made: Delivery[] = [];
    for (let index = 0; index <= plan.duplicates; index += 1) {
      made.push(newDelivery(event.id, index === 0 ? 'event' : 'duplicate', plan));
    }
    deliveries.push(...made);
    this.forgetOld();
    return { firstAnswers: this.firstAnswers(made) };
  }

  /** Sends what is still held, waiting, lost or given up about a subject, now, one after the other. */
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

  /** What has not reached the app about a subject, oldest first. */
  undelivered(provider: ProviderEvent['provider'], subjectId: string): Delivery[] {
    return this.logAbout(provider, subjectId).filter((one) => one.state !== 'delivered');
  }

  /** Sends events once more, with the same ids and bytes, whatever became of them before. */
  async redeliver(events: readonly ProviderEvent[], signature: Signature): Promise<Delivery[]> {
    const plan: Plan = { hold: false, lose: false, delayMs: 0, duplicates: 0, signature };
    const made = events.map((event) => newDelivery(event.id, 'redelivery', plan));
    this.store.state.deliveries.deliveries.push(...made);
    for (const delivery of made) await this.sendNow(delivery);
    return made;
  }

  /** All deliveries, oldest first. */
  log(): Delivery[] {
    return this.store.state.deliveries.deliveries;
  }

  /** The deliveries about one payment, oldest first. */
  logAbout(provider: ProviderEvent['provider'], subjectId: string): Delivery[] {
    const about = new Set(
      this.events()
        .filter((event) => event.provider === provider && event.subjectId === subjectId)
        .map((event) => event.id),
    );
    return this.log().filter((delivery) => about.has(delivery.eventId));
  }

  /** All events, oldest first. */
  events(): ProviderEvent[] {
    return this.store.state.deliveries.events;
  }

  /** @throws Error when the delivery's event is gone, which the trimming rules out */
  eventOf(delivery: Delivery): ProviderEvent {
    const event = this.store.state.deliveries.events.find((one) => one.id === delivery.eventId);
    if (!event) throw new Error(`No event ${delivery.eventId}`);
    return event;
  }

  /** Forgets everything that was sent or is still to be sent. */
  clear(): void {
    this.store.state.deliveries.events.length = 0;
    this.store.state.deliveries.deliveries.length = 0;
  }

  /** Stops waiting and sending; what is unfinished stays `waiting` in the state. */
  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.underWay.values());
  }

  private async firstAnswers(made: readonly Delivery[]): Promise<void> {
    const waiting = made.filter((one) => one.state === 'waiting');
    await Promise.all(waiting.map((one) => this.follow(one)));
  }

  private async sendNow(delivery: Delivery): Promise<void> {
    delivery.state = 'waiting';
    delivery.nextAttemptAt = Date.now();
    // One that is in its back-off is sent beside it: its own timer finds it delivered and ends.
    await this.tryOnce(delivery);
    if (delivery.state === 'waiting') this.follow(delivery);
    await this.store.save();
  }

  /** Tries until delivered or given up. @returns resolves after the first attempt */
  private follow(delivery: Delivery): Promise<void> {
    if (this.underWay.has(delivery.id)) return Promise.resolve();
    let first: () => void = () => undefined;
    const firstAttempt = new Promise<void>((resolve) => {
      first = resolve;
    });
    const whole = this.untilDone(delivery, first).finally(() => {
      this.underWay.delete(delivery.id);
      first();
    });
    this.underWay.set(delivery.id, whole);
    return firstAttempt;
  }

  private async untilDone(delivery: Delivery, afterFirst: () => void): Promise<void> {
    while (delivery.state === 'waiting' && this.isKept(delivery)) {
      const waitMs = Math.max(0, (delivery.nextAttemptAt ?? 0) - Date.now());
      if (!(await this.pause(waitMs))) return;
      // A person may have sent it by hand meanwhile.
      if (delivery.state !== 'waiting' || (delivery.nextAttemptAt ?? 0) > Date.now()) continue;
      await this.tryOnce(delivery);
      await this.store.save();
      afterFirst();
    }
  }

  private async tryOnce(delivery: Delivery): Promise<void> {
    // Everything may have been wiped while it waited.
    if (!this.isKept(delivery)) return;
    const event = this.eventOf(delivery);
    const { url, headers } = this.destinations[event.provider];
    const attempt = await attemptDelivery(url, headers(event, delivery.signature), event.body, this.stop.signal);
    // An attempt that closing cut short is none: the next run makes it again.
    if (this.stop.signal.aborted && attempt.status === null) return;
    delivery.attempts.push(attempt);
    const taken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    if (taken) {
      delivery.state = 'delivered';
      delivery.nextAttemptAt = null;
    } else if (delivery.state === 'waiting') {
      const delayMs = retryDelaysMs[delivery.attempts.length - 1];
      delivery.state = delayMs === undefined ? 'given_up' : 'waiting';
      delivery.nextAttemptAt = delayMs === undefined ? null : Date.now() + delayMs;
    }
  }

  /** @returns false when the gateway closes meanwhile */
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

  private forgetOld(): void {
    const state = this.store.state.deliveries;
    if (state.events.length <= keptEvents) return;
    const gone = new Set(state.events.splice(0, state.events.length - keptEvents).map((event) => event.id));
    const kept = state.deliveries.filter((delivery) => !gone.has(delivery.eventId));
    state.deliveries.splice(0, state.deliveries.length, ...kept);
  }
}

function newDelivery(eventId: string, reason: Delivery['reason'], plan: Plan): Delivery {
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
