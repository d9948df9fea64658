import type { ChoiceParam } from './filter-params';

/** The options of each select. */
export type SiteChoices = Record<ChoiceParam, readonly string[]>;
