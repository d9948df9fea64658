import type { ChoiceParam } from './address-filters';

/** The options of each select. */
export type SiteChoices = Record<ChoiceParam, readonly string[]>;
