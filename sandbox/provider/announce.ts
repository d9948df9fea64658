import type { ProviderEvent } from '../deliveries/records';
import type { ProviderGateway } from './gateway';

/** How long the webhook stays behind the browser when `after-return` is set without a delay. */
const afterReturnMs = 1_500;

/** `beforeReturn` is what the browser has to wait for: nothing, unless the controls say so. */
export type Notice = { eventIds: string[]; beforeReturn: Promise<void> };

/** What became of an action: the events it caused, or null when it cannot happen any more. */
export type Outcome = Notice | null;

/** Hands an event to the post office as the provider's controls say. */
export function announce(
  gateway: ProviderGateway,
  event: Omit<ProviderEvent, 'provider' | 'signedAs'> & { signedAs?: string },
): Notice {
  const { controls, postOffice, name } = gateway;
  const lose = controls.drop > 0;
  if (lose) controls.drop -= 1;
  const whole: ProviderEvent = { signedAs: '', ...event, provider: name };
  gateway.observe({ kind: 'event', provider: name, event: whole });
  const { firstAnswers } = postOffice.announce(whole, {
    hold: controls.mode === 'hold',
    lose,
    delayMs: controls.mode === 'after-return' && controls.delayMs === 0 ? afterReturnMs : controls.delayMs,
    duplicates: controls.duplicate,
    signature: controls.signature,
  });
  const beforeReturn = controls.mode === 'before-return' ? firstAnswers : Promise.resolve();
  return { eventIds: [event.id], beforeReturn };
}

/** One notice of several; of none, for what happens without an event. */
export function together(...notices: readonly Notice[]): Notice {
  return {
    eventIds: notices.flatMap((notice) => notice.eventIds),
    beforeReturn: Promise.all(notices.map((notice) => notice.beforeReturn)).then(() => undefined),
  };
}
