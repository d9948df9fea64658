import type { PostOffice } from '../deliveries/post-office';
import type { StateStore } from '../state';
import { type Controls, defaultControls } from './controls';
import type { ProviderName } from './names';
import type { Observe } from './observe';

/** Where a provider's port runs, and what it shares with the others. */
export type Surroundings = {
  store: StateStore;
  postOffice: PostOffice;
  /** Origin of the provider's port. */
  origin: string;
  /** Origin of inbox and controls, where an undecided payment is settled. */
  deskOrigin: string;
  observe: Observe;
};

/** What the API, the hosted page and the controls of one provider share. */
export abstract class ProviderGateway {
  /** Not kept over a restart: a fault that a test left behind should not puzzle the next run. */
  controls: Controls = defaultControls();
  readonly store: StateStore;
  readonly postOffice: PostOffice;
  readonly origin: string;
  readonly deskOrigin: string;
  readonly observe: Observe;

  constructor(
    readonly name: ProviderName,
    { store, postOffice, origin, deskOrigin, observe }: Surroundings,
  ) {
    this.store = store;
    this.postOffice = postOffice;
    this.origin = origin;
    this.deskOrigin = deskOrigin;
    this.observe = observe;
  }
}
