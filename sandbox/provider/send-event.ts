import type { ProviderEvent } from '@/sandbox/deliveries/records';
import type { ProviderGateway } from './gateway';

/** Delay of the webhook for `after-return` without `delayMs`. */
const afterReturnMs = 1_500;

/** `beforeReturn` is what the browser waits for; resolved unless the controls set it. */
export type SentEvents = { eventIds: string[]; beforeReturn: Promise<void> };

/** The result of an action: its events, or null when it is not possible. */
export type Outcome = SentEvents | null;

/** Sends an event with the delivery options of the provider's controls. */
export function sendEvent(
  gateway: ProviderGateway,
  event: Omit<ProviderEvent, 'provider' | 'signedAs'> & { signedAs?: string },
): SentEvents {
  const { controls, webhookQueue, name } = gateway;
  const lose = controls.drop > 0;
  if (lose) controls.drop -= 1;
  const whole: ProviderEvent = { signedAs: '', ...event, provider: name };
  gateway.observe({ kind: 'event', provider: name, event: whole });
  const { firstResponses } = webhookQueue.announce(whole, {
    hold: controls.mode === 'hold',
    lose,
    delayMs: controls.mode === 'after-return' && controls.delayMs === 0 ? afterReturnMs : controls.delayMs,
    duplicates: controls.duplicate,
    signature: controls.signature,
  });
  const beforeReturn = controls.mode === 'before-return' ? firstResponses : Promise.resolve();
  return { eventIds: [event.id], beforeReturn };
}

/** Combines the events of several notices; without arguments, for actions without events. */
export function combineEvents(...notices: readonly SentEvents[]): SentEvents {
  return {
    eventIds: notices.flatMap((notice) => notice.eventIds),
    beforeReturn: Promise.all(notices.map((notice) => notice.beforeReturn)).then(() => undefined),
  };
}
