import type { ChoiceParam } from './address-filters';

/** What each select offers. */
export type SiteChoices = Record<ChoiceParam, readonly string[]>;
