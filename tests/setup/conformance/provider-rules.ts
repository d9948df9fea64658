import type { Traffic } from '@/sandbox/provider/observe';

type Call = Extract<Traffic, { kind: 'call' }>;
type Event = Extract<Traffic, { kind: 'event' }>;

/**
 * A provider's published API as closed schemas: an unknown property, a wrong type and a missing required property are
 * findings. Each finding is one line that names the property.
 */
export type Rules = {
  /** Checks a request of this app and the sandbox's response. */
  call?(call: Call): string[];
  /** Checks an event of the sandbox before it is signed. */
  event?(event: Event): string[];
};
