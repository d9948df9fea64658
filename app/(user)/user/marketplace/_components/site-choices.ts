import type { ChoiceParam } from '../_filters';

/** What each select offers. */
export type SiteChoices = Record<ChoiceParam, readonly string[]>;
