import type { ReactNode } from 'react';

/** A section of the guide; each has a file of its own. */
export type Section = {
  /** The anchor. */
  id: string;
  title: string;
  /** The feature flag without which the section is hidden. */
  flag?: 'api-tokens' | 'webhooks' | 'mcp';
  /**
   * @param origin the origin of this installation, e.g. https://links.example.com
   * @param on the feature flags that are on
   */
  Content: (props: { origin: string; on: ReadonlySet<string> }) => ReactNode;
};
